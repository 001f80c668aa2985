// How rules made of regular expressions parse the parameters of a request: for nginx, Caddy and Apache.
import { clashesOf, isFilter } from "../routing/combinations.ts";
import type { FilterParam, Param, RoutingTable, TableOperation } from "../routing/table.ts";
import { choicesOf } from "./choices.ts";
import { literal } from "./known-paths.ts";

/** Replaces the part of a rejected value. No file has it in its name. */
export const refused = "!";

type Reading = readonly [expression: string, part: string];

/**
 * Expressions over a query, each with the resulting part of the path. The first match counts; without a match the
 * parameter is absent. `capture` is the text that inserts a capture.
 */
export const readings = (start: string, param: Param, capture: string): readonly Reading[] => [
  [repeats(start, param.name), refused],
  ...choicesOf(param).map(({ pattern, part }) => [holds(start, param.name, `(${pattern})`), part(capture)] as const),
  [has(start, param.name), refused],
];

/** A parameter, and the operations that have it with the same values. */
export interface SharedParam {
  readonly param: Param;
  readonly of: readonly TableOperation[];
}

/** The parameters of all operations, each once. */
export function sharedParams(operations: readonly TableOperation[]): readonly SharedParam[] {
  const shared = new Map<string, { param: Param; of: TableOperation[] }>();
  for (const operation of operations) {
    for (const param of operation.params) {
      const key = JSON.stringify({ ...param, error: param.error.body.code, clash: undefined });
      const group = shared.get(key) ?? { param, of: [] };
      shared.set(key, group);
      group.of.push(operation);
    }
  }
  return [...shared.values()];
}

/** For each slot, the readings of a request's target whose path is an operation with the parameter. */
export function targetReadings({ base, operations }: RoutingTable, capture: string) {
  const bySlot = new Map<string, Reading[]>();
  for (const { param, of } of sharedParams(operations)) {
    const own = readings(`^${base}/(?:${namesOf(of)})\\?`, param, capture);
    bySlot.set(param.slot, [...(bySlot.get(param.slot) ?? []), ...own]);
  }
  return [...bySlot].map(([slot, entries]) => ({ slot, entries }));
}

/** An expression that matches the names of operations. */
export const namesOf = (operations: readonly TableOperation[]): string => operations.map(({ name }) => name).join("|");

/**
 * An expression that matches the names of operations and parameters, and similar words. In lowercase, because a file
 * system that ignores case finds files under other names. Short, because its length costs time.
 */
export const wordIn = (operations: readonly TableOperation[]): string =>
  `[a-z_${/[0-9]/.test(allNames(operations)) ? "0-9" : ""}${hasHyphen(operations) ? "-" : ""}]+`;

export const hasHyphen = (operations: readonly TableOperation[]): boolean => allNames(operations).includes("-");

const allNames = (operations: readonly TableOperation[]): string =>
  operations.flatMap(({ name, params }) => [name, ...params.map((param) => param.name)]).join();

/** In the order in which they are checked. A value is known if it has a page without any other parameter. */
export const filtersIn = ({ params }: TableOperation): readonly FilterParam[] => params.filter(isFilter);

/** 1 for the first filter of an operation, up to the largest number of filters that an operation has. */
export const filterNumbers = (operations: readonly TableOperation[]): readonly number[] =>
  Array.from({ length: Math.max(0, ...operations.map((each) => filtersIn(each).length)) }, (_, index) => index + 1);

/**
 * For each clash, an expression over the pages of an operation's filters, each followed by a space and in order. A page
 * whose path continues after the operation's name belongs to a parameter that is sent.
 */
export const clashReadings = (operation: TableOperation) =>
  clashesOf(operation).map(({ params, error }) => {
    const pages = filtersIn(operation).map(
      (filter) => `${literal(operation.path)}${params.includes(filter) ? `[/${refused}]` : ""}\\S+ `,
    );
    return { expression: `^${pages.join("")}`, error };
  });

// Expressions over a query string as sent use only the syntax that PCRE, RE2 and JavaScript share.

/** Matches a query that has the parameter, with or without a value. `start` matches the text before the first pair. */
const has = (start: string, name: string): string => `${start}(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter more than once. */
const repeats = (start: string, name: string): string => `${start}(?:.*&)?${name}(?:=[^&]*)?&(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter with a value that matches `form`, which has no anchors. */
const holds = (start: string, name: string, form: string): string => `${start}(?:.*&)?${name}=${form}(?:&|$)`;
