// Describes the values that a schema accepts, as the clause after "must be …". The text of a form has precedence; the
// common kinds of schemas have words here.

import * as z from "zod";
import { joined } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import { checksOf } from "../../src/model/kinds.ts";
import { onceFor } from "../values/once.ts";

type Schema = z.core.$ZodType;

/** `a string of at least 3 characters`, `an integer from 1 to 9`, `one of a, b or c`. A thousand faults ask for the same ones. */
export const clauseOf = onceFor(
  (schema: Schema): string => z.globalRegistry.get(schema)?.description ?? plainClauseOf(schema),
);

function plainClauseOf(schema: Schema): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "nullable") return clauseOrNull(clauseOf(def.innerType));
  if ("innerType" in def) return clauseOf(def.innerType);
  switch (def.type) {
    case "string":
      return textClause(schema);
    case "number":
      return numberClause(schema);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "enum":
      return yamlChoice(Object.values(def.entries));
    case "literal":
      return yamlChoice(def.values);
    case "array":
      return `a list${amountOf(schema, "item")}`;
    case "tuple": {
      const count = `${def.items.length}${def.rest === null ? "" : " or more"} values`;
      return [`a list of ${count}`, joined(def.items.map(clauseOf), "and")].filter((text) => text !== "").join(": ");
    }
    case "object":
      return objectClause(def);
    case "record":
      return "an object";
    case "union":
      return unionClause(def);
    case "template_literal":
      return `a string that matches ${schema._zod.pattern}`;
    case "never":
      return "left out";
    default:
      return "a value";
  }
}

/** The clause for an issue that has no message of the declaration. */
export function clauseOfIssue(issue: z.core.$ZodRawIssue): string {
  const { code, schema } = issue;
  if (code === "invalid_union" && Array.isArray(issue["options"])) return yamlChoice(issue["options"]);
  const clause = schema === undefined ? "a value" : clauseOf(schema);
  if (code === "invalid_union" && issue["inclusive"] === false) return `${clause}, and only one of these`;
  if (code === "custom") return "a value that passes its check in the declaration";
  // The range of all integers is named to authors who leave it. A number with too many digits is not a number here.
  const isBeyond = typeof issue.input === "number" && !(Math.abs(issue.input) <= Number.MAX_SAFE_INTEGER);
  return isBeyond && schema !== undefined && /^an integer\b/.test(clause) ? numberClause(schema, true) : clause;
}

/** For `z.toJSONSchema`: describes texts and numbers that have no form by their clause. */
export function withClauses({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: Schema;
  jsonSchema: { description?: string };
}): void {
  const isScalar = ["string", "number", "template_literal"].includes(zodSchema._zod.def.type);
  const form = isScalar ? formClause(zodSchema) : undefined;
  if (form !== undefined) jsonSchema.description ??= form;
}

/** The form of texts and numbers; undefined if it says no more than their type. */
export function formClause(schema: Schema): string | undefined {
  const clause = clauseOf(schema);
  return ["a string", "a number", "an integer"].includes(clause) ? undefined : clause;
}

/** Null is the last alternative. */
export const clauseOrNull = (clause: string): string => (/\bnull$/.test(clause) ? clause : `${clause}, or null`);

/** Whether a message of a declaration is a sentence and does not complete "must be …". */
export const isSentence = (message: string): boolean => /^\p{Lu}\p{Ll}*(?![\p{L}\p{N}-])/u.test(message);

/** Formats that a text may have in addition to another one. They are described by their patterns. */
const patterned = /^(?:regex|starts_with|ends_with|includes|lowercase|uppercase)$/;

/** `an email address of at most 20 characters`, `a string that matches /^x/ and /y$/`. */
function textClause(schema: Schema): string {
  const formats = checksOf(schema).flatMap((check) => (check.check === "string_format" ? [check] : []));
  const named = formats.find(({ format }) => !patterned.test(format));
  const patterns = formats.filter(({ format }) => patterned.test(format)).map(({ pattern }) => String(pattern));
  const matching = patterns.length === 0 ? "" : ` that matches ${joined(patterns, "and")}`;
  return `${named === undefined ? "a string" : formatClause(named)}${amountOf(schema, "character")}${matching}`;
}

type Format = z.core.$ZodCheckStringFormatDef & Readonly<Record<string, unknown>>;

