// Completes the schema of a collection or a document: names, keys, references, and its forms for a vocabulary. Marks in
// the declared schema become rules as soon as the settings and all collections are known. The result is plain zod,
// whose descriptions are the forms of values.
import * as z from "zod";
import { assetMarks, declarations, forms, references, vocabularies } from "../../src/declare/marks.ts";
import { type Vocabulary, wordSchema } from "../../src/declare/vocabulary.ts";
import { ownField } from "../../src/model/fields.ts";
import { type Item, type Key, keyFormOf } from "../../src/model/key.ts";
import { convertParts, definitionOf, kindsOf, mayBeOmitted, type Schema, schemasIn } from "../../src/model/kinds.ts";
import { meaningsIn, noticesIn } from "../../src/model/meanings.ts";
import type { AssetField, ListOperation, Reference, WrittenItem } from "../../src/model/operation.ts";
import { pascal } from "../text/words.ts";
import { isTypeName } from "./names.ts";

/** Returns the declared schema of the key of a collection's items. */
export type KeySchemaOf = (collection: string) => Schema;

function referencesIn(schema: Schema): readonly Reference[] {
  const distinct = new Map<string, Reference>();
  const note = (field: string, part: Schema, steps: readonly string[]): void => {
    const reference = references.of(part);
    // Several alternatives of a union may have the same field.
    if (reference !== undefined) distinct.set(JSON.stringify([steps, reference]), { field, steps, ...reference });
  };
  for (const [field, part, steps] of schemasIn(schema)) {
    note(field, part, steps);
    const def = definitionOf(part);
    if (def.type === "record") note(`${field}{}`, def.keyType, [...steps, "{}"]);
  }
  return [...distinct.values()];
}

function assetsIn(schema: Schema): readonly AssetField[] {
  const fields = new Map<string, AssetField>();
  for (const [field, part, steps] of schemasIn(schema)) {
    const asset = assetMarks.of(part);
    // The wrappers of a schema have its path.
    if (asset !== undefined)
      fields.set(JSON.stringify(steps), { field, steps, ...asset, maxBytes: bytesIn(asset.max) });
  }
  return [...fields.values()];
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** `1.5MB` in bytes; undefined for a text of another form. */
export function bytesOfSize(size: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) ?(B|kB|KB|MB|GB)$/.exec(size) ?? [];
  return number === "" ? undefined : Math.floor(Number(number) * (ownField(units, unit.toLowerCase()) ?? 1));
}

const bytesIn = (max: string | undefined): number =>
  max === undefined ? Number.POSITIVE_INFINITY : (bytesOfSize(max) ?? 0);

export const writtenAs = (schema: z.ZodObject, keyOf: KeySchemaOf): WrittenItem => ({
  schema: schemaFor(schema, keyOf),
  meanings: meaningsIn(schema),
  references: referencesIn(schema),
  assets: assetsIn(schema),
});

/** What files have: `form`, unless a `transform` makes it of something else. */
export function writtenOf(
  { written, transform }: { readonly written?: z.ZodObject; readonly transform?: unknown },
  form: WrittenItem,
  keyOf: KeySchemaOf,
): WrittenItem | undefined {
  if (written !== undefined) return writtenAs(written, keyOf);
  return transform === undefined ? form : undefined;
}

/** The fields of a key, and the form of each. */
export const keyWithForms = ({ shape }: z.ZodObject, key: string | readonly string[], keyOf: KeySchemaOf): Key => {
  const scope = [key].flat().map((field) => {
    const declared = ownField(shape, field) ?? z.never();
    return { field, form: keyFormOf(resolveSchema(declared, {}, keyOf)) };
  });
  const { field, form } = scope.pop() ?? { field: "", form: "" };
  return { key: field, keyForm: form, scope };
};

/** Lists in brief have no unknown fields. */
export function schemaInBrief(
  { shape }: z.ZodObject,
  fields: readonly string[],
  keyOf: KeySchemaOf,
): ListOperation["schema"] {
  const listed = Object.fromEntries(Object.entries(shape).filter(([field]) => fields.includes(field)));
  return schemaFor(z.strictObject(listed), keyOf);
}

