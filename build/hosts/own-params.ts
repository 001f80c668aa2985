// What a request says to its operation, for gaps to tell requests apart: the pairs of its query whose names are the
// operation's own parameters. Compared as sent, as resolve does.
import { operations } from "../../src/operations.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { Request } from "../routing/resolve.ts";
import { makeTable, type Param } from "../routing/table.ts";

const everything = makeTable(
  operations.map(({ name }) => name),
  () => everyPageSize,
);

/** The parameters of the path's operation, in the order in which they are checked; none where there is no operation. */
export const ownParams = ({ path }: Request): readonly Param[] =>
  everything.operations.find((operation) => operation.path === path)?.params ?? [];

/** The values with which a request has a parameter, in its order; empty for one without "=". */
export const valuesOf = ({ query }: Request, { name }: Param): readonly string[] =>
  query
    .split("&")
    .filter((pair) => isOf(pair, name))
    .map((pair) => pair.slice(name.length + 1));

/** The request with other pairs; `keep` is asked for each pair, with those behind it. */
export const withPairs = (request: Request, keep: (pair: string, later: readonly string[]) => boolean): Request => ({
  ...request,
  query: request.query
    .split("&")
    .filter((pair, index, pairs) => keep(pair, pairs.slice(index + 1)))
    .join("&"),
});

/** Whether a pair of a query, as sent, gives the parameter of this name. */
export const isOf = (pair: string, name: string): boolean => pair === name || pair.startsWith(`${name}=`);

/** Whether a request has a filter or cursor once and in the right form. */
export function isWellFormed(request: Request, param: Param): boolean {
  const [value, ...repeated] = valuesOf(request, param);
  return param.kind !== "limit" && repeated.length === 0 && value !== undefined && new RegExp(param.form).test(value);
}

/** A letter, digit, "-", ".", "_" or "~" is the same encoded or not (RFC 3986, section 6.2.2.2). */
export const decodeUnreserved = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
  });
