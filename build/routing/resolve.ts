// The executable meaning of the routing table. The preview runs it, a worker bundles it, and every host's configuration
// is tested against it over the same requests. It is pure and needs no Node.
//
// The checks come in this order: method (405), path (404), OPTIONS (204), then which filters are sent together, then the
// values of the operation's parameters in the order of the table (400). Names, values and keys of items are compared as
// sent, without percent-decoding; other parameters are ignored; a parameter that is empty, without "=" or repeated is
// invalid. OPTIONS at the path of an item has the same answer whether or not the item exists: a browser reads a 404 only
// if its preflight passes.

import { capturingPattern, withFields } from "../../src/model/output-path.ts";
import { pathForm } from "../../src/model/path-form.ts";
import { conflictIn, fileOfParts, type Param, paramsOf, partOf } from "./params.ts";
import { itemFile } from "./paths.ts";
import type { ErrorAnswer, RoutingTable, TableDocument, TableOperation, Tables } from "./table.ts";

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
  if (table.addresses === "files") return resolveFile(table, path);
  const operation = table.operations.find((operation) => operation.path === path);
  const document = table.documents.find((document) => document.path === path);
  const holder = table.operations.find((list) => isItemPath(list, path));
  const output = outputAt(table, path);
  if (isPreflight && (operation ?? document ?? holder ?? output) !== undefined) {
    return only(empty(table, 204, table.preflight));
  }
  if (operation !== undefined) return resolveParams(table, operation, query.split("&"));
  if (document !== undefined) return only(page(table, document.file, documentHeaders(document)));
  if (holder !== undefined) {
    const file = itemFile(holder.path, path.slice(holder.path.length + 1));
    return ifThere(table, page(table, file, answerHeaders(holder)));
  }
  if (output !== undefined) {
    const answer = page(table, fileOfOutput(output, path), documentHeaders(output));
    return { answer, needs: [{ file: answer.file, otherwise: nothing(table, path) }] };
  }
  const to = table.redirects.find((redirect) => redirect.path === path)?.to;
  if (to === undefined || isPreflight) return only(nothing(table, path));
  return only(empty(table, 308, { Location: to, "Cache-Control": table.errorCacheControl }));
}

/** A host that only serves files has each at its path, and the index of a folder at the path of the folder. */
function resolveFile(table: RoutingTable, path: string): Resolution {
  const { mount = "" } = table;
  if (!path.startsWith(`${mount}/`)) return only(failure(table, table.notFound));
  const file = path.slice(mount.length + 1).replace(/^$|(?<=\/)$/, "index.html");
  const document = table.documents.find((document) => document.file === file);
  const about = document ?? outputOfFile(table, file);
  return ifThere(table, page(table, file, about === undefined ? {} : documentHeaders(about)));
}

/** Whether a path is one of the API, or that of a document or output outside of its base. */
const hasPath = (table: RoutingTable, path: string): boolean =>
  path === table.base ||
  path.startsWith(`${table.base}/`) ||
  table.documents.some((document) => document.path === path || `/${document.file}` === path) ||
  outputAt(table, path) !== undefined;

/** The table of the API to which a path belongs. All paths that belong to none are those of the first. */
export function tableFor(tables: Tables, path: string): RoutingTable {
  const [first] = tables;
  const { mount = "" } = first;
  const inRoot = path.startsWith(`${mount}/`) ? path.slice(mount.length) : path;
  return tables.find((table) => hasPath(table, inRoot)) ?? first;
}

/** The answer, from the files that exist. */
export function settle({ answer, needs }: Resolution, exists: (file: string) => boolean): Answer {
  return needs.find(({ file }) => !exists(file))?.otherwise ?? answer;
}

function resolveParams(table: RoutingTable, operation: TableOperation, pairs: readonly string[]): Resolution {
  const pairsOf = ({ name }: Param) => pairs.filter((pair) => pair === name || pair.startsWith(`${name}=`));
  const sent = paramsOf(operation).filter((param) => pairsOf(param).length > 0);
  const conflict = conflictIn(
    operation,
    sent.map(({ name }) => name),
  );
  if (conflict !== undefined) return only(failure(table, conflict));
  const needs: { file: string; otherwise: Answer }[] = [];
  const parts = new Map<string, string>();
  for (const param of sent) {
    const [pair = "", repeated] = pairsOf(param);
    const part = repeated === undefined ? partOf(param, pair.slice(param.name.length + 1)) : undefined;
    const otherwise = failure(table, param.error);
    if (part === undefined) return { answer: otherwise, needs };
    parts.set(param.name, part);
    // A value is known if it has a page of its filter alone, whatever the other parameters are.
    if (param.kind === "filter") needs.push({ file: fileOfParts(operation, new Map([[param.name, part]])), otherwise });
    if (param.kind === "cursor") needs.push({ file: fileOfParts(operation, parts), otherwise });
  }
  return { answer: page(table, fileOfParts(operation, parts), answerHeaders(operation)), needs };
}