/** A noun that cannot be the name of a type, such as `東西`, leaves it to the name of the collection. */
export function describedBy(schema: z.ZodObject, name: string, purpose: string, noun = name) {
  const title = pascal(noun);
  const { "": meaning = purpose, ...meanings } = meaningsIn(schema);
  return {
    title: z.globalRegistry.get(schema)?.title ?? (isTypeName(title) ? title : pascal(name)),
    meaning,
    meanings,
    deprecatedFields: noticesIn(schema),
  };
}

export const exampleFrom = (schema: z.ZodObject, keyOf: KeySchemaOf): Item => ({ ...Object(exampleOf(schema, keyOf)) });

/** A value of a schema: its example, or one made from its fields' examples and forms. Optional fields are left out. */
function exampleOf(schema: Schema, keyOf: KeySchemaOf): unknown {
  const [kind] = kindsOf(schema);
  if (kind === undefined) return null;
  const [declared] = [schema, kind.schema].flatMap((part) => z.globalRegistry.get(part)?.["examples"] ?? []);
  if (declared !== undefined) return declared;
  const inner = (child: Schema) => exampleOf(child, keyOf);
  const formed = (form: Schema | undefined, other: unknown) => (form && forms.of(form)?.example) ?? other;
  switch (kind.kind) {
    case "reference":
      return inner(keyOf(kind.to));
    case "words":
      return formed(kind.words.form, "text");
    case "object": {
      const fields = Object.entries(kind.fields).filter(([, field]) => !mayBeOmitted(field));
      return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
    }
    case "array":
      return [inner(kind.element)];
    case "tuple":
      return kind.items.map(inner);
    case "record":
      return {};
    case "known":
      return kind.values[0];
    case "text":
      return formed(kind.schema, "text");
    case "boolean":
      return true;
    case "integer":
    case "number":
      return formed(kind.schema, 1);
    default:
      return null;
  }
}

/** Objects without `z.looseObject` become strict, because an unknown field is more often a slip than an addition. */
export function resolveSchema(schema: Schema, vocabulary: Vocabulary, keyOf: KeySchemaOf): Schema {
  const words = vocabularies.of(schema);
  if (words !== undefined) return wordSchema(vocabulary, words);
  const reference = references.of(schema);
  if (reference !== undefined) {
    const key = resolveSchema(keyOf(reference.to), vocabulary, keyOf);
    // A value that leads nowhere stays as it is, whatever the form of the keys.
    if (reference.missing !== undefined)
      return kindsOf(key).some(({ kind }) => kind === "integer") ? z.int() : z.string();
    if (reference.by === undefined) return key;
    // Content has another field in place of the key.
    const error = `the ${reference.by} of an item of ${reference.to}`;
    return z.core.clone(key, { ...key._zod.def, error: () => error });
  }
  const def = definitionOf(schema);
  const strict = def.type === "object" && def.catchall === undefined ? { catchall: z.never() } : {};
  // A record must have each key of a list, but words and references say which keys it may have.
  const partial = def.type === "record" && def.keyType._zod.values === undefined ? { partial: true } : {};
  const parts = convertParts(schema, (child) => resolveSchema(child, vocabulary, keyOf));
  const bare = z.core.clone(schema, { ...schema._zod.def, ...strict, ...partial, ...parts });
  const form = forms.of(schema);
  if (form !== undefined) z.globalRegistry.add(bare, { description: form.text });
  return declarations.mark(bare, schema);
}

/** Caches the results, because resolving copies a schema, and each copy is compiled when it is first used. */
export function schemaFor(schema: z.ZodObject, keyOf: KeySchemaOf) {
  const resolved = new Map<string, z.ZodType<Item>>();
  return (vocabulary: Vocabulary): z.ZodType<Item> => {
    const words = JSON.stringify(vocabulary);
    // An object resolves to an object.
    const result = resolved.get(words) ?? (resolveSchema(schema, vocabulary, keyOf) as z.ZodType<Item>);
    resolved.set(words, result);
    return result;
  };
}
