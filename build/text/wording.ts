// Describes the values that a schema accepts, as the clause after "must be …". The text of a form has precedence; other
// schemas are described by their definitions. Zod's texts are never shown.
import * as z from "zod";
import { checksOf } from "../../src/kinds.ts";
import { amount, joined, lengthsOf, textClause } from "./wording-of-texts.ts";

type Schema = z.core.$ZodType;

/** `a text of at least 3 characters`, `an integer from 1 to 9`, `one of a, b or c`. */
export function clauseOf(schema: Schema): string {
  return z.globalRegistry.get(schema)?.description ?? plainClauseOf(schema);
}

function plainClauseOf(schema: Schema): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
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
      return choiceOf(Object.values(def.entries));
    case "literal":
      return choiceOf(def.values);
    case "array":
      return listClause(schema, def.element);
    case "tuple":
      return tupleClause(def.items, def.rest);
    case "object":
      return objectClause(schema);
    case "record":
      return ["a record", ...ofMany(def.valueType)].join(" ");
    case "union":
      return unionClause(def);
    case "nullable":
      return clauseOrNull(clauseOf(def.innerType));
    case "optional":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return clauseOf(def.innerType);
    case "template_literal":
      return `a text that matches ${schema._zod.pattern}`;
    case "never":
      return "left out";
    default:
      return "a value";
  }
}

/** The clause for an issue that has no message of the declaration. */
export function clauseOfIssue({ code, schema, ...issue }: z.core.$ZodRawIssue): string {
  if (code === "invalid_union" && Array.isArray(issue["options"])) return choiceOf(issue["options"]);
  const clause = schema === undefined ? "a value" : clauseOfInput(schema, issue.input);
  if (code === "invalid_union" && issue["inclusive"] === false) return `${clause}, and only one of these`;
  if (code !== "custom") return clause;
  // A check of an object may be about one of its fields.
  const isScalar = schema !== undefined && ["string", "number", "enum"].includes(schema._zod.def.type);
  return `${isScalar ? clause : "a value"} that passes its check in the declaration`;
}

/** Names the range of integers only to an author whose integer is beyond it. */
function clauseOfInput(schema: Schema, input: unknown): string {
  const clause = clauseOf(schema);
  const isBeyond = typeof input === "number" && !Number.isSafeInteger(input) && !(Math.abs(input) < 2 ** 53);
  const isOwn = schema._zod.def.type === "number" && clause === numberClause(schema);
  return isBeyond && isOwn ? numberClause(schema, true) : clause;
}

/** For `z.toJSONSchema`: describes texts and numbers that have no form by their clause. */
export function withClauses({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: Schema;
  jsonSchema: { description?: string };
}): void {
  const { type } = zodSchema._zod.def;
  const isScalar = type === "string" || type === "number" || type === "template_literal";
  const form = isScalar ? formOf(zodSchema) : undefined;
  if (form !== undefined) jsonSchema.description ??= form;
}

/** The form of texts and numbers; undefined if it says no more than their type. */
export function formOf(schema: Schema): string | undefined {
  const clause = clauseOf(schema);
  return plainTypes.has(clause) ? undefined : clause;
}

/** Clauses that say no more than the type. */
const plainTypes: ReadonlySet<string> = new Set(["a text", "a number", "an integer"]);

/** Null is the last alternative. */
export const clauseOrNull = (clause: string): string => (/\bnull$/.test(clause) ? clause : `${clause}, or null`);

/** Whether a message of a declaration is a sentence and does not complete "must be …". */
export const isSentence = (message: string): boolean => /^\p{Lu}\p{Ll}*(?![\p{L}\p{N}-])/u.test(message);

function numberClause(schema: Schema, hasRange = false): string {
  let isInteger = false;
  let least: Bound = { value: Number.NEGATIVE_INFINITY, inclusive: true };
  let most: Bound = { value: Number.POSITIVE_INFINITY, inclusive: true };
  const divisors: string[] = [];
  const atLeast = (bound: Bound) => {
    if (bound.value > least.value || (bound.value === least.value && !bound.inclusive)) least = bound;
  };
  const atMost = (bound: Bound) => {
    if (bound.value < most.value || (bound.value === most.value && !bound.inclusive)) most = bound;
  };
  for (const check of checksOf(schema)) {
    if (check.check === "multiple_of") divisors.push(String(check.value));
    if (check.check === "greater_than") atLeast({ value: Number(check.value), inclusive: check.inclusive });
    if (check.check === "less_than") atMost({ value: Number(check.value), inclusive: check.inclusive });
    if (check.check !== "number_format") continue;
    isInteger ||= !check.format.startsWith("float");
    const [from, to] = z.core.util.NUMBER_FORMAT_RANGES[check.format];
    if (check.format === "safeint" && !hasRange) continue;
    atLeast({ value: from, inclusive: true });
    atMost({ value: to, inclusive: true });
  }
  const rule = divisors.length === 0 ? [] : [`that is a multiple of ${joined(divisors, "and")}`];
  return [isInteger ? "an integer" : "a number", ...boundsText(least, most), ...rule].join(" ");
}

