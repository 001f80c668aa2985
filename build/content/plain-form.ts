// Validates lines of large NDJSON files quickly. A line is plain if it equals the line that stillapi would write for
// its item. A plain line is not parsed; its item is valid if each of its values is. The pattern of plain lines and the
// checks of their values are derived from the resource's zod schema; a schema with rules that cannot be derived has no
// plain form. A line that is not plain may still be valid: zod decides. plain-form.test.ts compares the two ways.
import * as z from "zod";
import { isJsonPattern } from "../../src/json-pattern.ts";
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
  const values = membersOf(schema.shape, (field) => plainValue(field, "("));
  if (values === undefined) return undefined;
  const fields = values.map(({ name }) => name);
  const groupOf = (field: string) => fields.indexOf(field) + 1;
  const tests = values.flatMap(({ name, test }) => {
    const rule = rules.get(name);
    const all = [...(test === undefined ? [] : [test]), ...(rule === undefined ? [] : [meets(rule)])];
    return all.map((each) => ({ group: groupOf(name), test: each }));
  });
  const orders = notBefore.map(({ field, than }) => ({ later: groupOf(field), earlier: groupOf(than) }));
  return {
    fields,
    line: new RegExp(`${objectOf(values)}(?:\\r?\\n|$)`, "y"),
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
  /** A regular expression. The outermost value of a field has one group, which does not participate in a match of null. */
  readonly text: string;
  readonly test: ((value: string) => boolean) | undefined;
}

interface Member extends PlainValue {
  readonly name: string;
  readonly isOptional: boolean;
}

/** Undefined if a field has no plain form. */
function membersOf(
  shape: z.core.$ZodShape,
  valueFor: (field: z.core.$ZodType) => PlainValue | undefined,
): readonly Member[] | undefined {
  const members: Member[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const isOptional = field instanceof z.ZodOptional;
    const value = valueFor(isOptional ? field.unwrap() : field);
    // The first member has no comma in front. Objects of JavaScript have integers as names first, in their order.
    if (value === undefined || (isOptional && members.length === 0)) return undefined;
    if (!plainText.test(name) || /^\d+$/.test(name) || name === "__proto__") return undefined;
    members.push({ name, isOptional, ...value });
  }
  return members;
}

