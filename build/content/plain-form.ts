// The short way to a valid item, for the lines of large NDJSON files. A line is plain if it is, to the byte, what this
// program would write for its item: then nothing need be parsed, and the item is valid if each of its values is. What
// a plain line looks like, and which values are valid, is derived from the resource's zod schema; where a schema asks
// for more than can be derived there is no short way. A line that is not plain is not wrong: zod has the say on it.
// plain-form.test.ts holds the two ways against each other.
import * as z from "zod";
import type { Resource } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";

export interface PlainForm {
  /** The names of the fields, in the order of the groups of `line`. */
  readonly fields: readonly string[];
  /** Matches a line with its end at its `lastIndex`, and each value without its quotes as a group. */
  readonly line: RegExp;
  /** Whether the values of a match are valid. */
  readonly accepts: (match: readonly string[]) => boolean;
}

export function plainForm(resource: Resource, vocabulary: Vocabulary): PlainForm | undefined {
  const { schema: schemaFor, notBefore = [] } = resource;
  const schema = schemaFor(vocabulary);
  if (!(schema instanceof z.ZodObject) || (schema.def.checks ?? []).length !== notBefore.length) return undefined;
  const { properties = {} } = z.toJSONSchema(schema);
  const values = Object.entries(schema.shape).flatMap(
    ([name, field]) => plainValue(name, field, properties[name]) ?? [],
  );
  const fields = values.map(({ name }) => name);
  if (fields.length !== Object.keys(schema.shape).length) return undefined;
  const members = values.map(({ name, text }) => `"${name}":${text}`);
  const groupOf = (field: string) => fields.indexOf(field) + 1;
  const tests = values.flatMap(({ name, test }) => (test === undefined ? [] : [{ group: groupOf(name), test }]));
  const orders = notBefore.map(({ field, than }) => ({ later: groupOf(field), earlier: groupOf(than) }));
  return {
    fields,
    line: new RegExp(`\\{${members.join(",")}\\}(?:\\r?\\n|$)`, "y"),
    accepts(match) {
      for (const { group, test } of tests) if (!test(match[group] ?? "")) return false;
      for (const { later, earlier } of orders) if ((match[later] ?? "") < (match[earlier] ?? "")) return false;
      return true;
    },
  };
}

interface PlainValue {
  readonly name: string;
  /** A regular expression with one group. */
  readonly text: string;
  readonly test: ((value: string) => boolean) | undefined;
}

/** ASCII that JSON holds as it is. */
const plainString = '"([ !#-\\[\\]-~]*)"';

/** Fewer digits than the integers that JSON carries exactly may have; longer ones go the long way. */
const plainInteger = "(0|[1-9][0-9]{0,14})";
const plainPositive = "([1-9][0-9]{0,14})";

/** Undefined where the JSON schema of a field may not be all that its zod schema asks for. */
function plainValue(
  name: string,
  field: z.core.$ZodType,
  form: z.core.JSONSchema._JSONSchema | undefined,
): PlainValue | undefined {
  if (!/^[a-z_]+$/.test(name) || typeof form !== "object" || !isOfForms(field)) return undefined;
  const { type, enum: words, pattern, minimum, maximum, format, description, ...more } = form;
  if (Object.keys(more).length > 0) return undefined;
  if (type === "integer" && maximum === Number.MAX_SAFE_INTEGER) {
    if (minimum === 0) return { name, text: plainInteger, test: undefined };
    if (minimum === 1) return { name, text: plainPositive, test: undefined };
  }
  if (type !== "string") return undefined;
  if (words !== undefined) {
    const known = new Set<unknown>(words);
    return { name, text: plainString, test: (value) => known.has(value) };
  }
  if (pattern === undefined) return undefined;
  const valid = new RegExp(pattern, "u");
  return { name, text: plainString, test: (value) => valid.test(value) };
}

/** Whether all that a schema checks is forms and bounds, which a JSON schema can say, and nothing is changed by it. */
const isOfForms = (field: z.core.$ZodType): boolean =>
  ["string", "number", "enum"].includes(field._zod.def.type) &&
  checksOf(field).every(({ _zod }) => ["string_format", "number_format", "greater_than"].includes(_zod.def.check));

const checksOf = (field: z.core.$ZodType): readonly z.core.$ZodCheck[] => field._zod.def.checks ?? [];
