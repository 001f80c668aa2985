// Whether an option of a collection can use a field, by the types of the field's values.
import { slugOf } from "../../src/model/filter.ts";
import { hasOnlyTilde, isPathPart, valueOfFile } from "../../src/model/key.ts";
import { elementsOf, isOptional, kindsOf, listedIn, recordKeysOf, type Schema } from "../../src/model/kinds.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";

export interface FieldUse {
  /** Completes "… cannot be used in …". */
  readonly role: string;
  /** A sentence that states the need, if the field cannot be used. */
  readonly problemOf: (schema: Schema) => string | undefined;
  /** Whether the field may be within objects and lists, named by its path. */
  readonly mayBeWithin?: boolean;
}

/** The types of JSON, with `integer`, `reference NAME` and `words NAME` as separate types. */
const typesOf = (schema: Schema): readonly string[] =>
  kindsOf(schema).flatMap((kind): readonly string[] => {
    if (kind.kind === "known") return kind.values.map(typeOfValue);
    if (kind.kind === "reference") return [`reference ${kind.to}`];
    return [kind.kind === "words" ? `words ${kind.words.name}` : kind.kind];
  });

function typeOfValue(value: unknown): string {
  if (typeof value === "string") return "text";
  return Number.isSafeInteger(value) ? "integer" : typeof value;
}

const basicType = (type: string): string => type.replace(/^(?:reference|words) .*/s, "text");

/** Whether all values have one of these types. `text` includes references and words. */
const areOf = (schema: Schema, ...types: readonly string[]): boolean =>
  typesOf(schema).every((type) => types.includes(basicType(type)));

/** Whether all values have one of these types, and all but null have the same, so that they can be compared. */
const areOfOne = (schema: Schema, ...types: readonly string[]): boolean => {
  const comparable = typesOf(schema).map((type) => basicType(type).replace("integer", "number"));
  return areOf(schema, ...types) && new Set(["null", ...comparable]).size <= 2;
};

const useOf = (role: string, needs: string, isSuitable: (schema: Schema) => boolean): FieldUse => ({
  role,
  problemOf: (schema) => (isSuitable(schema) ? undefined : `It must be ${needs}.`),
});

/** A use that also needs known values to be parts of paths. */
function partsOfPath({ role, problemOf }: FieldUse): FieldUse {
  const problemOfValues = (schema: Schema) => problemOfParts(textsOf(listedValuesIn(elementsOf(schema) ?? schema)));
  return { role, problemOf: (schema) => problemOf(schema) ?? problemOfValues(schema) };
}

/** A use that any field suits. */
export const anyUse = (role: string): FieldUse => useOf(role, "", () => true);

/** Whether a field names an item. */
export const isKey = (schema: Schema): boolean => !isOptional(schema) && areOfOne(schema, "text", "integer");

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean => !isOptional(schema) && areOf(schema, "text");

const neededBy = {
  value:
    "a string, an integer, true or false, a reference or words(…), of one type and possibly null, or a list of them. A function derives the values of anything else",
  slug: "a string or a list of strings, possibly null",
  names: "a record, such as z.record(z.string(), …)",
} as const;

export const uses = {
  key: partsOfPath(useOf("its key", "a string or an integer in every item", isKey)),
  order: useOf("its order", "a string, a number, or true or false, possibly null, and always of one type", (schema) =>
    areOfOne(schema, "text", "integer", "number", "boolean", "null"),
  ),
  textOrder: useOf("an order with fold or natural", "a string, possibly null", (schema) =>
    areOf(schema, "text", "null"),
  ),
  /** A field by which others refer to items, in place of the key. */
  join: useOf("a reference", "a string or an integer, possibly null", (schema) =>
    areOfOne(schema, "text", "integer", "null"),
  ),
  aliases: partsOfPath(
    useOf("item.aliases", "a string, an integer, or a list of them, but not a reference", (schema) => {
      const values = elementsOf(schema) ?? schema;
      return areOf(values, "text", "integer", "null") && kindsOf(values).every(({ kind }) => kind !== "reference");
    }),
  ),
  slugAliases: useOf("item.aliases", neededBy.slug, (schema) => areTexts(elementsOf(schema) ?? schema)),
  output: partsOfPath(useOf("the path of an output", "a string or an integer in every item", isKey)),
  path: useOf("files", "a string or a number", (schema) => areOfOne(schema, "text", "integer", "number", "null")),
};

/** The values of a filter are those of a field or of its elements, their slugs, or the names in its record. */
export const filterUse = (param: string, by: keyof typeof neededBy): FieldUse => ({
  role: `its filter ${quote(param)}`,
  mayBeWithin: true,
  problemOf(schema) {
    const values = by === "names" ? recordKeysOf(schema) : (elementsOf(schema) ?? schema);
    const isSuitable = by === "slug" ? areTexts : areOfOneSet;
    if (values === undefined || !isSuitable(values)) return `It must be ${neededBy[by]}.`;
    if (by === "slug") return undefined;
    const listedValues = listedValuesIn(values);
    const problem = valuesProblem(listedValues);
    return problem === undefined ? undefined : `${problem}${areTexts(values) ? slugHint(textsOf(listedValues)) : ""}`;
  },
});

/** A sentence if the slugs of all values can be values of a filter. */
function slugHint(texts: readonly string[]): string {
  const slugs = texts.map(slugOf);
  if (slugs.includes("") || new Set(slugs).size < slugs.length) return "";
  return ` With { field, slug: true }, the filter has the values ${listed(slugs)}.`;
}

/** References and words have no slugs. */
const areTexts = (schema: Schema): boolean => typesOf(schema).every((type) => type === "text" || type === "null");

/** Whether all values of a filter are known, or all are of one open set: one type, one vocabulary, the keys of one collection. */
function areOfOneSet(schema: Schema): boolean {
  if (!areOf(schema, "text", "integer", "boolean", "null")) return false;
  const areKnown = kindsOf(schema).every(({ kind }) => ["known", "boolean", "null"].includes(kind));
  return areKnown || new Set(["null", ...typesOf(schema)]).size <= 2;
}

const listedValuesIn = (schema: Schema): readonly unknown[] => kindsOf(schema).flatMap(listedIn);

/** Why known values of a filter cannot be parts of paths, which may ignore case. Undefined if all can be. */
export function valuesProblem(values: readonly unknown[]): string | undefined {
  const texts = textsOf(values);
  const problem = problemOfParts(texts);
  if (problem !== undefined) return problem;
  const file = texts.find((text) => valueOfFile(text) !== undefined);
  if (file !== undefined) return `${quote(file)} cannot be in a path: no value ends in .json, .json.br or .json.gz.`;
  const folded = texts.map((text) => text.toLowerCase());
  const repeated = texts.find((_, index) => folded.indexOf(folded[index] ?? "") < index);
  return repeated === undefined ? undefined : `${quote(repeated)} is there twice, as paths may ignore case.`;
}

const textsOf = (values: readonly unknown[]): readonly string[] => [...new Set(values.map(String))];

function problemOfParts(texts: readonly string[]): string | undefined {
  const invalid = texts.find((text) => !isPathPart(text));
  if (invalid === undefined) return undefined;
  if (hasOnlyTilde(invalid))
    return `${quote(invalid)} cannot be in a path: many programs send ~ as %7E. Write another character.`;
  return `${quote(invalid)} cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.`;
}
