// The executable meaning of the routing table. The preview runs it, a worker bundles it, and every host's configuration
// is tested against it over the same requests. It is pure and needs no Node.
//
// The checks come in this order: method (405), path (404), OPTIONS (204), then which filters are sent together, then the
// values of the operation's parameters in the order of the table (400). Names, values and keys of items are compared as
// sent, without percent-decoding; other parameters are ignored; a parameter that is empty, without "=" or repeated is
// invalid. OPTIONS at the path of an item has the same answer whether or not the item exists: a browser reads a 404 only
// if its preflight passes.

import { clashOf, fileOfParts, partOf } from "./params.ts";
import { itemFile } from "./paths.ts";
import type { Param, RoutingTable, TableDocument, TableError, TableOperation } from "./table.ts";

/** A request as a client sends it. */
export interface Request {
  readonly method: string;
  /** As sent: from the first slash up to the question mark. */
  readonly path: string;
  /** As sent, without the question mark; empty if the target has none. */
  readonly query: string;
  /** Names in lowercase. Absent if they are irrelevant, as for the table, which ignores them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Relative to the publish root. Undefined: the answer has no body from the API. */
  readonly file: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Splits the target of a request, as sent. */
export function splitTarget(target: string): Pick<Request, "path" | "query"> {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The answer, if all needed files exist. The first missing file replaces it with the answer beside the file. */
export interface Resolution {
  readonly answer: Answer;
  readonly needs: readonly { readonly file: string; readonly otherwise: Answer }[];
}

export function resolve(table: RoutingTable, { method, path, query }: Request): Resolution {
  const isPreflight = method === "OPTIONS";
  if (!isPreflight && !table.methods.includes(method)) {
    return only(failure(table, table.methodNotAllowed, { Allow: table.allow }));
  }
  const operation = table.operations.find((each) => each.path === path);
  const document = table.documents.find((each) => each.path === path);
  const holder = table.operations.find((each) => isItemPath(each, path));
  const folder = table.folders.find((each) => isBelow(each.path, path, each.least, each.most, each.form));
  if (isPreflight && (operation ?? document ?? holder ?? folder) !== undefined) {
    return only(empty(table, 204, table.preflight));
  }
  if (operation !== undefined) return resolveParams(table, operation, query.split("&"));
  if (document !== undefined) return only(page(table, document.file, documentHeaders(document)));
  if (holder !== undefined) {
    const file = itemFile(holder.path, path.slice(holder.path.length + 1));
    return ifThere(table, page(table, file, answerHeaders(holder)));
  }
  if (folder !== undefined) return ifThere(table, page(table, `${path.slice(1)}.html`, documentHeaders(folder)));
  const to = table.redirects.find((each) => each.path === path)?.to;
  if (to === undefined || isPreflight) return only(failure(table, table.notFound));
  return only(empty(table, 308, { Location: to, "Cache-Control": table.errorCacheControl }));
}

/** The answer, once it is known which files exist. */
export function settle({ answer, needs }: Resolution, exists: (file: string) => boolean): Answer {
  return needs.find(({ file }) => !exists(file))?.otherwise ?? answer;
}

function resolveParams(table: RoutingTable, operation: TableOperation, pairs: readonly string[]): Resolution {
  const pairsOf = ({ name }: Param) => pairs.filter((pair) => pair === name || pair.startsWith(`${name}=`));
  const sent = operation.params.filter((param) => pairsOf(param).length > 0);
  const clash = clashOf(operation, sent);
  if (clash !== undefined) return only(failure(table, clash));
  const needs: { file: string; otherwise: Answer }[] = [];
  const parts = new Map<string, string>();
  for (const param of sent) {
    const [pair = "", repeated] = pairsOf(param);
    const part = repeated === undefined ? partOf(param, pair.slice(param.name.length + 1)) : undefined;
    const otherwise = failure(table, param.error);
    if (part === undefined) return { answer: otherwise, needs };
    parts.set(param.slot, part);
    // A value is known if it has a page without any other parameter, whatever the other filters are.
    if (param.kind === "filter") needs.push({ file: fileOfParts(operation, new Map([[param.slot, part]])), otherwise });
    if (param.kind === "cursor") needs.push({ file: fileOfParts(operation, parts), otherwise });
  }
  return { answer: page(table, fileOfParts(operation, parts), answerHeaders(operation)), needs };
}

/** The headers of a page or an item that other answers lack. */
export const answerHeaders = ({ cacheControl, headers }: TableOperation): RoutingTable["headers"] => ({
  "Cache-Control": cacheControl,
  ...headers,
});

const documentHeaders = ({ contentType, cacheControl }: Pick<TableDocument, "contentType" | "cacheControl">) => ({
  "Content-Type": contentType,
  "Cache-Control": cacheControl,
});

/** Whether a path has the form of the path of one of the operation's items. */
export const isItemPath = ({ path: own, item }: TableOperation, path: string): boolean =>
  item !== undefined && isBelow(own, path, item.parts, item.parts, item.form);

/** Whether a path is below another one, by so many parts of a form. */
function isBelow(own: string, path: string, least: number, most: number, form: string): boolean {
  if (!path.startsWith(`${own}/`)) return false;
  const parts = path.slice(own.length + 1).split("/");
  const ofPart = new RegExp(form);
  return parts.length >= least && parts.length <= most && parts.every((part) => ofPart.test(part));
}

/** The headers of every answer without a body. */
export const bodiless = ({ headers: { "Content-Type": _, ...headers } }: Pick<RoutingTable, "headers">) => headers;

const empty = (table: RoutingTable, status: number, headers: RoutingTable["headers"]): Answer => ({
  status,
  file: undefined,
  headers: { ...bodiless(table), ...headers },
});

const page = (table: RoutingTable, file: string, headers: RoutingTable["headers"]) => ({
  status: 200,
  file,
  headers: { ...table.headers, ...headers },
});

const only = (answer: Answer): Resolution => ({ answer, needs: [] });

const ifThere = (table: RoutingTable, answer: Answer & { readonly file: string }): Resolution => ({
  answer,
  needs: [{ file: answer.file, otherwise: failure(table, table.notFound) }],
});

const failure = (
  table: RoutingTable,
  { status, file }: Pick<TableError, "status" | "file">,
  headers: RoutingTable["headers"] = {},
): Answer => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });
