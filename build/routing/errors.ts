// Error bodies. They are rendered before any request is made, so they name the accepted values and their source, not
// the value that was sent.
import type { ErrorBody } from "../../src/answers/answers.ts";
import { type Api, acceptedBy, filtersPath, joined } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { sortParam } from "../../src/model/order.ts";
import { defaultLimit, maxLimit, type PageSizes } from "../../src/model/paging.ts";
import type { Addresses } from "./paths.ts";

/** The methods that are answered with a file. */
export const methods = ["GET", "HEAD"] as const;

/** Every method that the API answers, as the `Allow` header of a 405 lists them. */
export const allow = [...methods, "OPTIONS"].join(", ");

export const methodNotAllowed: ErrorBody = {
  object: "error",
  status: 405,
  code: "method_not_allowed",
  message: `The API is read-only: use ${methods.join(" or ")}.`,
};

/**
 * `operations` are the names of the operations that are answered, `others` the bases of further APIs to name. On a host that
 * only serves files, the body names the paths of files.
 */
export function notFound(
  { base }: Pick<Api, "base">,
  operations: readonly string[],
  others: readonly string[] = [],
  addresses: Addresses = "queries",
): ErrorBody {
  const ending = addresses === "files" ? ".json" : "";
  const pathsOf = (paths: readonly string[]) => paths.map((path) => `${path}${ending}`).join(", ");
  const sentences = [
    "There is nothing at this address.",
    `The API answers at ${pathsOf(operations.map((name) => `${base}/${name}`))}.`,
    `The reference is at ${base}/docs/.`,
  ];
  if (others.length > 0) sentences.push(`Other APIs are at ${pathsOf(others)}.`);
  return { object: "error", status: 404, code: "not_found", message: sentences.join(" ") };
}

const invalid = (param: string, message: string): ErrorBody => ({
  object: "error",
  status: 400,
  code: `invalid_${param}`,
  message,
  param,
});

/** The answer to a wrong value of one of an operation's parameters. */
export interface ParameterError {
  /** An order is a filter here: each of its values has files. */
  readonly kind: "limit" | "filter" | "cursor";
  readonly error: ErrorBody;
  /** The answer if a filter is sent with earlier filters with which it cannot be combined. */
  readonly conflict?: ErrorBody;
}

export const bodiesOf = ({ error, conflict }: ParameterError): readonly ErrorBody[] =>
  conflict === undefined ? [error] : [error, conflict];

/** The errors of an operation's parameters, in the order in which the parameters are checked. */
export function parameterErrors(
  api: Api,
  operation: ListOperation,
  sizes: PageSizes,
  served: readonly string[],
): readonly ParameterError[] {
  const { base } = api;
  const params = operation.filters.map(({ param }) => param);
  const filters = operation.filters.map((filter): ParameterError => {
    const { text, listedBy } = acceptedBy(api, operation, filter);
    const { param, accepts } = filter;
    let place = `: one of the values listed at ${filtersPath(base, operation.name)}`;
    if (accepts.kind === "keys" && !accepts.isOpen && served.includes(listedBy.name))
      place = ` listed at ${base}/${listedBy.name}`;
    if (accepts.kind === "listed") place = "";
    const error = invalid(param, `${param} must be ${text}${place}.`);
    return { kind: "filter", error, ...conflictWith(param, params, operation.together) };
  });
  const orders = operation.orders.map(({ name }) => name);
  const sort = invalid(sortParam, `${sortParam} must be ${joined(orders, "or")}.`);
  const choices: readonly ParameterError[] =
    orders.length === 0 ? filters : [{ kind: "filter", error: sort }, ...filters];
  if (!operation.paged) return choices;
  const limit = invalid("limit", `limit must be ${acceptedLimits(sizes)}.`);
  const sent = [...(orders.length === 0 ? [] : [sortParam]), ...(params.length > 1 ? ["filters"] : params)];
  const sentWith = sent.length === 0 ? "" : ` and with the ${sent.join(" and ")} of the request that returned it`;
  const cursor = `cursor is unknown or has expired. Send it without limit${sentWith}, or start again at ${base}/${operation.name}.`;
  return [{ kind: "limit", error: limit }, ...choices, { kind: "cursor", error: invalid("cursor", cursor) }];
}

/** If small limits are not accepted, the text includes the reason: `an integer from 10 to 100: this API has pages of 10, 25 and 100 items`. */
function acceptedLimits(sizes: PageSizes): string {
  const [smallest = defaultLimit] = sizes;
  if (smallest === 1) return `an integer from 1 to ${maxLimit}`;
  if (smallest === maxLimit) return `${maxLimit}: this API has pages of ${maxLimit} items`;
  const others = sizes.slice(0, -1).join(", ");
  const all = sizes.length > 10 ? `${smallest} to ${maxLimit}` : `${others} and ${maxLimit}`;
  return `an integer from ${smallest} to ${maxLimit}: this API has pages of ${all} items`;
}

/**
 * The answer if a filter is sent with earlier filters with which it cannot be combined. Absent if all combinations are
 * valid. `filters` are the parameters of all filters of the operation, in order.
 */
export function conflictWith(
  param: string,
  filters: readonly string[],
  together: readonly (readonly string[])[] = [],
): { readonly conflict?: ErrorBody } {
  const before = filters.slice(0, filters.indexOf(param));
  const groups = together.filter((group) => group.includes(param));
  if (before.length === 0 || groups.some((group) => before.every((name) => group.includes(name)))) return {};
  const others = groups.map((group) => filters.filter((name) => name !== param && group.includes(name)).join(" and "));
  const way =
    others.length === 0 ? "cannot be combined with other filters" : `can only be combined with ${others.join(" or ")}`;
  return { conflict: invalid(param, `${param} ${way}.`) };
}
