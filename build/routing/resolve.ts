// The executable meaning of the routing table. The preview runs it, a worker can bundle it, and every host's
// configuration is tested against it over the same requests. It is pure and needs no Node.
//
// Checks, in this order: method (405), path (404), limit, filter, cursor (400). Names and values are compared as they
// are sent, without percent-decoding; an operation's own parameters are checked and all others ignored; a parameter
// that is empty, without "=" or repeated is invalid.

import { maxLimit, sizeFor } from "../../src/paging.ts";
import { type PageAddress, pageFile } from "./paths.ts";
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

/** A request's target as sent, from the first slash on, in two. */
export function splitTarget(target: string): Pick<Request, "path" | "query"> {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** An answer that holds if the files it needs exist; the first of them that does not gives its own answer. */
export interface Resolution {
  readonly answer: Answer;
  readonly needs: readonly { readonly file: string; readonly otherwise: Answer }[];
}

type TableOperation = RoutingTable["operations"][number];

export function resolve(table: RoutingTable, { method, path, query }: Request): Resolution {
  if (!table.methods.includes(method)) {
    return only(failure(table, table.methodNotAllowed, { Allow: table.methods.join(", ") }));
  }
  const operation = table.operations.find((each) => each.path === path);
  if (operation === undefined) return only(failure(table, table.notFound));
  return resolveParams(table, operation, query.split("&"));
}

/** What remains of a resolution once it is known which files there are. */
export function settle({ answer, needs }: Resolution, exists: (file: string) => boolean): Answer {
  return needs.find(({ file }) => !exists(file))?.otherwise ?? answer;
}

function resolveParams(table: RoutingTable, operation: TableOperation, pairs: readonly string[]): Resolution {
  const needs: { file: string; otherwise: Answer }[] = [];
  let page: PageAddress = { operation: operation.name };
  for (const param of operation.params) {
    const own = pairs.filter((pair) => pair === param.name || pair.startsWith(`${param.name}=`));
    const [pair, repeated] = own;
    if (pair === undefined) continue;
    const value = pair.slice(param.name.length + 1);
    const otherwise = failure(table, param.error);
    if (repeated !== undefined || !accepts(param, value)) return { answer: otherwise, needs };
    switch (param.kind) {
      case "limit":
        page = { ...page, limit: sizeFor(Number(value), param.sizes) };
        break;
      case "filter":
        page = { ...page, filter: { param: param.name, value } };
        // A listing has pages of every size, so any first page tells whether the value is known.
        needs.push({ file: pageFile(page), otherwise });
        break;
      case "cursor":
        page = { ...page, cursor: value };
        needs.push({ file: pageFile(page), otherwise });
        break;
    }
  }
  const headers = { ...table.headers, "Cache-Control": operation.cacheControl };
  return { answer: { status: 200, file: pageFile(page), headers }, needs };
}

function accepts(param: Param, value: string): boolean {
  if (param.kind !== "limit") return new RegExp(param.form).test(value);
  return (
    /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit && sizeFor(Number(value), param.sizes) !== undefined
  );
}

const only = (answer: Answer): Resolution => ({ answer, needs: [] });

const failure = (
  table: RoutingTable,
  { status, file }: { readonly status: number; readonly file: string },
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });
