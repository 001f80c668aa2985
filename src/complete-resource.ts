// Completes the schema of a collection or a document: names, keys, references, and its forms for a vocabulary.
import * as z from "zod";
import type { CollectionDeclaration, DocumentDeclaration } from "./declare.ts";
import { definitionOf, schemasIn } from "./kinds.ts";
import { references } from "./marks.ts";
import { deprecationsOf, exampleValue, meaningsOf, type Rules, resolveSchema } from "./resolve.ts";
import { type DocumentResource, type Item, keyFormOf, type Reference, type Resource } from "./resource.ts";
import type { Vocabulary } from "./vocabulary.ts";

export function resourceOf(
  name: string,
  { purpose, schema, noun, key, notBefore = [], defining = [] }: CollectionDeclaration,
  keyOf: Rules["keyOf"],
): Resource {
  const found = new Map<string, Reference>();
  for (const [field, each, steps] of schemasIn(schema)) {
    const reference = references.of(each);
    // Several alternatives of a union may have the same field.
    if (reference !== undefined) found.set(JSON.stringify([steps, reference]), { field, steps, ...reference });
  }
  const parts = [key].flat().map((field) => {
    const declared = schema.shape[field];
    return { field, form: declared === undefined ? "" : keyFormOf(resolveSchema(declared, { vocabulary: {}, keyOf })) };
  });
  const last = parts.pop() ?? { field: "", form: "" };
  return {
    noun: noun?.one ?? `item of ${name}`,
    nouns: noun?.many ?? `items of ${name}`,
    ...describedBy(schema, noun?.one ?? name, purpose),
    key: last.field,
    keyForm: last.form,
    scope: parts,
    schema: schemaFor(schema, keyOf, notBefore),
    references: [...found.values()],
    notBefore,
    defining,
    example: exampleFrom(schema, keyOf),
  };
}

/** Lists in brief have no unknown fields, and only the rules whose fields they have. */
export function schemaInBrief(
  { shape }: z.ZodObject,
  fields: readonly string[],
  notBefore: Resource["notBefore"],
  keyOf: Rules["keyOf"],
): Resource["schema"] {
  const listed = Object.fromEntries(Object.entries(shape).filter(([field]) => fields.includes(field)));
  const rules = notBefore.filter(({ field, than }) => fields.includes(field) && fields.includes(than));
  return schemaFor(z.strictObject(listed), keyOf, rules);
}

export function documentResourceOf(
  name: string,
  { purpose, schema }: DocumentDeclaration,
  keyOf: Rules["keyOf"],
): DocumentResource {
  /** The fields with one value only, which content does not write. */
  const supplied = Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, each]) => {
      const def = definitionOf(each);
      return def.type === "literal" && def.values.length === 1 ? [[field, def.values[0]]] : [];
    }),
  );
  const written = <Value>(fields: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(supplied, field)));
  return {
    ...describedBy(schema, name, purpose),
    content: schemaFor(z.core.clone(schema, { ...schema._zod.def, shape: written(schema.shape) }), keyOf),
    schema: schemaFor(schema, keyOf),
    documentOf: (content) => {
      const all = { ...content, ...supplied };
      const fields = [...new Set([...Object.keys(schema.shape), ...Object.keys(content)])];
      return Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(all, field) ? [[field, all[field]]] : [])));
    },
    example: written(exampleFrom(schema, keyOf)),
  };
}

function describedBy(schema: z.ZodObject, name: string, purpose: string) {
  const meanings = meaningsOf(schema);
  return {
    title: z.globalRegistry.get(schema)?.title ?? pascal(name),
    meaning: meanings.get("") ?? purpose,
    meanings: Object.fromEntries([...meanings].filter(([path]) => path !== "")),
    deprecated: deprecationsOf(schema),
  };
}

/** `mime-types` is MimeTypes. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_\s-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const exampleFrom = (schema: z.ZodObject, keyOf: Rules["keyOf"]): Item => ({ ...Object(exampleValue(schema, keyOf)) });

/** Keeps the results, because resolving copies a schema, and each copy is compiled when it is first used. */
function schemaFor(schema: z.ZodObject, keyOf: Rules["keyOf"], notBefore: Resource["notBefore"] = []) {
  const known = new Map<string, z.ZodType<Item>>();
  return (vocabulary: Vocabulary): z.ZodType<Item> => {
    const words = JSON.stringify(vocabulary);
    // An object resolves to an object.
    const made = known.get(words) ?? inOrder(resolveSchema(schema, { vocabulary, keyOf }) as z.ZodObject, notBefore);
    known.set(words, made);
    return made;
  };
}

const compilable = new WeakMap<z.ZodType, z.ZodType>();

/**
 * A schema that accepts the same values, for `z.compile`: zod does not compile checks that have a `when`, and takes six
 * times as long with them. It may find fewer faults in other values.
 */
export const compilableOf = <T>(schema: z.ZodType<T>): z.ZodType<T> =>
  (compilable.get(schema) as z.ZodType<T> | undefined) ?? schema;

/** The order of times is checked even if other fields are wrong, so that one run reports everything. */
function inOrder(schema: z.ZodObject, rules: Resource["notBefore"]): z.ZodType<Item> {
  const isRight = (item: unknown, field: string): boolean => {
    const form = schema.shape[field];
    return form !== undefined && z.safeParse(form, Object(item)[field]).success;
  };
  const ordered = (isAlways: boolean) =>
    rules.reduce<z.ZodType<Item>>(
      (before, { field, than }) =>
        before.refine((item) => !isBefore(item[field], item[than]), {
          path: [field],
          error: `no earlier than ${than}`,
          ...(isAlways && { when: ({ value }) => isRight(value, field) && isRight(value, than) }),
        }),
      schema,
    );
  const whole = ordered(true);
  if (rules.length > 0) compilable.set(whole, ordered(false));
  return whole;
}

const isBefore = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one < other;
