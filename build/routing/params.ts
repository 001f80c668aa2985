// The parameters of a request: which may be sent together, and the parts of a page's path for their values. `resolve` asks
// this file for each request, and the hosts' configurations are generated from it.
//
// A request may send a single filter, or some of a combination that the table lists. Other filters are answered with an
// error of the first filter, in the order of the table, that conflicts with the filters before it. This does not depend
// on values, so it is checked before them.

import { cursorForm, maxLimit, sizeFor } from "../../src/model/paging.ts";
import { pathForm } from "../../src/model/path-form.ts";
import { limitPart, pathPart } from "./paths.ts";
import type { TableCursor, TableError, TableFilter, TableLimit, TableOperation } from "./table.ts";

export interface LimitParam extends TableLimit {
  readonly kind: "limit";
  readonly name: "limit";
}

export interface FilterParam extends TableFilter {
  readonly kind: "filter";
}

export interface CursorParam extends TableCursor {
  readonly kind: "cursor";
  readonly name: "cursor";
}

/** A parameter of an operation, for code that treats all parameters alike. */
export type Param = LimitParam | FilterParam | CursorParam;

/** The parameters of an operation in the order in which they are checked. */
export const paramsOf = (operation: TableOperation): readonly Param[] => [
  ...limitOf(operation),
  ...filtersOf(operation),
  ...cursorOf(operation),
];

/** The parameters of an operation in the order of their parts in the path of a page. */
export const inPathOrder = (operation: TableOperation): readonly Param[] => [
  ...filtersOf(operation),
  ...limitOf(operation),
  ...cursorOf(operation),
];

const limitOf = ({ limit }: TableOperation): readonly LimitParam[] =>
  limit === undefined ? [] : [{ kind: "limit", name: "limit", ...limit }];

const filtersOf = ({ filters }: TableOperation): readonly FilterParam[] =>
  filters.map((filter) => ({ kind: "filter", ...filter }));

const cursorOf = ({ cursor }: TableOperation): readonly CursorParam[] =>
  cursor === undefined ? [] : [{ kind: "cursor", name: "cursor", ...cursor }];

/** The anchored form of the values of a filter or cursor. Values of another form must not reach a path. */
export const formOf = ({ kind }: FilterParam | CursorParam): string => (kind === "filter" ? pathForm : cursorForm);

/** Whether filters may be sent together. */
export const mayCombine = ({ together = [] }: TableOperation, filters: readonly Pick<TableFilter, "name">[]): boolean =>
  filters.length < 2 || together.some((names) => filters.every(({ name }) => names.includes(name)));

/** The error if some of the parameters with these names, which a request sends, cannot be combined. */
export function conflictIn(operation: TableOperation, sent: readonly string[]): TableError | undefined {
  const filters = operation.filters.filter(({ name }) => sent.includes(name));
  return filters.find((_, index) => !mayCombine(operation, filters.slice(0, index + 1)))?.conflict;
}

/** Filters that cannot be combined, whatever else is sent. If one is left out, the others can be combined. */
export interface Conflict {
  readonly filters: readonly TableFilter[];
  readonly error: TableError;
}

/** The first conflict whose filters a request sends determines the error; see `conflictIn`. */
export function conflictsOf(operation: TableOperation): readonly Conflict[] {
  const isMinimal = (filters: readonly TableFilter[]) => {
    const smaller = filters.map((one) => filters.filter((other) => other !== one));
    return !mayCombine(operation, filters) && smaller.every((others) => mayCombine(operation, others));
  };
  return operation.filters.flatMap((last, index) => {
    const { conflict: error } = last;
    if (error === undefined) return [];
    const sets = subsets(operation.filters.slice(0, index)).map((others) => [...others, last]);
    return sets.filter(isMinimal).map((filters) => ({ filters, error }));
  });
}

/** All subsets of a list. A set precedes its subsets. */
export function subsets<T>(list: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = list;
  if (first === undefined) return [[]];
  const others = subsets(rest);
  return [...others.map((subset) => [first, ...subset]), ...others];
}

/** The part of the path for a value; undefined if the value is not accepted. */
export function partOf(param: Param, value: string): string | undefined {
  if (param.kind !== "limit") return new RegExp(formOf(param)).test(value) ? pathPart(param.name, value) : undefined;
  const limit = /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit ? Number(value) : 0;
  const size = sizeFor(limit, param.sizes);
  return size === undefined ? undefined : limitPart(size);
}

/** The file of a page, from the parts of its path by the names of their parameters. */
export function fileOfParts(operation: TableOperation, parts: ReadonlyMap<string, string>): string {
  const path = inPathOrder(operation).map(({ name }) => parts.get(name) ?? "");
  return `${operation.path.slice(1)}${path.join("")}.json`;
}
