// The filters that a request may send together: a single one, or some of a combination that the table lists. Other
// filters are answered with an error of the first filter, in the order of the table, that does not go with the filters
// before it. This check does not depend on values, so it precedes the checks of values.
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
