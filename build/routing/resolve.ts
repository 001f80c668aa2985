// The executable meaning of the routing table. The preview runs it, a worker bundles it, and every host's configuration
// is tested against it over the same requests. It is pure and needs no Node.
//
// The checks come in this order: method (405), path (404), OPTIONS (204), then which filters are sent together, then the
// values of the operation's parameters in the order of the table (400). Names, values and keys of items are compared as
// sent, without percent-decoding; other parameters are ignored; a parameter that is empty, without "=" or repeated is
// invalid. OPTIONS at the path of an item has the same answer whether or not the item exists: a browser reads a 404 only
// if its preflight passes.

import { clashOf } from "./combinations.ts";
import { fileOfParts, partOf } from "./parts.ts";
import { itemFile } from "./paths.ts";
import type { Param, RoutingTable, TableDocument, TableFolder, TableOperation } from "./table.ts";

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
  const folder = table.folders.find((each) => isInFolder(each, path));
  if (isPreflight && (operation ?? document ?? holder ?? folder) !== undefined) return only(preflight(table));
  if (operation !== undefined) return resolveParams(table, operation, query.split("&"));
  if (document !== undefined) return only(whole(table, document));
  if (holder !== undefined) return single(table, holder, path);
  if (folder !== undefined) return further(table, folder, path);
  const redirect = table.redirects.find((each) => each.path === path);
  if (redirect !== undefined && !isPreflight) return only(redirection(table, redirect.to));
  return only(failure(table, table.notFound));
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
  const headers = { ...table.headers, ...answerHeaders(operation, sent) };
  return { answer: { status: 200, file: fileOfParts(operation, parts), headers }, needs };
}

/** The headers of a page or an item that others lack, from the parameters that a request sends. */
export function answerHeaders(
  { cacheControl, notices = [] }: TableOperation,
  sent: readonly Param[],
): RoutingTable["headers"] {
  const notice = notices.find(({ param }) => param === undefined || sent.some(({ name }) => name === param));
  return { "Cache-Control": cacheControl, ...notice?.headers };
}

/** Whether a path has the form of the path of one of the operation's items. */
export function isItemPath({ path: own, item }: TableOperation, path: string): boolean {
  if (item === undefined || !path.startsWith(`${own}/`)) return false;
  const parts = path.slice(own.length + 1).split("/");
  const form = new RegExp(item.form);
  return parts.length === item.parts && parts.every((part) => form.test(part));
}

/** The query of a request for a single item is ignored. */
function single(table: RoutingTable, operation: TableOperation, path: string): Resolution {
  const file = itemFile(operation.path, path.slice(operation.path.length + 1));
  const headers = { ...table.headers, ...answerHeaders(operation, []) };
  return { answer: { status: 200, file, headers }, needs: [{ file, otherwise: failure(table, table.notFound) }] };
}

/** Whether a path has the form of the path of a document in a folder. */
function isInFolder({ path: own, least, most, form }: TableFolder, path: string): boolean {
  if (!path.startsWith(`${own}/`)) return false;
  const parts = path.slice(own.length + 1).split("/");
  const ofPart = new RegExp(form);
  return parts.length >= least && parts.length <= most && parts.every((part) => ofPart.test(part));
}

/** The query is ignored. */
function further(table: RoutingTable, folder: TableFolder, path: string): Resolution {
  const file = `${path.slice(1)}.html`;
  const { answer } = only(whole(table, { ...folder, file }));
  return { answer, needs: [{ file, otherwise: failure(table, table.notFound) }] };
}

/** The headers of every answer without a body. */
export const bodiless = ({ headers: { "Content-Type": _, ...headers } }: Pick<RoutingTable, "headers">) => headers;

const preflight = (table: RoutingTable): Answer => ({
  status: 204,
  file: undefined,
  headers: { ...bodiless(table), ...table.preflight },
});

const redirection = (table: RoutingTable, to: string): Answer => ({
  status: 308,
  file: undefined,
  headers: { ...bodiless(table), Location: to, "Cache-Control": table.errorCacheControl },
});

const whole = (
  { headers }: RoutingTable,
  { file, contentType, cacheControl }: Omit<TableDocument, "path">,
): Answer => ({
  status: 200,
  file,
  headers: { ...headers, "Content-Type": contentType, "Cache-Control": cacheControl },
});

const only = (answer: Answer): Resolution => ({ answer, needs: [] });

const failure = (
  table: RoutingTable,
  { status, file }: { readonly status: number; readonly file: string },
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });
