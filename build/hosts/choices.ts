// How the values of a parameter map to parts of a page's path, as patterns for hosts with rules. A limit leads to a
// page of exactly that size, to the default page, which has no part, or to a page of another size.
import { everyPageSize } from "../../src/paging.ts";
import { groupBy } from "../group-by.ts";
import { partOf } from "../routing/parts.ts";
import { pathPart } from "../routing/paths.ts";
import type { Param } from "../routing/table.ts";
import { withoutAnchors } from "./known-paths.ts";

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
  const named = (value: string) => pathPart(param.name, value);
  if (param.kind !== "limit") return [{ pattern: withoutAnchors(param.form), part: named, rounded: false }];
  const limits = everyPageSize.map(String).filter((limit) => partOf(param, limit) !== undefined);
  const byPart = groupBy(limits, (limit) => (partOf(param, limit) === named(limit) ? undefined : partOf(param, limit)));
  return [...byPart].map(([part, group]) => ({
    pattern: integers(group),
    part: part === undefined ? named : () => part,
    rounded: part !== undefined && part !== "",
  }));
}

/** Matches every accepted value. Without anchors and captures. */
export const accepted = (param: Param): string =>
  `(?:${choicesOf(param)
    .map(({ pattern }) => pattern)
    .join("|")})`;

/** Matches the integers in a list. Tens with the same last digits share a branch. */
function integers(list: readonly string[]): string {
  const byTens = groupBy(list, (value) => value.slice(0, -1));
  const byOnes = groupBy(byTens.keys(), (tens) => (byTens.get(tens) ?? []).map((value) => value.slice(-1)).join(""));
  const branches = [...byOnes].flatMap(([ones, tens]) => {
    const digits = tens.filter(({ length }) => length === 1).join("");
    const others = tens.filter(({ length }) => length !== 1);
    return [...(digits === "" ? [] : [oneOf(digits)]), ...others].map((start) => start + oneOf(ones));
  });
  return branches.length === 1 ? String(branches[0]) : `(?:${branches.join("|")})`;
}

function oneOf(digits: string): string {
  const first = digits.charAt(0);
  const last = digits.charAt(digits.length - 1);
  if (digits.length === 1) return first;
  return Number(last) - Number(first) === digits.length - 1 ? `[${first}-${last}]` : `[${digits}]`;
}
