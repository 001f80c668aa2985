// The requests that a build answers: one for each of its files, and those that get an error or depend on a rule of the
// host. A request has a kind, and a sample has some of each kind, so that a fault of one kind is found.
import { groupBy } from "../group-by.ts";
import type { Request } from "../hosts/host.ts";
import { clashesOf } from "../routing/combinations.ts";
import { dataFolder, isInDataFolder, itemFolder } from "../routing/paths.ts";
import type { RoutingTable, TableOperation } from "../routing/table.ts";
import type { Build } from "./build.ts";

export interface Listed {
  readonly kind: string;
  readonly request: Request;
  /** The page, item or document. Absent if the request is about a rule. */
  readonly file?: string;
}

export const get = (path: string, query = ""): Request => ({ method: "GET", path, query });

/** One for each page, item and document, then those about rules. */
export function requestsTo({ table, files }: Build): readonly Listed[] {
  const pages = files.flatMap((file) => pageAt(table, file) ?? []);
  const documents = table.documents.map(({ path, file }) => ({ kind: path, request: get(path), file }));
  const byRequest = new Map<string, Listed>();
  for (const listed of [...documents, ...pages, ...rulesOf(table, pages)]) {
    const { method, path, query } = listed.request;
    const target = `${method} ${path}?${query}`;
    if (!byRequest.has(target)) byRequest.set(target, listed);
  }
  return [...byRequest.values()];
}

/** `/region/lhr1/limit/5` is `region=lhr1&limit=5`. Undefined if no request leads to the file. */
function pageAt({ base, operations, folders }: RoutingTable, file: string): Listed | undefined {
  if (folders.length > 0 && isInDataFolder(base, file)) {
    return { kind: `${dataFolder(base)}/`, request: get(`/${file.replace(/\.html$/, "")}`), file };
  }
  const target = `/${file.replace(/\.json$/, "")}`;
  const operation = operations.find(({ path }) => `${target}/`.startsWith(`${path}/`));
  if (operation === undefined || !file.endsWith(".json")) return undefined;
  const { path, params, item } = operation;
  if (target === path) return { kind: path, request: get(path), file };
  const steps = target.slice(path.length + 1).split("/");
  if (`/${steps[0]}/` === itemFolder && steps.length - 1 === item?.parts) {
    return { kind: path + itemFolder, request: get([path, ...steps.slice(1)].join("/")), file };
  }
  const names = steps.filter((_, index) => index % 2 === 0);
  if (steps.length % 2 === 1 || !names.every((name) => params.some((param) => param.name === name))) return undefined;
  const query = names.map((name, index) => `${name}=${steps[2 * index + 1]}`).join("&");
  return { kind: `${path}?${names.join("&")}`, request: get(path, query), file };
}

function* rulesOf(table: RoutingTable, pages: readonly Listed[]): Generator<Listed> {
  const { base, documents, operations, folders, redirects } = table;
  const firsts = new Map(pages.toReversed().map((page) => [page.kind, page]));
  for (const operation of operations) yield* rulesOfOperation(table, operation, firsts);
  for (const { kind, request } of firsts.values()) {
    if (kind.includes(itemFolder)) yield* variants(kind, request);
    // Neither the order of the parameters nor an unknown one matters. A cursor belongs to one listing.
    const [pair, ...others] = request.query.split("&");
    if (others.length === 0) continue;
    const reversed = ["utm=1", ...others.toReversed(), pair].join("&");
    yield { kind: `${kind} in another order`, request: get(request.path, reversed) };
    yield { kind: `${kind} without the first`, request: get(request.path, others.join("&")) };
  }
  for (const { path } of redirects) yield { kind: "redirect", request: get(path) };
  for (const { path } of documents) yield* variants("document", get(path));
  for (const { path } of folders) yield* variants("no page of a table", get(`${path}/nope/2`));
  yield* variants("no path", get(`${base}/nope`));
}

/** The end of a kind. */
const aboutSizes = "with a limit";

