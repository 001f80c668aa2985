// Validates lines of large NDJSON files quickly. A line is plain if it equals the line that stillapi would write for
// its item. A plain line is not parsed; its item is valid if each of its values is. The pattern of plain lines and the
// checks of their values are derived from the resource's zod schema; a schema with rules that cannot be derived has no
// plain form. A line that is not plain may still be valid: zod decides. plain-form.test.ts compares the two ways.
import * as z from "zod";
import type { Resource } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { PathRule } from "./path-parts.ts";

export interface PlainForm {
  /** Field names in the order of the groups of `line`. */
  readonly fields: readonly string[];
  /**
   * Matches a line and its line end at `lastIndex`. Each value is a group, without its quotes; null and omitted fields
   * are undefined.
   */
  readonly line: RegExp;
  /** Whether the values of a match are valid. */
  readonly accepts: (match: readonly string[]) => boolean;
}

/** A line with a value that `rules` refuse is not plain. */
export function plainForm(
  resource: Resource,
  vocabulary: Vocabulary,
  rules: ReadonlyMap<string, PathRule> = new Map(),
): PlainForm | undefined {
  const { schema: schemaFor, innerReferences, notBefore = [] } = resource;
  if (innerReferences.length > 0) return undefined;
  const schema = schemaFor(vocabulary);
  if (!(schema instanceof z.ZodObject) || (schema.def.checks ?? []).length !== notBefore.length) return undefined;
  const { properties = {} } = z.toJSONSchema(schema);
  const values = Object.entries(schema.shape).flatMap(([name, field], index) => {
    const isOptional = field instanceof z.ZodOptional;
    // The first member has no comma in front.
    if (!/^[a-z_]+$/.test(name) || (isOptional && index === 0)) return [];
    const value = plainValue(isOptional ? field.unwrap() : field, properties[name]);
    return value === undefined ? [] : [{ name, isOptional, ...value }];
  });
  const fields = values.map(({ name }) => name);
  if (fields.length !== Object.keys(schema.shape).length) return undefined;
  const members = values.map(({ name, isOptional, text }, index) => {
    const member = `${index === 0 ? "" : ","}"${name}":${text}`;
    return isOptional ? `(?:${member})?` : member;
  });
  const groupOf = (field: string) => fields.indexOf(field) + 1;
  const tests = values.flatMap(({ name, test }) => {
    const rule = rules.get(name);
    const all = [...(test === undefined ? [] : [test]), ...(rule === undefined ? [] : [meets(rule)])];
    return all.map((each) => ({ group: groupOf(name), test: each }));
  });
  const orders = notBefore.map(({ field, than }) => ({ later: groupOf(field), earlier: groupOf(than) }));
  return {
    fields,
    line: new RegExp(`\\{${members.join("")}\\}(?:\\r?\\n|$)`, "y"),
    accepts(match) {
      for (const { group, test } of tests) {
        const value = match[group];
        if (value !== undefined && !test(value)) return false;
      }
      return !orders.some(({ later, earlier }) => isBefore(match[later], match[earlier]));
    },
  };
}

const meets =
  (rule: PathRule) =>
  (value: string): boolean =>
    rule(value) === undefined;

const isBefore = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one < other;

interface PlainValue {
  /** A regular expression with one group, which does not participate in a match of null. */
  readonly text: string;
  readonly test: ((value: string) => boolean) | undefined;
}

type JsonSchema = z.core.JSONSchema._JSONSchema;

/** Undefined if the JSON schema of a field may not express all rules of its zod schema. */
function plainValue(field: z.core.$ZodType, form: JsonSchema | undefined): PlainValue | undefined {
  if (typeof form !== "object") return undefined;
  const { description, default: _, ...asked } = form;
  // A line without the field is not plain.
  if (field instanceof z.ZodDefault) return plainValue(field.unwrap(), asked);
  if (field instanceof z.ZodUnion) return plainOrNull(field, asked);
  if (!isOfForms(field)) return undefined;
  switch (asked.type) {
    case "boolean":
      return { text: "(true|false)", test: undefined };
    case "integer":
    case "number":
      return plainNumber(asked);
    case "string":
      return plainString(asked);
    default:
      return undefined;
  }
}

function plainOrNull({ options: [own, nothing, ...others] }: z.ZodUnion, form: JsonSchema): PlainValue | undefined {
  if (own === undefined || !(nothing instanceof z.ZodNull) || others.length > 0) return undefined;
  const value = plainValue(own, form === true || form === false ? undefined : form.anyOf?.[0]);
  return value && { text: `(?:null|${value.text})`, test: value.test };
}

/** Numbers of at most 15 digits, which JSON represents exactly; lines with longer ones are parsed. */
const integers = "0|-?[1-9][0-9]{0,14}";
const decimals = "0|-?[1-9][0-9]{0,8}|-?(?:0|[1-9][0-9]{0,8})\\.[0-9]{0,5}[1-9]";

function plainNumber({ type, minimum, maximum, ...more }: z.core.JSONSchema.BaseSchema): PlainValue | undefined {
  if (Object.keys(more).length > 0 || minimum === undefined || maximum === undefined) return undefined;
  const isSize = type === "integer" && maximum === Number.MAX_SAFE_INTEGER;
  if (isSize && minimum === 0) return { text: "(0|[1-9][0-9]{0,14})", test: undefined };
  if (isSize && minimum === 1) return { text: "([1-9][0-9]{0,14})", test: undefined };
  const test = (value: string) => Number(value) >= minimum && Number(value) <= maximum;
  return { text: `(${type === "integer" ? integers : decimals})`, test };
}

/** ASCII that JSON does not escape. */
const plainText = '"([ !#-\\[\\]-~]*)"';

function plainString({
  enum: words,
  pattern,
  type,
  format,
  ...more
}: z.core.JSONSchema.BaseSchema): PlainValue | undefined {
  if (Object.keys(more).length > 0) return undefined;
  if (words !== undefined) {
    const known = new Set<unknown>(words);
    return { text: plainText, test: (value) => known.has(value) };
  }
  if (pattern === undefined) return undefined;
  const inner = plainPattern.exec(pattern)?.[1];
  if (inner !== undefined) return { text: `"((?:${inner}))"`, test: undefined };
  const valid = new RegExp(pattern, "u");
  return { text: plainText, test: (value) => valid.test(value) };
}

/**
 * Accepts patterns that are anchored and match plain text only: characters, classes, non-capturing groups and
 * quantifiers. They become parts of the line's pattern, which takes half the time of separate tests.
 */
const plainPattern =
  /^\^((?:[A-Za-z0-9_:-]|\\[d.]|\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_])+-?\]|\(\?:|[)|*+?]|\{\d+(?:,\d*)?\})*)\$$/;

/** Whether a schema has only forms and bounds, which a JSON schema can express, and transforms nothing. */
const isOfForms = (field: z.core.$ZodType): boolean =>
  ["string", "number", "boolean", "enum"].includes(field._zod.def.type) &&
  (field._zod.def.checks ?? []).every(({ _zod }) =>
    ["string_format", "number_format", "greater_than", "less_than"].includes(_zod.def.check),
  );
