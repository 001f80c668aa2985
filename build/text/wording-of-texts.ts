// Words the rules of a text: its length, its format and its patterns.
import type * as z from "zod";
import { type Check, checksOf } from "../../src/kinds.ts";

export function textClause(schema: z.core.$ZodType): string {
  let format: string | undefined;
  const more: string[] = [];
  const [least, most] = lengthsOf(schema);
  for (const check of checksOf(schema)) {
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
  const rules: Readonly<Record<string, string>> = {
    regex: `matches ${pattern}`,
    starts_with: `starts with ${JSON.stringify(prefix)}`,
    ends_with: `ends with ${JSON.stringify(suffix)}`,
    includes: `contains ${JSON.stringify(includes)}`,
    lowercase: "has no capital letters",
    uppercase: "has no lowercase letters",
  };
  return rules[format];
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

/** The least and the greatest length of a text or a list. */
export function lengthsOf(schema: z.core.$ZodType): readonly [least: number, most: number] {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") least = Math.max(least, check.minimum);
    if (check.check === "max_length") most = Math.min(most, check.maximum);
    if (check.check === "length_equals") [least, most] = [check.length, check.length];
  }
  return [least, most];
}

/** `3 characters`, `3 to 10 characters`, `at least 1 character`. */
export function amount(least: number, most: number, names: readonly [one: string, many: string]): string {
  if (least === most) return counted(least, names);
  if (most === Number.POSITIVE_INFINITY) return `at least ${counted(least, names)}`;
  return least === 0 ? `at most ${counted(most, names)}` : `${least} to ${counted(most, names)}`;
}

const counted = (count: number, [one, many]: readonly [one: string, many: string]): string =>
  `${count} ${count === 1 ? one : many}`;

export function joined(texts: readonly string[], word: "and" | "or"): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} ${word} ${last}`;
}
