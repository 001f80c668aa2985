// How the values of a parameter map to parts of a page's path, as patterns for hosts with rules. A limit leads to a
// page of exactly that size, to the default page, which has no part, or to a page of another size.
import { maxLimit } from "../../src/paging.ts";
import { partOf } from "../routing/parts.ts";
import { pathPart } from "../routing/paths.ts";
import type { Param } from "../routing/table.ts";

/** The values of a parameter that share a part of the path. */
export interface Choice {
  /** Matches the values. Without anchors and captures. */
  readonly pattern: string;
  /** The part. `value` is the text to insert for the value, for example `$1`. */
  readonly part: (value: string) => string;
  /** Whether the page has another size than the limit. */
  readonly rounded: boolean;
}

/** The choices match every accepted value, each exactly once. */
export function choicesOf(param: Param): readonly Choice[] {
  const ownPart = (value: string) => pathPart(param.name, value);
  if (param.kind !== "limit") return [{ pattern: withoutAnchors(param.form), part: ownPart, rounded: false }];
  const limits = new Map<string | undefined, number[]>();
  for (let limit = 1; limit <= maxLimit; limit++) {
    const part = partOf(param, String(limit));
    if (part === undefined) continue;
    const shared = part === ownPart(String(limit)) ? undefined : part;
    limits.set(shared, [...(limits.get(shared) ?? []), limit]);
  }
  return [...limits].map(([shared, list]) => ({
    pattern: integers(list),
    part: shared === undefined ? ownPart : () => shared,
    rounded: shared !== undefined && shared !== "",
  }));
}

/** Matches every accepted value. Without anchors and captures. */
export const accepted = (param: Param): string =>
  `(?:${choicesOf(param)
    .map(({ pattern }) => pattern)
    .join("|")})`;

const withoutAnchors = (form: string): string => form.replace(/^\^|\$$/g, "");

/** Matches the decimal forms of the integers in a list. Tens with the same last digits share a branch. */
function integers(list: readonly number[]): string {
  const onesOfTens = new Map<string, string>();
  for (const value of list) {
    const tens = String(value).slice(0, -1);
    onesOfTens.set(tens, (onesOfTens.get(tens) ?? "") + String(value).slice(-1));
  }
  const tensOfOnes = new Map<string, string[]>();
  for (const [tens, ones] of onesOfTens) tensOfOnes.set(ones, [...(tensOfOnes.get(ones) ?? []), tens]);
  const branches = [...tensOfOnes].flatMap(([ones, tens]) => {
    const digits = tens.filter((each) => each.length === 1).join("");
    const others = tens.filter((each) => each.length !== 1);
    return [...(digits === "" ? [] : [oneOf(digits) + oneOf(ones)]), ...others.map((each) => each + oneOf(ones))];
  });
  return branches.length === 1 ? String(branches[0]) : `(?:${branches.join("|")})`;
}

function oneOf(digits: string): string {
  const first = digits.charAt(0);
  const last = digits.charAt(digits.length - 1);
  if (digits.length === 1) return first;
  return Number(last) - Number(first) === digits.length - 1 ? `[${first}-${last}]` : `[${digits}]`;
}
