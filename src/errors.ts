// Error bodies. They are rendered before any request is made, so they say what is accepted and where to find it,
// not what was sent.
import * as z from "zod";
import { base, type ListOperation, referenced } from "./operations.ts";
import { defaultLimit, maxLimit, type PageSizes } from "./paging.ts";

export type ErrorCode = "not_found" | "method_not_allowed" | `invalid_${string}`;

export interface ApiError {
  readonly object: "error";
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The query parameter at fault, where it is one. */
  readonly param?: string;
}

export const apiError = z.strictObject({
  object: z.literal("error"),
  status: z.int(),
  code: z.string(),
  message: z.string(),
  param: z.string().optional(),
});

/** The methods that every path answers, as the `Allow` header of a 405 lists them. */
export const methods = ["GET", "HEAD"] as const;

export const methodNotAllowed: ApiError = {
  object: "error",
  status: 405,
  code: "method_not_allowed",
  message: `The API is read-only: use ${methods.join(" or ")}.`,
};

export const notFound = (operations: readonly string[]): ApiError => ({
  object: "error",
  status: 404,
  code: "not_found",
  message: `There is nothing at this address. The API answers at ${operations.map((name) => `${base}/${name}`).join(", ")}.`,
});

const invalid = (param: string, message: string): ApiError => ({
  object: "error",
  status: 400,
  code: `invalid_${param}`,
  message,
  param,
});

/** The errors of an operation's own parameters, in the order in which these are checked. */
export function parameterErrors(
  { name, resource, filter, paged }: ListOperation,
  sizes: PageSizes,
  served: readonly string[],
): readonly { readonly kind: "limit" | "filter" | "cursor"; readonly error: ApiError }[] {
  const path = `${base}/${name}`;
  const errors: { kind: "limit" | "filter" | "cursor"; error: ApiError }[] = [];
  if (paged) {
    const message = `limit must be an integer from ${sizes[0] ?? defaultLimit} to ${maxLimit}.`;
    errors.push({ kind: "limit", error: invalid("limit", message) });
  }
  if (filter !== undefined) {
    const target = referenced(resource, filter.field);
    const where = served.includes(target.name) ? ` listed at ${base}/${target.name}` : "";
    const message = `${filter.param} must be the ${target.resource.key} of a ${target.resource.noun}${where}.`;
    errors.push({ kind: "filter", error: invalid(filter.param, message) });
  }
  if (paged) {
    const sentWith = filter === undefined ? "limit" : `${filter.param} and limit`;
    const message = `cursor must be a next_cursor of ${path}, sent with the ${sentWith} of the request that returned it.`;
    errors.push({ kind: "cursor", error: invalid("cursor", message) });
  }
  return errors;
}