interface Bound {
  readonly value: number;
  readonly inclusive: boolean;
}

function boundsText(least: Bound, most: Bound): readonly string[] {
  const [isOpen, isEndless] = [!Number.isFinite(least.value), !Number.isFinite(most.value)];
  if (!isOpen && !isEndless && least.inclusive && most.inclusive) return [`from ${least.value} to ${most.value}`];
  const from = least.inclusive ? `of at least ${least.value}` : `greater than ${least.value}`;
  const to = most.inclusive ? `of at most ${most.value}` : `less than ${most.value}`;
  const bounds = [...(isOpen ? [] : [from]), ...(isEndless ? [] : [to])];
  return bounds.length === 0 ? [] : [bounds.join(" and ")];
}

/** `a list of texts`, `a list of 2 to 4 texts`. */
function listClause(schema: Schema, element: Schema): string {
  const [least, most] = lengthsOf(schema);
  if (least === 0 && most === Number.POSITIVE_INFINITY) return ["a list", ...ofMany(element)].join(" ");
  return `a list of ${amount(least, most, namesOf(element) ?? ["item", "items"])}`;
}

function tupleClause(items: readonly Schema[], rest: Schema | null): string {
  const required = items.filter(({ _zod }) => _zod.optin === undefined).length;
  const most = rest === null ? items.length : Number.POSITIVE_INFINITY;
  const all = [...items, ...(rest === null ? [] : [rest])];
  const names = new Set(all.map((each) => namesOf(each)?.[0]));
  const [first] = all;
  const alike = names.size === 1 && first !== undefined ? namesOf(first) : undefined;
  const length = amount(required, most, alike ?? ["value", "values"]);
  if (alike !== undefined) return `a list of ${length}`;
  const then = rest === null ? "" : `, and then ${namesOf(rest)?.[1] ?? "further values"}`;
  return `a list of ${length}: ${joined(items.map(clauseOf), "and")}${then}`;
}

/** More names than these are counted. */
const mostNames = 6;

function objectClause(schema: Schema): string {
  if (!(schema instanceof z.ZodObject)) return "an object";
  const fields = Object.entries(schema.shape);
  const required = fields.filter(([, field]) => field._zod.optin === undefined);
  const names = (required.length > 0 ? required : fields).map(([name]) => name);
  if (names.length === 0) return "an object";
  const more = names.length - mostNames;
  const shown = more > 1 ? [...names.slice(0, mostNames), `${more} more fields`] : names;
  return `an object with ${joined(shown, required.length > 0 ? "and" : "or")}`;
}

type Union = z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef;

function unionClause(def: Union): string {
  if ("discriminator" in def) {
    const kinds = def.options.flatMap((option) => [...(option._zod.propValues?.[def.discriminator] ?? [])]);
    return `an object whose ${def.discriminator} is ${choiceOf(kinds)}`;
  }
  const clauses = [...new Set(def.options.map(clauseOf))];
  const others = clauses.filter((clause) => clause !== "null");
  const all =
    others.length > 1 && others.some((clause) => clause.includes(", ")) ? others.join("; or ") : joined(others, "or");
  return others.length < clauses.length ? clauseOrNull(all) : all;
}

/** Words as they are written in YAML; quoted if they would read as something else. */
function choiceOf(values: readonly unknown[]): string {
  const known = [...new Set(values)].filter((value) => value !== undefined);
  const texts = known.map(literalText);
  if (texts.length > 2) return `one of ${joined(texts, "or")}`;
  const clause = texts.join(" or ");
  return isSentence(clause) ? known.map((value) => JSON.stringify(value)).join(" or ") : clause;
}

const literalText = (value: unknown): string =>
  typeof value === "string" && /^[\p{L}_][\p{L}\p{N}._/+-]*$/u.test(value) && !/^(?:true|false|null)$/.test(value)
    ? value
    : JSON.stringify(value);

/** The names of one and of several values of a schema, if a plain word says what they are. */
function namesOf(schema: Schema): readonly [one: string, many: string] | undefined {
  if (z.globalRegistry.get(schema)?.description !== undefined) return undefined;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return checksOf(schema).length === 0 ? ["text", "texts"] : undefined;
    case "number":
      return namesOfNumbers[plainClauseOf(schema)];
    case "boolean":
      return ["boolean", "booleans"];
    case "array":
    case "tuple":
      return ["list", "lists"];
    case "object":
      return ["object", "objects"];
    case "record":
      return ["record", "records"];
    default:
      return undefined;
  }
}

const namesOfNumbers: Readonly<Record<string, readonly [string, string]>> = {
  "a number": ["number", "numbers"],
  "an integer": ["integer", "integers"],
};

function ofMany(schema: Schema): readonly string[] {
  const names = namesOf(schema);
  return names === undefined ? [] : [`of ${names[1]}`];
}
