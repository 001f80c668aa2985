// Counts items by the document with the values of a list's filters, which has the number for each accepted choice.
import { ownField } from "../../model/fields.ts";
import type { Filters } from "../answers.ts";
import { ApiError } from "./send.ts";
import type { Params } from "./walk.ts";

/** The error that the API answers for a parameter. `rule` is a clause. */
export const invalid = (url: string, param: string, rule: string): ApiError =>
  new ApiError(`${param} ${rule}.`, { url, status: 400, code: `invalid_${param}`, param });

/** The error of a parameter that a list does not have: the API would ignore it, and answer with all items. */
export function unknownIn(params: Params, accepted: readonly string[], url: string): ApiError | undefined {
  const param = Object.entries(params).find(([name, value]) => value !== undefined && !accepted.includes(name))?.[0];
  if (param === undefined) return undefined;
  const message = `There is no parameter ${param}. The parameters are: ${accepted.join(", ") || "none"}.`;
  return new ApiError(message, { url, code: "unknown_parameter", param });
}

/**
 * The number of items with the filters of a request; an ApiError if the API does not accept them, with the code and the
 * parameter of its answer. Throws TypeError if the body has another form. `at` is the address of the body, and `url` that
 * of the request.
 */
export function countIn(
  { total, filters, combinations }: Filters,
  sent: Params,
  at: string,
  url = at,
): number | ApiError {
  // No name and no accepted value has a comma.
  const combinationOf = (params: readonly string[]) => combinations.find((other) => `${other.params}` === `${params}`);
  const chosen = filters.filter(({ param }) => ownField(sent, param) !== undefined);
  const params = chosen.map(({ param }) => param);
  for (const [index, param] of params.entries()) {
    const before = params.slice(0, index);
    if (index && !combinationOf([...before, param]))
      return invalid(url, param, `cannot be combined with ${before.join(" and ")}`);
  }
  let count = total;
  for (const { param, values } of chosen) {
    const found = values.find(({ value }) => value === `${ownField(sent, param)}`);
    if (!found) return invalid(url, param, `must be one of the values listed at ${at}`);
    count = found.count;
  }
  if (params.length > 1) {
    const wanted = `${params.map((param) => ownField(sent, param))}`;
    count = combinationOf(params)?.counts.find(({ values }) => `${values}` === wanted)?.count ?? 0;
  }
  return count;
}
