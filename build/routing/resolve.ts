// The executable meaning of the routing table. The preview runs it, a worker can bundle it, and every host's
// configuration is tested against it over the same requests. It is pure and needs no Node.
//
// Checks, in this order: method (405), path (404), limit, filter, cursor (400). Names and values are compared as they
// are sent, without percent-decoding; an operation's own parameters are checked and all others ignored; a parameter
// that is empty, without "=" or repeated is invalid.
import { pageFile } from "../../src/files.ts";
import { defaultLimit, maxLimit, sizeFor } from "../../src/paging.ts";
import type { Param, RoutingTable } from "./table.ts";

export interface Request {
  readonly method: string;
  /** As sent: from the first slash up to but without the question mark. */
  readonly path: string;
  /** As sent: behind the question mark; empty where there is none. */
  readonly query: string;
}

export interface Answer {
  readonly status: number;
  /** Relative to the publish root. */
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that holds if the files it needs exist; the first that does not gives its own answer. */
export interface Resolution {
  readonly answer: Answer;
  /** The last of them is the answer's own file. */
  readonly needs: readonly { readonly file: string; readonly otherwise: Answer }[];
}

type TableOperation = RoutingTable["operations"][number];

export function resolve(table: RoutingTable, { method, path, query }: Request): Resolution {
  if (!table.methods.includes(method)) {
    return only(failure(table, table.methodNotAllowed, { Allow: table.methods.join(", ") }));
  }
  const operation = table.operations.find((each) => each.path === path);
  if (operation === undefined) return only(failure(table, table.notFound));
  const found = readParams(operation, query);
  if ("kind" in found) return only(failure(table, found.error));
  return pageAnswer(table, operation, found);
}

/** What remains of a resolution once it is known which files there are. */
export function settle({ answer, needs }: Resolution, exists: (file: string) => boolean): Answer {
  return needs.find(({ file }) => !exists(file))?.otherwise ?? answer;
}

interface Found {
  limit: number;
  filter?: { param: string; value: string };
  cursor?: string;
}

/** The values of an operation's parameters, or the first one that is invalid by itself. */
function readParams({ params }: TableOperation, query: string): Found | Param {
  const pairs = query.split("&");
  const found: Found = { limit: defaultLimit };
  for (const param of params) {
    const own = pairs.filter((pair) => pair === param.name || pair.startsWith(`${param.name}=`));
    const [pair, repeated] = own;
    if (pair === undefined) continue;
    const value = pair.slice(param.name.length + 1);
    if (repeated !== undefined || !accepts(param, value)) return param;
    switch (param.kind) {
      case "limit":
        found.limit = sizeFor(Number(value), param.sizes) ?? defaultLimit;
        break;
      case "filter":
        found.filter = { param: param.name, value };
        break;
      case "cursor":
        found.cursor = value;
        break;
    }
  }
  return found;
}

function accepts(param: Param, value: string): boolean {
  if (param.kind !== "limit") return new RegExp(param.form).test(value);
  return (
    /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit && sizeFor(Number(value), param.sizes) !== undefined
  );
}

function pageAnswer(table: RoutingTable, operation: TableOperation, { limit, filter, cursor }: Found): Resolution {
  const listing = { operation: operation.name, filter };
  const file = pageFile({ ...listing, limit, cursor });
  const answer = { status: 200, file, headers: { ...table.headers, "Cache-Control": operation.cacheControl } };
  const otherwise = (kind: Param["kind"]): Answer => {
    const param = operation.params.find((each) => each.kind === kind);
    return failure(table, param?.error ?? table.notFound);
  };
  // A listing has pages of every size, so its first page tells whether the value of the filter is known.
  const needs = [];
  if (filter !== undefined) needs.push({ file: pageFile(listing), otherwise: otherwise("filter") });
  if (cursor !== undefined) needs.push({ file, otherwise: otherwise("cursor") });
  return { answer, needs };
}

const only = (answer: Answer): Resolution => ({ answer, needs: [] });

const failure = (
  table: RoutingTable,
  { status, file }: { readonly status: number; readonly file: string },
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });
