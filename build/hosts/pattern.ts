// Regular expressions over a query string as it was sent, for hosts whose rules are made of them. They use nothing
// that PCRE, RE2 and JavaScript do not share.
import { defaultLimit, maxLimit, sizeFor } from "../../src/paging.ts";
import type { Param } from "../routing/table.ts";

/** Matches a query that has the parameter, with a value or without. `start` matches what stands before the first pair. */
export const has = (start: string, name: string): string => `${start}(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter more than once. */
export const repeats = (start: string, name: string): string =>
  `${start}(?:.*&)?${name}(?:=[^&]*)?&(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter with a value of a form without anchors. */
export const holds = (start: string, name: string, form: string): string => `${start}(?:.*&)?${name}=${form}(?:&|$)`;

/** The form of a filter's or cursor's values without its anchors. */
export const unanchored = (form: string): string => form.replace(/^\^|\$$/g, "");

/** The limits that share an answer. */
export interface LimitGroup {
  /** Matches them, without anchors and without a capture. */
  readonly pattern: string;
  /** The page size that answers them; "same" where each is answered with itself. */
  readonly size: number | "same";
}

/** The limits of a parameter by their answers: together they are all that is accepted. */
export function limitGroups({ sizes }: Extract<Param, { kind: "limit" }>): readonly LimitGroup[] {
  const groups = new Map<number | "same", number[]>();
  for (let limit = 1; limit <= maxLimit; limit++) {
    const size = sizeFor(limit, sizes);
    if (size === undefined) continue;
    const key = size === limit && size !== defaultLimit ? "same" : size;
    groups.set(key, [...(groups.get(key) ?? []), limit]);
  }
  return [...groups].map(([size, limits]) => ({ size, pattern: integers(limits) }));
}

/** Matches the decimal form of the integers of a list: tens that have the same ones share a branch. */
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
