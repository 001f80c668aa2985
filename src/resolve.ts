// Replaces the marks in a declared schema by their rules, as soon as the settings and all collections are known. The
// result is plain zod, whose descriptions are the forms of values; `meaningsOf` returns the meanings.
import * as z from "zod";
import { forms, references, vocabularies } from "./marks.ts";
import { type Vocabulary, wordSchema } from "./vocabulary.ts";

type Schema = z.core.$ZodType;

export interface Rules {
  readonly vocabulary: Vocabulary;
  /** Returns the declared schema of the key of a collection's items. */
  readonly keyOf: (collection: string) => Schema;
}

/** The definition of a schema, with the type that tells the kinds of schemas apart. */
export const definitionOf = (schema: Schema): z.core.$ZodTypes["_zod"]["def"] => (schema as z.core.$ZodTypes)._zod.def;

/** Objects without `z.looseObject` become strict, because an unknown field is more often a slip than an addition. */
export function resolveSchema(schema: Schema, rules: Rules): Schema {
  const words = vocabularies.of(schema);
  if (words !== undefined) return wordSchema(rules.vocabulary, words);
  const reference = references.of(schema);
  if (reference !== undefined) return resolveSchema(rules.keyOf(reference.to), rules);
  const bare = z.core.clone(schema, { ...schema._zod.def, ...partsOf(schema, (child) => resolveSchema(child, rules)) });
  const form = forms.of(schema);
  if (form !== undefined) z.globalRegistry.add(bare, { description: form.text });
  return bare;
}

/** The parts of a schema's definition that are schemas, each converted. The keys of a record have no step. */
function partsOf(schema: Schema, convert: (child: Schema, step?: string) => Schema): object {
  const def = definitionOf(schema);
  if ("innerType" in def) return { innerType: convert(def.innerType, "") };
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, convert(field, `.${name}`)]);
      return { shape: Object.fromEntries(fields), catchall: def.catchall ?? z.never() };
    }
    case "array":
      return { element: convert(def.element, "[]") };
    case "tuple": {
      const items = def.items.map((item, index) => convert(item, `[${index}]`));
      return { items, rest: def.rest && convert(def.rest, `[${items.length}]`) };
    }
    case "record":
      return { keyType: convert(def.keyType), valueType: convert(def.valueType, ".*") };
    case "union":
      return { options: def.options.map((option) => convert(option, "")) };
    default:
      return {};
  }
}

/** The schemas directly within a schema, each with its step in a field's path: `.name`, `[]` or nothing. */
export function childrenOf(schema: Schema): readonly (readonly [step: string, child: Schema])[] {
  const children: (readonly [step: string, child: Schema])[] = [];
  partsOf(schema, (child, step) => {
    if (step !== undefined) children.push([step, child]);
    return child;
  });
  return children;
}

/** Every schema in a schema, itself first, with its path: `fields[].name` is the name of each object in the list. */
export function* schemasIn(schema: Schema, path = ""): Generator<readonly [path: string, schema: Schema]> {
  yield [path, schema];
  for (const [step, child] of childrenOf(schema)) {
    yield* schemasIn(child, path === "" && step.startsWith(".") ? step.slice(1) : `${path}${step}`);
  }
}

/** The schema of the elements if a schema is a list, which may be null or missing. */
export function elementsOf(schema: Schema): Schema | undefined {
  const def = definitionOf(bareOf(schema));
  return def.type === "array" ? def.element : undefined;
}

/** The schema of the keys if a schema is a record, which may be null or missing. */
export function recordKeysOf(schema: Schema): Schema | undefined {
  const def = definitionOf(bareOf(schema));
  return def.type === "record" ? def.keyType : undefined;
}

/** A schema without null and missing values. */
function bareOf(schema: Schema): Schema {
  const def = definitionOf(schema);
  if ("innerType" in def) return bareOf(def.innerType);
  const [only, another] = def.type === "union" ? def.options.filter(({ _zod }) => _zod.def.type !== "null") : [];
  return only === undefined || another !== undefined ? schema : bareOf(only);
}

/** By the path of a field, its meaning from `.describe()`. The outermost description of a path counts. */
export function meaningsOf(schema: Schema): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>();
  for (const [path, each] of schemasIn(schema)) {
    const meaning = z.globalRegistry.get(each)?.description;
    if (meaning === undefined || meaning === forms.of(each)?.text || meanings.has(path)) continue;
    meanings.set(path, meaning);
  }
  return meanings;
}

/** A value of a schema: its example, or one made from its fields' examples and forms. Optional fields are left out. */
export function exampleValue(schema: Schema, keyOf: Rules["keyOf"]): unknown {
  const given = z.globalRegistry.get(schema)?.["examples"];
  if (Array.isArray(given) && given.length > 0) return given[0];
  const reference = references.of(schema);
  if (reference !== undefined) return exampleValue(keyOf(reference.to), keyOf);
  const example = forms.of(vocabularies.of(schema)?.form ?? schema)?.example;
  if (example !== undefined) return example;
  const inner = (child: Schema) => exampleValue(child, keyOf);
  const def = definitionOf(schema);
  if ("innerType" in def) return inner(def.innerType);
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).filter(([, field]) => field._zod.optin === undefined);
      return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
    }
    case "array":
      return [inner(def.element)];
    case "tuple":
      return def.items.map(inner);
    case "union":
      return def.options[0] === undefined ? null : inner(def.options[0]);
    case "enum":
      return Object.values(def.entries)[0];
    case "literal":
      return def.values[0];
    case "record":
      return {};
    case "boolean":
      return true;
    case "number":
      return 1;
    case "string":
      return "text";
    default:
      return null;
  }
}