function formatClause(check: z.core.$ZodCheckStringFormatDef): string {
  const { format, protocol, hostname, precision, offset, local } = check as Format;
  switch (format) {
    case "email":
      return "an email address";
    case "url":
      if (String(protocol) === "/^https?$/") return "an http or https URL, such as https://example.com";
      if (protocol === undefined && hostname === undefined) return "a URL, such as https://example.com";
      return `a URL with the protocol ${protocol ?? "of any kind"} and the host ${hostname ?? "of any name"}`;
    case "uuid":
      return "a UUID";
    case "date":
      return "a date, such as 2026-11-20";
    case "datetime":
      return `a real date and time, such as 2026-11-20T09:00${seconds(precision)}${zone(offset, local)}`;
    case "time":
      return `a time, such as 09:00${seconds(precision)}`;
    default:
      return `a string in the format ${format}`;
  }
}

function zone(hasOffset: unknown, isLocal: unknown): string {
  if (hasOffset) return "+01:00";
  return isLocal ? "" : "Z";
}

/** Minutes are a precision of -1. Without a precision, any is accepted. */
function seconds(precision: unknown): string {
  if (typeof precision !== "number" || precision === 0) return ":00";
  return precision < 0 ? "" : `:00.${"0".repeat(precision)}`;
}

/** The bounds of a text, a number or a list: those of all of its checks. */
const boundsOf = (schema: Schema): z.core.JSONSchema.BaseSchema => z.toJSONSchema(schema, { unrepresentable: "any" });

/** ` of 3 characters`, ` of 3 to 10 items`, ` of at least 1 character`; nothing if any length is accepted. */
function amountOf(schema: Schema, noun: string): string {
  const { minLength, minItems, maxLength, maxItems } = boundsOf(schema);
  const min = minLength ?? minItems ?? 0;
  const max = maxLength ?? maxItems;
  const counted = (count: number) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  if (max === undefined) return min === 0 ? "" : ` of at least ${counted(min)}`;
  if (min === max) return ` of ${counted(max)}`;
  return min === 0 ? ` of at most ${counted(max)}` : ` of ${min} to ${counted(max)}`;
}

/** `an integer from 1 to 9`, `a number greater than 0 and of at most 1`. */
function numberClause(schema: Schema, hasRange = false): string {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = boundsOf(schema);
  const min = !hasRange && minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const max = !hasRange && maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const isRange = min !== undefined && max !== undefined;
  const rules = [
    isRange ? `from ${min} to ${max}` : undefined,
    min === undefined || isRange ? undefined : `of at least ${min}`,
    exclusiveMinimum === undefined ? undefined : `greater than ${exclusiveMinimum}`,
    max === undefined || isRange ? undefined : `of at most ${max}`,
    exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? undefined : `that is a multiple of ${multipleOf}`,
  ].filter((rule) => rule !== undefined);
  const noun = type === "integer" ? "an integer" : "a number";
  return rules.length === 0 ? noun : `${noun} ${rules.join(" and ")}`;
}

/** Names up to six of the fields that an object must have. */
function objectClause({ shape }: z.core.$ZodObjectDef): string {
  const required = Object.keys(shape).filter((name) => ownField(shape, name)?._zod.optin === undefined);
  const more = required.length - 6;
  const named = more > 1 ? [...required.slice(0, 6), `${more} more fields`] : required;
  return required.length === 0 ? "an object" : `an object with ${joined(named, "and")}`;
}

function unionClause(def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef): string {
  if ("discriminator" in def) {
    const kinds = def.options.flatMap((option) => [...(ownField(option._zod.propValues, def.discriminator) ?? [])]);
    return `an object whose ${def.discriminator} is ${yamlChoice(kinds)}`;
  }
  return eitherOf(def.options.map(clauseOf));
}

/** One clause for values that match at least one of the clauses. */
export function eitherOf(all: readonly string[]): string {
  const clauses = [...new Set(all)];
  const others = clauses.filter((clause) => clause !== "null");
  if (others.length === 0) return clauses.join();
  const isLong = others.length > 1 && others.some((clause) => clause.includes(", "));
  const clause = isLong ? others.join("; or ") : joined(others, "or");
  return others.length < clauses.length ? clauseOrNull(clause) : clause;
}

/** Words as they are written in YAML; quoted if they would read as something else. */
export function yamlChoice(values: readonly unknown[]): string {
  const distinct = [...new Set(values)].filter((value) => value !== undefined);
  const texts = distinct.map(literalText);
  if (texts.length > 2) return `one of ${joined(texts, "or")}`;
  const clause = texts.join(" or ");
  return isSentence(clause) ? distinct.map((value) => JSON.stringify(value)).join(" or ") : clause;
}

const literalText = (value: unknown): string =>
  typeof value === "string" && /^[\p{L}_][\p{L}\p{N}._/+-]*$/u.test(value) && !/^(?:true|false|null)$/.test(value)
    ? value
    : JSON.stringify(value);
