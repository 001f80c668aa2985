// Replaces the marks in a declared schema by their rules, once the settings and all collections are
// known. What is left is plain zod, whose descriptions are the forms of values; what they mean is in `meaningsOf`.
import * as z from "zod";
import { forms, references, vocabularies, type Words } from "./marks.ts";

type Schema = z.core.$ZodType;

export interface Rules {
  /** The schema of a word. */
  readonly words: (words: Words) => Schema;
  /** The declared schema of the key of a collection's items. */
  readonly keyOf: (collection: string) => Schema;
}

/** Objects without `z.looseObject` become strict, because an unknown field is more often a slip than an addition. */
export function resolve(schema: Schema, rules: Rules): Schema {
  const words = vocabularies.of(schema);
  if (words !== undefined) return rules.words(words);
  const reference = references.of(schema);
  if (reference !== undefined) return resolve(rules.keyOf(reference.to), rules);
  const inner = (child: Schema): Schema => resolve(child, rules);
  const bare = z.core.clone(schema, { ...schema._zod.def, ...partsOf(schema, inner) });
  const form = forms.of(schema);
  if (form !== undefined) z.globalRegistry.add(bare, { description: form.text });
  return bare;
}

/** The parts of a schema's definition that are schemas, each converted. */
function partsOf(schema: Schema, convert: (child: Schema) => Schema): object {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, convert(field)]);
      return { shape: Object.fromEntries(fields), catchall: def.catchall ?? z.never() };
    }
    case "array":
      return { element: convert(def.element) };
    case "tuple":
      return { items: def.items.map(convert), rest: def.rest && convert(def.rest) };
    case "record":
      return { keyType: convert(def.keyType), valueType: convert(def.valueType) };
    case "union":
      return { options: def.options.map(convert) };
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
    case "nonoptional":
      return { innerType: convert(def.innerType) };
    default:
      return {};
  }
}

/** The schemas directly within a schema, each with its step in a field's path: `.name`, `[]` or nothing. */
export function childrenOf(schema: Schema): readonly (readonly [step: string, child: Schema])[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).map(([name, field]) => [`.${name}`, field]);
    case "array":
      return [["[]", def.element]];
    case "tuple":
      return [...def.items, ...(def.rest === null ? [] : [def.rest])].map((item, index) => [`[${index}]`, item]);
    case "record":
      return [[".*", def.valueType]];
    case "union":
      return def.options.map((option) => ["", option]);
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
    case "nonoptional":
      return [["", def.innerType]];
    default:
      return [];
  }
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
  const { def } = (bareOf(schema) as z.core.$ZodTypes)._zod;
  return def.type === "array" ? def.element : undefined;
}

/** The schema of the keys if a schema is a record, which may be null or missing. */
export function recordKeysOf(schema: Schema): Schema | undefined {
  const { def } = (bareOf(schema) as z.core.$ZodTypes)._zod;
  return def.type === "record" ? def.keyType : undefined;
}

/** A schema without null and missing values. */
function bareOf(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ("innerType" in def) return bareOf(def.innerType);
  const others = def.type === "union" ? def.options.filter(({ _zod }) => _zod.def.type !== "null") : [];
  return others.length === 1 && others[0] !== undefined ? bareOf(others[0]) : schema;
}

/** By the path of a field, what `.describe()` says of it. The outermost description of a path counts. */
export function meaningsOf(schema: Schema): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>();
  for (const [path, each] of schemasIn(schema)) {
    const meaning = z.globalRegistry.get(each)?.description;
    if (meaning === undefined || meaning === forms.of(each)?.text) continue;
    if (!meanings.has(path)) meanings.set(path, meaning);
  }
  return meanings;
}

/** A value of a schema: its example, or one made from its fields' examples and forms. Optional fields are left out. */
export function exampleOf(schema: Schema, keyOf: Rules["keyOf"]): unknown {
  const given = z.globalRegistry.get(schema)?.["examples"];
  if (Array.isArray(given) && given.length > 0) return given[0];
  const reference = references.of(schema);
  if (reference !== undefined) return exampleOf(keyOf(reference.to), keyOf);
  const example = forms.of(vocabularies.of(schema)?.form ?? schema)?.example;
  if (example !== undefined) return example;
  const inner = (child: Schema) => exampleOf(child, keyOf);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).filter(([, field]) => field._zod.optin === undefined);
      return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
    }
    case "array":
      return [inner(def.element)];
    case "tuple":
      return def.items.map(inner);
    case "record":
      return {};
    case "union":
      return def.options[0] === undefined ? null : inner(def.options[0]);
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
    case "nonoptional":
      return inner(def.innerType);
    case "enum":
      return Object.values(def.entries)[0];
    case "literal":
      return def.values[0];
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