/** The headers of a page or an item that other answers lack. */
export const answerHeaders = ({ cacheControl, headers }: TableOperation): RoutingTable["headers"] => ({
  "Cache-Control": cacheControl,
  ...headers,
});

/** The headers of a document, or of a file of an output, that other answers lack. */
export const documentHeaders = ({
  contentType,
  cacheControl,
  headers,
}: Pick<TableDocument, "contentType" | "cacheControl" | "headers">): RoutingTable["headers"] => ({
  "Content-Type": contentType,
  "Cache-Control": cacheControl,
  ...headers,
});

/** Whether a path has the form of the path of one of the operation's items. */
export const isItemPath = ({ path: folder, itemKeyParts }: TableOperation, path: string): boolean =>
  itemKeyParts !== undefined && isBelow(folder, path, itemKeyParts);

/** The outputs of which there is a file for each item. */
export const outputsOf = ({ outputs = [] }: Pick<RoutingTable, "outputs">): readonly TableDocument[] => outputs;

/**
 * The output that has a file for each item at paths like this one, in which a value that has the form of keys replaces
 * `{id}`. The file need not exist.
 */
export const outputAt = (table: Pick<RoutingTable, "outputs">, path: string): TableDocument | undefined =>
  outputsOf(table).find((output) => formOfOutput(output.path).test(path));

/** The output to which a file may belong. */
export const outputOfFile = (table: Pick<RoutingTable, "outputs">, file: string): TableDocument | undefined =>
  outputsOf(table).find((output) => formOfOutput(output.file).test(file));

type OutputPlaces = Pick<TableDocument, "path" | "file">;

/** The file that an output has for a path of its form. */
export const fileOfOutput = ({ path: form, file }: OutputPlaces, path: string): string =>
  withFields(file, formOfOutput(form).exec(path)?.[1] ?? "");

/** The path of a file of an output. */
export const pathOfOutput = ({ path, file: form }: OutputPlaces, file: string): string =>
  withFields(path, formOfOutput(form).exec(file)?.[1] ?? "");

/** By the path of an output, or of its files, the form of these paths: compiling it takes longer than using it. */
const formsOfOutputs = new Map<string, RegExp>();

function formOfOutput(path: string): RegExp {
  const form = formsOfOutputs.get(path) ?? new RegExp(`^${capturingPattern(path)}$`);
  formsOfOutputs.set(path, form);
  return form;
}

const ofPart = new RegExp(pathForm);

/** Whether a path is below a folder, by so many parts. */
function isBelow(folder: string, path: string, count: number): boolean {
  if (!path.startsWith(`${folder}/`)) return false;
  const parts = path.slice(folder.length + 1).split("/");
  return parts.length === count && parts.every((part) => ofPart.test(part));
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

/** The answer at a path where there is nothing. */
const nothing = (table: RoutingTable, path: string): Answer => failure(table, missingAt(table, path));

export const missingAt = (table: RoutingTable, path: string): ErrorAnswer =>
  notFoundPlaces(table).find((place) => isIn(place, path))?.answer ?? table.notFound;

/** Some of the paths at which there is nothing, and their answer. */
export interface NotFoundPlace {
  /** A path, which stands for all below it too, or, if it ends with a slash, only for those below it. */
  readonly path: string;
  readonly answer: ErrorAnswer;
}

/**
 * The first place that has a path counts. A path that none has is answered with `notFound`. If the front page is that of the
 * API, `/api/v1/docs/` is for people, `/api` is not, and `/` is.
 */
export function notFoundPlaces({ lost, notFound }: Pick<RoutingTable, "lost" | "notFound">): readonly NotFoundPlace[] {
  if (lost === undefined) return [];
  const { folder, outside } = lost;
  const below = { path: folder, answer: lost };
  if (outside === undefined) return [below];
  return [below, { path: outside, answer: notFound }, { path: "/", answer: lost }];
}

const isIn = ({ path: place }: NotFoundPlace, path: string): boolean =>
  place.endsWith("/") ? path.startsWith(place) : path === place || path.startsWith(`${place}/`);

/** An answer with an error. `more`: further headers. */
export const failure = (
  table: RoutingTable,
  { status, file, contentType }: ErrorAnswer,
  more: RoutingTable["headers"] = {},
): Answer & { readonly file: string } => ({
  status,
  file,
  headers: {
    ...table.headers,
    "Cache-Control": table.errorCacheControl,
    ...(contentType !== undefined && { "Content-Type": contentType }),
    ...more,
  },
});
