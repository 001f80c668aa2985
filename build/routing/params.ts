// The parameters of a request: which may be sent together, and the parts of a page's path for their values. `resolve` asks
// here for each request, and the hosts' configurations are generated from the answers.
//
// A request may send a single filter, or some of a combination that the table lists. Other filters are answered with an
// error of the first filter, in the order of the table, that does not go with the filters before it. This does not depend
// on values, so it is checked before them.
import { maxLimit, sizeFor } from "../../src/model/paging.ts";
import { limitPart, pathPart } from "./paths.ts";
import type { FilterParam, Param, TableError, TableOperation } from "./table.ts";

/** The error if some of the parameters that a request sends do not go together. */
export function clashOf(operation: TableOperation, sent: readonly Param[]): TableError | undefined {
  const filters = sent.filter(isFilter);
  return filters.find((_, index) => !goTogether(operation, filters.slice(0, index + 1)))?.clash;
}

/** Whether the filters among these parameters may be sent together. */
export function goTogether({ together = [] }: TableOperation, params: readonly Param[]): boolean {
  const filters = params.filter(isFilter);
  return filters.length < 2 || together.some((names) => filters.every(({ name }) => names.includes(name)));
}

/** Filters that may not be sent together, whatever else is sent. If one is left out, the others may be sent together. */
export interface Clash {
  readonly params: readonly FilterParam[];
  readonly error: TableError;
}

/** The first clash whose parameters a request sends determines the error; see `clashOf`. */
export function clashesOf(operation: TableOperation): readonly Clash[] {
  const filters = operation.params.filter(isFilter);
  const isLeast = (params: readonly FilterParam[]) => {
    const smaller = params.map((one) => params.filter((each) => each !== one));
    return !goTogether(operation, params) && smaller.every((others) => goTogether(operation, others));
  };
  return filters.flatMap((last, index) => {
    const { clash: error } = last;
    if (error === undefined) return [];
    const sets = subsets(filters.slice(0, index)).map((others) => [...others, last]);
    return sets.filter(isLeast).map((params) => ({ params, error }));
  });
}

export const isFilter = (param: Param): param is FilterParam => param.kind === "filter";

/** All subsets of a list. A set precedes its subsets. */
export function subsets<T>(list: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = list;
  if (first === undefined) return [[]];
  const others = subsets(rest);
  return [...others.map((subset) => [first, ...subset]), ...others];
}

/** The part of the path for a value; undefined if the value is not accepted. */
export function partOf(param: Param, value: string): string | undefined {
  if (param.kind !== "limit") return new RegExp(param.form).test(value) ? pathPart(param.name, value) : undefined;
  const limit = /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit ? Number(value) : 0;
  const size = sizeFor(limit, param.sizes);
  return size === undefined ? undefined : limitPart(size);
}

/** The file of a page, from the parts of its path by slot. */
export const fileOfParts = ({ path, pathOrder }: TableOperation, parts: ReadonlyMap<string, string>): string =>
  `${path.slice(1)}${pathOrder.map((slot) => parts.get(slot) ?? "").join("")}.json`;

/** The parameters of an operation in the order of their parts in a path. */
export const inPathOrder = ({ params, pathOrder }: TableOperation): readonly Param[] =>
  pathOrder.flatMap((slot) => params.filter((param) => param.slot === slot));
