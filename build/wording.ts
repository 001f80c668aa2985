// Words what a schema accepts, as the clause behind "must be …". A form's own text wins; other schemas are described by
// their definitions. Texts of zod reach nobody.
import * as z from "zod";

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
      return orNull(clauseOf(def.innerType));
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
  const clause = schema === undefined ? "a value" : clauseOf(schema);
  if (code === "invalid_union" && issue["inclusive"] === false) return `${clause}, and only one of these`;
  if (code !== "custom") return clause;
  // A check of an object may be about one of its fields.
  const isScalar = schema !== undefined && ["string", "number", "enum"].includes(schema._zod.def.type);
  return `${isScalar ? clause : "a value"} that passes its check in the declaration`;
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
  if (!isScalar || jsonSchema.description !== undefined) return;
  const clause = plainClauseOf(zodSchema);
  if (!plainTypes.has(clause)) jsonSchema.description = clause;
}

/** Clauses that say no more than the type. */
const plainTypes: ReadonlySet<string> = new Set(["a text", "a number", "an integer"]);

/** Null is the last alternative. */
export const orNull = (clause: string): string => (/\bnull$/.test(clause) ? clause : `${clause}, or null`);

/** Whether a message of a declaration is a sentence and does not complete "must be …". */
export const isSentence = (message: string): boolean => /^\p{Lu}\p{Ll}*(?![\p{L}\p{N}-])/u.test(message);

type Check = z.core.$ZodChecks["_zod"]["def"];

/** The checks of a schema. A format such as `z.email()` is a check of itself. */
function checksOf(schema: Schema): readonly Check[] {
  const { def } = schema._zod;
  const own = "check" in def ? [def as unknown as Check] : [];
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as Check)];
}

function textClause(schema: Schema): string {
  let format: string | undefined;
  const more: string[] = [];
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") least = Math.max(least, check.minimum);
    if (check.check === "max_length") most = Math.min(most, check.maximum);
    if (check.check === "length_equals") [least, most] = [check.length, check.length];
    if (check.check !== "string_format") continue;
    const rule = ruleOf(check);
    if (rule !== undefined) more.push(rule);
    else if (format === undefined) format = formatClause(check);
    else more.push(`is ${formatClause(check)}`);
  }
  const length = least === 0 && most === Number.POSITIVE_INFINITY ? [] : [`of ${amount(least, most, characters)}`];
  const rules = more.length === 0 ? [] : [`that ${joined(more, "and")}`];
  return [format ?? "a text", ...length, ...rules].join(" ");
}

const characters = ["character", "characters"] as const;

type Format = Extract<Check, { readonly check: "string_format" }>;

/** The rule of a format that any text may have. It completes "a text that …". */
function ruleOf(check: Format): string | undefined {
  const { format, pattern, prefix, suffix, includes } = check as Format & Readonly<Record<string, unknown>>;
  switch (format as string) {
    case "regex":
      return `matches ${pattern}`;
    case "starts_with":
      return `starts with ${JSON.stringify(prefix)}`;
    case "ends_with":
      return `ends with ${JSON.stringify(suffix)}`;
    case "includes":
      return `contains ${JSON.stringify(includes)}`;
    case "lowercase":
      return "has no capital letters";
    case "uppercase":
      return "has no lowercase letters";
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, string>> = {
  email: "an email address",
  emoji: "emoji",
  guid: "a GUID, such as 9b2f8a1e-5c7d-4e3f-a6b0-1c2d3e4f5a6b",
  nanoid: "a Nano ID of 21 letters, digits, underscores and hyphens",
  cuid: "a CUID",
  cuid2: "a CUID2",
  ulid: "a ULID",
  xid: "an XID",
  ksuid: "a KSUID",
  date: "a date, such as 2026-11-20",
  duration: "an ISO 8601 duration, such as P1DT12H",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  mac: "a MAC address",
  cidrv4: "a range of IPv4 addresses, such as 10.0.0.0/8",
  cidrv6: "a range of IPv6 addresses, such as 2001:db8::/32",
  base64: "a text in Base64",
  base64url: "a text in Base64 for URLs",
  json_string: "a text of JSON",
  e164: "a telephone number with its country code, such as +442071838750",
  credit_card: "a credit card number",
  iban: "an IBAN",
  jwt: "a JSON Web Token",
  hostname: "a host's name, such as example.com",
  hex: "hexadecimal digits",
};

/** A format that says everything about a text. */
function formatClause(check: Format): string {
  const { format, version, protocol, hostname, precision, offset, local, alg } = check as Format &
    Readonly<Record<string, unknown>>;
  switch (format as string) {
    case "uuid":
      return typeof version === "string" ? `a UUID of version ${version.slice(1)}` : "a UUID";
    case "url":
      return urlClause(protocol, hostname);
    case "datetime":
      return `a real date and time${precisionText(precision)}, such as 2026-11-20T09:00${secondsText(precision)}${local === true ? "" : offset === true ? "+01:00" : "Z"}`;
    case "time":
      return `a time${precisionText(precision)}, such as 09:00${secondsText(precision)}`;
    case "jwt":
      return typeof alg === "string" ? `a JSON Web Token signed with ${alg}` : "a JSON Web Token";
    default:
      return formats[format] ?? `a text in the format ${format}`;
  }
}

function urlClause(protocol: unknown, hostname: unknown): string {
  const isWeb = protocol instanceof RegExp && protocol.source === "^https?$";
  const more = [
    ...(protocol instanceof RegExp && !isWeb ? [`its protocol matches ${protocol}`] : []),
    ...(hostname instanceof RegExp && !isWeb ? [`its host's name matches ${hostname}`] : []),
  ];
  const url = isWeb ? "an http or https URL" : "a URL";
  return more.length === 0 ? `${url}, such as https://example.com` : `${url}: ${joined(more, "and")}`;
}

/** Minutes are a precision of -1. Without a precision, any is accepted. */
const precisionText = (precision: unknown): string =>
  typeof precision !== "number"
    ? ""
    : precision < 0
      ? " to the minute"
      : precision === 0
        ? " to the second"
        : ` with ${counted(precision, ["decimal", "decimals"])} of a second`;

const secondsText = (precision: unknown): string =>
  typeof precision !== "number" || precision === 0 ? ":00" : precision < 0 ? "" : `:00.${"0".repeat(precision)}`;

function numberClause(schema: Schema): string {
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
    if (check.format === "safeint") continue;
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
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") least = Math.max(least, check.minimum);
    if (check.check === "max_length") most = Math.min(most, check.maximum);
    if (check.check === "length_equals") [least, most] = [check.length, check.length];
  }
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
  return others.length < clauses.length ? orNull(all) : all;
}

/** Words as they are written in YAML; quoted if they would read as something else. */
function choiceOf(values: readonly unknown[]): string {
  const texts = [...new Set(values)].filter((value) => value !== undefined).map(literalText);
  return texts.length > 2 ? `one of ${joined(texts, "or")}` : texts.join(" or ");
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

/** `3 characters`, `3 to 10 characters`, `at least 1 character`. */
function amount(least: number, most: number, names: readonly [one: string, many: string]): string {
  if (least === most) return counted(least, names);
  if (most === Number.POSITIVE_INFINITY) return `at least ${counted(least, names)}`;
  return least === 0 ? `at most ${counted(most, names)}` : `${least} to ${counted(most, names)}`;
}

const counted = (count: number, [one, many]: readonly [one: string, many: string]): string =>
  `${count} ${count === 1 ? one : many}`;

function joined(texts: readonly string[], word: "and" | "or"): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} ${word} ${last}`;
}
