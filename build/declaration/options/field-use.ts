// Whether an option of a collection can use a field, by the types of the field's values.
import type * as z from "zod";
import { hasOnlyTilde, isPathPart } from "../../../src/model/key.ts";
import {
  elementsOf,
  fieldAt,
  isOptional,
  kindsOf,
  listedIn,
  type Schema,
  schemasIn,
} from "../../../src/model/kinds.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import type { DeclaredPart } from "../places.ts";
import type { CheckedEntry, Report } from "./group.ts";

export interface FieldUse {
  /** Completes "… cannot be used in …". */
  readonly role: string;
  /** A sentence that states the need, if the field cannot be used. */
  readonly problemOf: (schema: Schema) => string | undefined;
  /** Whether the field may be within objects and lists, named by its path. */
  readonly mayBeWithin?: boolean;
}

/** Reports a field that an option names and that does not exist, or that it cannot use. */
export function checkField(
  report: Report,
  { which, schema, faulty }: CheckedEntry,
  field: string,
  where: readonly DeclaredPart[],
  use: FieldUse,
): void {
  // The schema has a fault, which is reported.
  if (schema === undefined || faulty.has(field.replace(/[.[].*/s, "")) || faulty.has(field)) return;
  const found = use.mayBeWithin || Object.hasOwn(schema.shape, field) ? fieldAt(schema, field) : undefined;
  if (found === undefined) {
    const fields = Object.keys(schema.shape);
    const names = use.mayBeWithin ? [...fields, ...fieldsWithin(schema)] : fields;
    const suitable = names.filter((name) => {
      const named = fieldAt(schema, name);
      return named !== undefined && use.problemOf(named.schema) === undefined;
    });
    const hint = nearest(field, suitable) ?? `Its fields are ${listed(fields)}.`;
    report("no-such-name", where, `${which} has no field ${quote(field)}, which ${use.role} names.`, hint);
    return;
  }
  const problem = use.problemOf(found.schema);
  if (problem === undefined) return;
  report("unsuitable-field", where, `The field ${field} of ${which} cannot be used in ${use.role}.`, problem);
}

/** The paths of the fields within the fields of an object. */
const fieldsWithin = (schema: z.ZodObject): readonly string[] =>
  [...schemasIn(schema)].flatMap(([path, , steps]) => (steps.length > 1 ? [path] : []));

export const useOf = (role: string, needs: string, isSuitable: (schema: Schema) => boolean): FieldUse => ({
  role,
  problemOf: (schema) => (isSuitable(schema) ? undefined : `It must be ${needs}.`),
});

/** A use that also needs known values to be parts of paths. */
export function partsOfPath({ role, problemOf }: FieldUse): FieldUse {
  const problemOfValues = (schema: Schema) => problemOfParts(textsOf(listedValuesIn(elementsOf(schema) ?? schema)));
  return { role, problemOf: (schema) => problemOf(schema) ?? problemOfValues(schema) };
}

/** A use that any field suits. */
export const anyUse = (role: string): FieldUse => useOf(role, "", () => true);

/** The types of JSON, with `integer`, `reference NAME` and `words NAME` as separate types. */
export const jsonTypesIn = (schema: Schema): readonly string[] =>
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
export const areOf = (schema: Schema, ...types: readonly string[]): boolean =>
  jsonTypesIn(schema).every((type) => types.includes(basicType(type)));

/** Whether all values have one of these types, and all but null have the same, so that they can be compared. */
export const areOfOne = (schema: Schema, ...types: readonly string[]): boolean => {
  const comparable = jsonTypesIn(schema).map((type) => basicType(type).replace("integer", "number"));
  return areOf(schema, ...types) && new Set(["null", ...comparable]).size <= 2;
};

/** Whether a field names an item. */
export const isKey = (schema: Schema): boolean => !isOptional(schema) && areOfOne(schema, "text", "integer");

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean => !isOptional(schema) && areOf(schema, "text");

export const slugNeeds = "a string or a list of strings, possibly null";

/** Whether values have slugs. References and words have none. */
export const haveSlugs = (schema: Schema): boolean =>
  jsonTypesIn(schema).every((type) => type === "text" || type === "null");

export const listedValuesIn = (schema: Schema): readonly unknown[] => kindsOf(schema).flatMap(listedIn);

export const textsOf = (values: readonly unknown[]): readonly string[] => [...new Set(values.map(String))];

/** Why texts cannot be parts of paths. Undefined if all can be. */
export function problemOfParts(texts: readonly string[]): string | undefined {
  const invalid = texts.find((text) => !isPathPart(text));
  if (invalid === undefined) return undefined;
  if (hasOnlyTilde(invalid))
    return `${quote(invalid)} cannot be in a path: many programs send ~ as %7E. Write another character.`;
  return `${quote(invalid)} cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.`;
}