/** `firsts`: a page or item of each kind. */
function* rulesOfOperation(
  { operations }: RoutingTable,
  operation: TableOperation,
  firsts: ReadonlyMap<string, Listed>,
): Generator<Listed> {
  const { path, params, item } = operation;
  const own = params.map(({ name }) => name);
  const pairOf = (name: string) => firsts.get(`${path}?${name}`)?.request.query ?? `${name}=zzz9`;
  const about = (kind: string, ...queries: readonly string[]): readonly Listed[] =>
    queries.map((query) => ({ kind: `${path} ${kind}`, request: get(path, query) }));
  for (const param of params) {
    const { name } = param;
    // A stale configuration has other page sizes: its answers differ at a size or below the next one.
    const sizes = param.kind === "limit" ? [...param.sizes.flatMap((size) => [size - 1, size]), 100, 101] : [];
    yield* about(aboutSizes, ...sizes.map((size) => `${name}=${size}`));
    const wrong = ["=zzz9", "=", "=%2e", "=k00000000000000000000000000000000", ""].map((end) => name + end);
    yield* about(`with a wrong ${name}`, ...wrong, `${pairOf(name)}&${pairOf(name)}`);
  }
  for (const end of ["=zzz9", "="]) yield* about("with several faults", own.map((name) => name + end).join("&"));
  for (const clash of clashesOf(operation)) {
    yield* about("with filters that do not go together", clash.params.map(({ name }) => pairOf(name)).join("&"));
  }
  const foreign = operations.flatMap((other) => other.params.filter(({ name }) => !own.includes(name)));
  yield* about("ignores", "utm=1", ...foreign.map(({ name }) => `${name}=zzz9`));
  yield* variants(path, get(path));
  for (const method of ["HEAD", "OPTIONS"]) {
    yield { kind: `${method} ${path} with a fault`, request: { ...get(path, "limit=0"), method } };
  }
  yield { kind: "path that is too long", request: get(`${path}x`) };
  if (item === undefined) return;
  yield* variants(`missing ${path}${itemFolder}`, get([path, ...Array(item.parts).fill("zzz9")].join("/")));
}

/** A path as it is, with a query, which only operations look at, and with other methods. */
function* variants(kind: string, request: Request): Generator<Listed> {
  yield { kind, request };
  yield { kind: `${kind} with a query`, request: { ...request, query: "limit=0" } };
  for (const method of ["HEAD", "OPTIONS", "POST", "DELETE"]) {
    yield { kind: `${method} ${kind}`, request: { ...request, method } };
  }
}

/** How many requests of a kind a sample has, and how many limits. */
const [fewOfKind, fewSizes] = [4, 16];

/** The most pages of a walk that are all in a sample. Of a longer one, the last page is. */
const shortWalk = 20;

/** Some of each kind, and the rest of every walk on which a page among them lies. */
export function sampleOf(build: Build, list: readonly Listed[]): readonly Listed[] {
  const chosen = [...groupBy(list, ({ kind }) => kind)].flatMap(([kind, all]) =>
    spread(all, kind.endsWith(aboutSizes) ? fewSizes : fewOfKind),
  );
  const pages = chosen.filter(({ request }) => build.table.operations.some(({ path }) => path === request.path));
  const firsts = new Set(pages.flatMap(({ file }) => file?.replace(/\/cursor\/[^/]+(?=\.json$)/, "") ?? []));
  const walks = new Set([...firsts].flatMap((first) => walkFrom(build, first)));
  return [...new Set([...chosen, ...list.filter(({ file }) => file !== undefined && walks.has(file))])];
}

/** Evenly spaced. */
function spread<Entry>(list: readonly Entry[], most: number): readonly Entry[] {
  if (list.length <= most) return list;
  const places = Array.from({ length: most }, (_, index) => Math.floor((index * (list.length - 1)) / (most - 1)));
  return places.flatMap((place) => list[place] ?? []);
}

/** The files of the pages that a client reaches from the first page of a listing, or the last of many. */
function walkFrom({ read }: Build, first: string): readonly string[] {
  const files = [first];
  for (const file of files) {
    const [, cursor] = /"next_cursor":"(\w+)"\}\}$/.exec(read(file)?.subarray(-100).toString() ?? "") ?? [];
    if (cursor !== undefined) files.push(first.replace(/\.json$/, `/cursor/${cursor}.json`));
  }
  return files.length > shortWalk ? files.slice(-1) : files;
}
