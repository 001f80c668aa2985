// The parameters of a request, for rules that parse them by regular expressions. The expressions use only the syntax that PCRE,
// RE2 and JavaScript share.
//
// A reading is an expression with the part of the path that it yields: a query that `^(?:.*&)?region=([…])(?:&|$)` matches
// has the part `/region/$1`. The examples are of a list `nodes` with the filter `region` and the page sizes 5, 10 and 100.
import { everyPageSize } from "../../src/model/paging.ts";
import { conflictsOf, formOf, type Param, paramsOf, partOf } from "../routing/params.ts";
import { itemFolder, pathPart } from "../routing/paths.ts";
import type { TableOperation } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import { literal, variable, withoutAnchors } from "./syntax.ts";

/** Matches the names of operations: `nodes|regions`. A group has to surround it. */
export const namesOf = (operations: readonly TableOperation[]): string => operations.map(({ name }) => name).join("|");

/** The values of a parameter that share a part of the path. */
export interface PathChoice {
  /** Matches the values. Without anchors and captures. */
  readonly pattern: string;
  /** The part. `value` is the text to insert for the value, for example `$1`. */
  readonly part: (value: string) => string;
}

/**
 * The choices match every accepted value, each exactly once. A filter has one choice, whose part has the value: `/region/$1`.
 * A limit leads to a page of exactly that size (`(?:5|10)` has the part `/limit/$1`), to a page of a smaller size (`[6-9]`
 * has the part `/limit/5`), or to the default page (`100` has the empty part).
 */
export function choicesOf(param: Param): readonly PathChoice[] {
  const partWith = (value: string) => pathPart(param.name, value);
  if (param.kind !== "limit") return [{ pattern: withoutAnchors(formOf(param)), part: partWith }];
  const limits = everyPageSize.map(String).filter((limit) => partOf(param, limit) !== undefined);
  const byPart = groupBy(limits, (limit) =>
    partOf(param, limit) === partWith(limit) ? undefined : partOf(param, limit),
  );
  return [...byPart].map(([part, group]) => ({
    pattern: integers(group),
    part: part === undefined ? partWith : () => part,
  }));
}

/**
 * Matches the integers in a list. Tens with the same last digits share a branch: 1, 5, 10, 25 and 50 are
 * `(?:[15]|[15]0|25)`, and 11 to 24 are `(?:1[1-9]|2[0-4])`.
 */
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

/** Matches one of these digits, which ascend: `5`, `[6-9]` or `[15]`. */
function oneOf(digits: string): string {
  const first = digits.charAt(0);
  const last = digits.charAt(digits.length - 1);
  if (digits.length === 1) return first;
  return Number(last) - Number(first) === digits.length - 1 ? `[${first}-${last}]` : `[${digits}]`;
}

/** The part of a value that is not accepted. No file has it in its name. */
export const invalidPart = "!";

export type QueryReading = readonly [expression: string, part: string];

/**
 * The readings of a parameter. The first that matches counts; if none does, the parameter is absent. A repeated `region`
 * yields `!`, an accepted value yields `/region/$1`, and another value, or none, yields `!`. `start` matches the text before
 * the first pair, such as `^`; `capture` is the text that inserts a capture, such as `$1`.
 */
export function readings(start: string, param: Param, capture: string): readonly QueryReading[] {
  const { name } = param;
  const before = `${start}(?:.*&)?${name}`;
  return [
    // The parameter is repeated.
    [`${before}(?:=[^&]*)?&(?:.*&)?${name}(?:[=&]|$)`, invalidPart],
    ...choicesOf(param).map(({ pattern, part }) => [`${before}=(${pattern})(?:&|$)`, part(capture)] as const),
    [`${before}(?:[=&]|$)`, invalidPart],
  ];
}

/** A parameter, and the operations that have it with the same values: `limit` of `nodes` and `images`. */
export interface SharedParam {
  readonly param: Param;
  readonly of: readonly TableOperation[];
}

/** The parameters of all operations, each once. Limits with different page sizes are different parameters. */
export function sharedParams(operations: readonly TableOperation[]): readonly SharedParam[] {
  const all = operations.flatMap((operation) => paramsOf(operation).map((param) => ({ operation, param })));
  const shared = groupBy(all, ({ param }) =>
    JSON.stringify([param.kind, param.name, param.kind === "limit" ? param.sizes : []]),
  );
  return [...shared.values()].map((group) => ({ param: group[0].param, of: group.map(({ operation }) => operation) }));
}

/**
 * For each variable, the readings of a request's target as entries of a map, in which a tilde precedes an expression: the
 * entry `~^/api/v1/(?:nodes)\?(?:.*&)?region=([…])(?:&|$)` of `region` yields `/region/$1`. Operations that have a
 * parameter of the same name with other values have separate entries.
 */
export const targetReadings = (base: string, operations: readonly TableOperation[]) =>
  [...groupBy(sharedParams(operations), ({ param }) => variable(param))].map(([name, group]) => ({
    name,
    entries: group.flatMap(({ param, of }) => readings(`~^${literal(base)}/(?:${namesOf(of)})\\?`, param, "$1")),
  }));

/**
 * Matches the names of operations and parameters, and similar words: `[a-z_]+`, with digits or a hyphen if a name has
 * them. In lowercase, because a file system that ignores case finds files under other names. Short, because its length
 * costs time.
 */
export function wordIn(operations: readonly TableOperation[]): string {
  const names = operations
    .flatMap((operation) => [operation.name, ...paramsOf(operation).map(({ name }) => name)])
    .join();
  return `[a-z_${/[0-9]/.test(names) ? "0-9" : ""}${names.includes("-") ? "-" : ""}]+`;
}

/**
 * A capture of the name of a parameter, for paths that consist of the words of a query: `((?!item=)[a-z_]+)`. Otherwise
 * `?item=nod_1` would lead to the folder of single items.
 */
export const pairName = (operations: readonly TableOperation[]): string =>
  `((?!${itemFolder.slice(1, -1)}=)${wordIn(operations)})`;

/** The numbers of filters: `[1, 2]` if no operation has more than two. The first filter of each operation has number 1. */
export const filterNumbers = (operations: readonly TableOperation[]): readonly number[] =>
  Array.from({ length: Math.max(0, ...operations.map(({ filters }) => filters.length)) }, (_, index) => index + 1);

/**
 * For each conflict, an entry of a map: an expression over the pages of all filters of an operation, in order and each
 * followed by a space, and the error. The page of a filter that is sent continues after the name of the operation:
 * `~^/api/v1/two[/!]\S+ /api/v1/two[/!]\S+ ` matches `/api/v1/two/region/us.json /api/v1/two/zone/eu.json `, and leads to
 * `/api/v1/errors/two/together_zone.json`.
 */
export const conflictReadings = (operations: readonly TableOperation[]): readonly QueryReading[] =>
  operations.flatMap((operation) =>
    conflictsOf(operation).map(({ filters, error }) => {
      const pages = operation.filters.map(
        (filter) => `${literal(operation.path)}${filters.includes(filter) ? `[/${invalidPart}]` : ""}\\S+ `,
      );
      return [`~^${pages.join("")}`, `/${error.file}`];
    }),
  );
