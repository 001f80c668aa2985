// Replaces the marks in a declared schema by their rules, as soon as the settings and all collections are known. The
// result is plain zod, whose descriptions are the forms of values; `meaningsOf` returns the meanings.
import * as z from "zod";
import type { Deprecation } from "./deprecation.ts";
import { convertParts, definitionOf, type Schema, schemasIn } from "./kinds.ts";
import { deprecations, forms, references, vocabularies } from "./marks.ts";
import { type Vocabulary, wordSchema } from "./vocabulary.ts";

export interface Rules {
  readonly vocabulary: Vocabulary;
  /** Returns the declared schema of the key of a collection's items. */
  readonly keyOf: (collection: string) => Schema;
}

/** Objects without `z.looseObject` become strict, because an unknown field is more often a slip than an addition. */
export function resolveSchema(schema: Schema, rules: Rules): Schema {
  const words = vocabularies.of(schema);
  if (words !== undefined) return wordSchema(rules.vocabulary, words);
  const reference = references.of(schema);
  if (reference !== undefined) {
    const key = resolveSchema(rules.keyOf(reference.to), rules);
    if (reference.by === undefined) return key;
    // Content has another field in place of the key.
    const error = `the ${reference.by} of an item of ${reference.to}`;
    return z.core.clone(key, { ...key._zod.def, error: () => error });
  }
  const def = definitionOf(schema);
  const strict = def.type === "object" && def.catchall === undefined ? { catchall: z.never() } : {};
  const parts = convertParts(schema, (child) => resolveSchema(child, rules));
  const bare = z.core.clone(schema, { ...schema._zod.def, ...strict, ...parts });
  const form = forms.of(schema);
  if (form !== undefined) z.globalRegistry.add(bare, { description: form.text });
  return bare;
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

/** By the path of a field, the notice that it will go. */
export function deprecationsOf(schema: Schema): Readonly<Record<string, Deprecation>> {
  const found = [...schemasIn(schema)].flatMap(([path, each]) => {
    const notice = deprecations.of(each);
    return notice === undefined ? [] : [[path, notice] as const];
  });
  return Object.fromEntries(found.toReversed());
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