/** ASCII that JSON does not escape. */
const plainText = /^[ !#-[\]-~]*$/;

const objectOf = (members: readonly Member[]): string => {
  const texts = members.map(({ name, isOptional, text }, index) => {
    const member = `${index === 0 ? "" : ","}"${literally(name)}":${text}`;
    return isOptional ? `(?:${member})?` : member;
  });
  return `\\{${texts.join("")}\\}`;
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** The start of the group of a value. */
type Group = "(" | "(?:";

/** Undefined if some rule of the schema cannot be derived. `lists` is the number of lists around the value. */
function plainValue(field: z.core.$ZodType, group: Group, lists = 0): PlainValue | undefined {
  const { def } = (field as z.core.$ZodTypes)._zod;
  switch (def.type) {
    // A line without the field is not plain.
    case "default":
    case "readonly":
      return plainValue(def.innerType, group, lists);
    case "nullable":
      return orNull(plainValue(def.innerType, group, lists));
    case "union": {
      const [own, nothing, ...others] = def.options;
      const isNullable = nothing instanceof z.ZodNull && others.length === 0;
      return own !== undefined && isNullable ? orNull(plainValue(own, group, lists)) : undefined;
    }
    case "literal": {
      const values = def.values.filter((value) => typeof value === "string" && plainText.test(value)).map(String);
      if (values.length < def.values.length) return undefined;
      return { text: `"${group}${values.map(literally).join("|")})"`, test: undefined };
    }
    case "array": {
      const most = mostOthers[lists];
      const element = plainValue(def.element, "(?:", lists + 1);
      if (most === undefined || element === undefined) return undefined;
      return composite(field, `\\[(?:${element.text}(?:,${element.text}){0,${most}})?\\]`, [element], group);
    }
    case "tuple": {
      const items = def.rest === null ? def.items.map((item) => plainValue(item, "(?:", lists)) : [undefined];
      const known = items.filter((item) => item !== undefined);
      if (known.length < items.length) return undefined;
      return composite(field, `\\[${known.map(({ text }) => text).join(",")}\\]`, known, group);
    }
    case "object": {
      const members = membersOf(def.shape, (inner) => plainValue(inner, "(?:", lists));
      return members && composite(field, objectOf(members), members, group);
    }
    default:
      return isOfForms(field) ? plainScalar(z.toJSONSchema(field), group) : undefined;
  }
}

/**
 * The elements of a list, and of a list in a list, that follow the first one. Lines with longer lists are parsed: their
 * match would need too much of the stack.
 */
const mostOthers: readonly number[] = [999, 99];

const orNull = (value: PlainValue | undefined): PlainValue | undefined =>
  value && { text: `(?:null|${value.text})`, test: value.test };

/** A value with others in it. Rules that a pattern does not express are left to zod. */
function composite(
  field: z.core.$ZodType,
  pattern: string,
  parts: readonly PlainValue[],
  group: Group,
): PlainValue | undefined {
  const checks = (field._zod.def.checks ?? []).map(({ _zod }) => _zod.def.check);
  if (!checks.every((check) => /^(?:min_length|max_length|length_equals)$/.test(check))) return undefined;
  const isWhole = checks.length === 0 && parts.every(({ test }) => test === undefined);
  const test = (text: string) => z.safeParse(field, JSON.parse(text)).success;
  return { text: `${group}${pattern})`, test: isWhole ? undefined : test };
}

function plainScalar(
  { $schema: _, description: __, ...asked }: z.core.JSONSchema.BaseSchema,
  group: Group,
): PlainValue | undefined {
  switch (asked.type) {
    case "boolean":
      return { text: `${group}true|false)`, test: undefined };
    case "integer":
    case "number":
      return plainNumber(asked, group);
    case "string":
      return plainString(asked, group);
    default:
      return undefined;
  }
}

/** Numbers of at most 15 digits, which JSON represents exactly; lines with longer ones are parsed. */
const integers = "0|-?[1-9][0-9]{0,14}";
const decimals = "0|-?[1-9][0-9]{0,8}|-?(?:0|[1-9][0-9]{0,8})\\.[0-9]{0,5}[1-9]";

function plainNumber(
  { type, minimum, maximum, ...more }: z.core.JSONSchema.BaseSchema,
  group: Group,
): PlainValue | undefined {
  if (Object.keys(more).length > 0) return undefined;
  const isInteger = type === "integer";
  const [isOpen, isEndless] = isInteger
    ? [minimum === Number.MIN_SAFE_INTEGER, maximum === Number.MAX_SAFE_INTEGER]
    : [minimum === undefined, maximum === undefined];
  if (isInteger && isEndless && minimum === 0) return { text: `${group}0|[1-9][0-9]{0,14})`, test: undefined };
  if (isInteger && isEndless && minimum === 1) return { text: `${group}[1-9][0-9]{0,14})`, test: undefined };
  const text = `${group}${isInteger ? integers : decimals})`;
  if (isOpen && isEndless) return { text, test: undefined };
  const [least, most] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
  return { text, test: (value) => Number(value) >= least && Number(value) <= most };
}

/** One character of `plainText`. */
const plainCharacter = "[ !#-\\[\\]-~]";

/** Fewer words are alternatives within a list or object. */
const fewWords = 50;

function plainString(
  { enum: words, pattern, type, format, minLength, maxLength, ...more }: z.core.JSONSchema.BaseSchema,
  group: Group,
): PlainValue | undefined {
  if (Object.keys(more).length > 0) return undefined;
  if (words !== undefined) {
    const isInner = group === "(?:" && words.length < fewWords;
    if (isInner) return { text: `"(?:${words.map((word) => literally(String(word))).join("|")})"`, test: undefined };
    const known = new Set<unknown>(words);
    return { text: `"${group}${plainCharacter}*)"`, test: (value) => known.has(value) };
  }
  const [least, most] = [minLength ?? 0, maxLength ?? Number.POSITIVE_INFINITY];
  if (least > most) return undefined;
  const hasLength = minLength !== undefined || maxLength !== undefined;
  if (pattern === undefined) {
    if (format !== undefined) return undefined;
    const length = hasLength ? `{${minLength ?? 0},${maxLength ?? ""}}` : "*";
    return { text: `"${group}${plainCharacter}${length})"`, test: undefined };
  }
  const inner = plainPattern.exec(pattern)?.[1];
  if (inner !== undefined && !hasLength) return { text: `"${group}(?:${inner}))"`, test: undefined };
  const valid = new RegExp(pattern, "u");
  return {
    text: `"${group}${plainCharacter}*)"`,
    test: (value) => value.length >= least && value.length <= most && valid.test(value),
  };
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
  [...("check" in field._zod.def ? [field] : []), ...(field._zod.def.checks ?? [])].every(({ _zod }) =>
    isOfJsonSchema(_zod.def as z.core.$ZodChecks["_zod"]["def"]),
  );

/** A JSON schema has no more than the pattern of a format. */
function isOfJsonSchema(check: z.core.$ZodChecks["_zod"]["def"]): boolean {
  if (check.check !== "string_format") return ruleChecks.has(check.check);
  return patternFormats.has(check.format) && (check.pattern === undefined || isJsonPattern(check.pattern));
}

const ruleChecks: ReadonlySet<string> = new Set([
  ...["number_format", "greater_than", "less_than"],
  ...["min_length", "max_length", "length_equals"],
]);

const patternFormats: ReadonlySet<string> = new Set([
  ...["regex", "lowercase", "uppercase", "starts_with", "ends_with"],
  ...["datetime", "date", "time", "email", "uuid"],
]);
