// The requests that a build answers: one for each of its files, and those that get an error or depend on a rule of the
// host. A request has a kind, and a sample has some of each kind, so that a fault of one kind is found.
import { groupBy } from "../group-by.ts";
import type { Request } from "../hosts/host.ts";
import { clashesOf } from "../routing/combinations.ts";
import { dataFolder, isInDataFolder, itemFolder } from "../routing/paths.ts";
import { resolve, settle, splitTarget } from "../routing/resolve.ts";
import type { RoutingTable, TableOperation } from "../routing/table.ts";
import type { Build } from "./build.ts";

export interface Listed {
  readonly kind: string;
  readonly request: Request;
  /** The page, item or document. Absent if the request is about a rule. */
  readonly file?: string;
}

const get = (path: string, ...pairs: readonly string[]): Request => ({ method: "GET", path, query: pairs.join("&") });

/** One for each page, item and document, then those about rules. */
export function requestsTo({ table, files }: Build): readonly Listed[] {
  const documents = table.documents.map(({ path, file }) => ({ kind: path, request: get(path), file }));
  const pages = files.flatMap((file) => pageAt(table, file) ?? []);
  const byKind = groupBy(pages, ({ kind }) => kind);
  const firstOf = (kind: string): Request | undefined => byKind.get(kind)?.[0]?.request;
  const list: readonly Listed[] = [
    ...documents,
    ...pages,
    ...table.operations.flatMap((operation) => rulesOf(table, operation, firstOf)),
    ...[...byKind.values()].flatMap(([first]) => withOtherQueries(first)),
    ...table.redirects.map(({ path }) => ({ kind: "redirect", request: get(path) })),
    ...table.documents.flatMap(({ path }) => [
      ...withMethods("document", get(path)),
      { kind: "document with a query", request: get(path, "limit=0") },
    ]),
    ...withMethods("no path", get(`${table.base}/nope`)),
    ...table.folders.flatMap(({ path }) => withMethods("no page of a table", get(`${path}/nope/2`))),
    { kind: "no path", request: get(`${table.base}/nope`) },
    { kind: "no path with a query", request: get(`${table.base}/nope`, "limit=0") },
  ];
  return [...groupBy(list, ({ request: { method, path, query } }) => `${method} ${path}?${query}`).values()].map(
    ([first]) => first,
  );
}

/** `/region/lhr1/limit/5` is `region=lhr1&limit=5`. Undefined if no request leads to the file. */
function pageAt({ base, operations, folders }: RoutingTable, file: string): Listed | undefined {
  if (folders.length > 0 && isInDataFolder(base, file)) {
    return { kind: `${dataFolder(base)}/`, request: get(`/${file.slice(0, -".html".length)}`), file };
  }
  for (const { path, params, item } of operations) {
    if (`/${file}` === `${path}.json`) return { kind: path, request: get(path), file };
    if (!`/${file}`.startsWith(`${path}/`) || !file.endsWith(".json")) continue;
    const steps = file.slice(path.length, -".json".length).split("/");
    if (steps.length - 1 === item?.parts && `/${steps[0]}/` === itemFolder) {
      return { kind: `${path}${itemFolder}`, request: get([path, ...steps.slice(1)].join("/")), file };
    }
    const pairs = steps.flatMap((step, index) => (index % 2 === 0 ? `${step}=${steps[index + 1]}` : []));
    const names = pairs.map((pair) => pair.slice(0, pair.indexOf("=")));
    if (steps.length % 2 === 1 || !names.every((name) => params.some((param) => param.name === name))) continue;
    return { kind: `${path}?${names.join("&")}`, request: get(path, ...pairs), file };
  }
  return undefined;
}

/** The end of a kind. */
const aboutSizes = "with a limit";

const withMethods = (kind: string, request: Request): readonly Listed[] =>
  ["HEAD", "OPTIONS", "POST", "DELETE"].map((method) => ({
    kind: `${method} ${kind}`,
    request: { ...request, method },
  }));

/** `firstOf`: a request for a page of a kind. */
function rulesOf(
  { operations }: RoutingTable,
  operation: TableOperation,
  firstOf: (kind: string) => Request | undefined,
): readonly Listed[] {
  const { path, params, item } = operation;
  const own = params.map(({ name }) => name);
  const foreign = operations.flatMap((other) => other.params.map(({ name }) => name));
  const pairOf = (name: string) => firstOf(`${path}?${name}`)?.query ?? `${name}=zzz9`;
  const wrong = (name: string) =>
    ["zzz9", "", "%2e", "k00000000000000000000000000000000"].map((each) => `${name}=${each}`);
  const about = (kind: string, ...queries: readonly string[]): readonly Listed[] =>
    queries.map((query) => ({ kind: `${path} ${kind}`, request: get(path, query) }));
  return [
    ...params.flatMap((param) => {
      const { name } = param;
      // A stale configuration has other page sizes: its answers differ at a size or below the next one.
      const sizes = param.kind === "limit" ? [...param.sizes.flatMap((size) => [size - 1, size]), 100, 101] : [];
      return [
        ...about(aboutSizes, ...new Set(sizes.map((size) => `${name}=${size}`))),
        ...about(`with a wrong ${name}`, ...wrong(name), name, `${pairOf(name)}&${pairOf(name)}`),
      ];
    }),
    ...about(
      "with several faults",
      own.map((name) => `${name}=zzz9`).join("&"),
      own.map((name) => `${name}=`).join("&"),
    ),
    ...clashesOf(operation).flatMap((clash) =>
      about("with filters that do not go together", clash.params.map(({ name }) => pairOf(name)).join("&")),
    ),
    ...about(
      "ignores",
      "utm=1",
      ...new Set(foreign.filter((name) => !own.includes(name)).map((name) => `${name}=zzz9`)),
    ),
    ...withMethods(path, get(path)),
    ...withMethods(`${path} with a fault`, get(path, "limit=0")).slice(0, 2),
    { kind: "path that is too long", request: get(`${path}x`) },
    ...(item === undefined ? [] : itemRules(path, item.parts, firstOf(`${path}${itemFolder}`))),
  ];
}

function itemRules(path: string, parts: number, known: Request | undefined): readonly Listed[] {
  const missing = get([path, ...Array(parts).fill("zzz9")].join("/"));
  const kind = `${path}${itemFolder}`;
  return [
    { kind: `missing ${kind}`, request: missing },
    ...withMethods(`missing ${kind}`, missing),
    ...(known === undefined
      ? []
      : [...withMethods(kind, known), { kind: `${kind} with a query`, request: { ...known, query: "limit=0" } }]),
  ];
}

/** Neither the order of the parameters nor an unknown one matters. A cursor belongs to one listing. */
function withOtherQueries(first: Listed | undefined): readonly Listed[] {
  if (first === undefined || !first.kind.includes("&")) return [];
  const { kind, request } = first;
  const pairs = request.query.split("&");
  return [
    { kind: `${kind} in another order`, request: get(request.path, "utm=1", ...pairs.toReversed()) },
    { kind: `${kind} without the first`, request: get(request.path, ...pairs.slice(1)) },
  ];
}

/** How many requests of a kind a sample has, how many limits, and the items in which it looks for aliases. */
const [fewOfKind, fewSizes, fewItems] = [4, 16, 500];

/** The most pages of a walk that are all in a sample. Of a longer one, the last page is. */
const shortWalk = 20;

/** Some of each kind, aliases of items, and the rest of every walk on which a page among them lies. */
export function sampleOf(build: Build, list: readonly Listed[]): readonly Listed[] {
  const chosen = [...groupBy(list, ({ kind }) => kind)].flatMap(([kind, all]) => {
    if (!kind.endsWith(itemFolder)) return spread(all, kind.endsWith(aboutSizes) ? fewSizes : fewOfKind);
    const aliases = spread(all, fewItems).filter((each) => isAlias(build, each));
    return [...spread(all, fewOfKind), ...spread(aliases, fewOfKind)];
  });
  const pages = chosen.filter(({ file }) => file !== undefined);
  const walks = new Map(pages.map((each) => [listingOf(each.request), each]));
  const others = new Set([...walks.values()].flatMap((each) => restOf(build, each)));
  return [...new Set([...chosen, ...list.filter(({ file }) => file !== undefined && others.has(file))])];
}

/** Evenly spaced. */
function spread<Entry>(list: readonly Entry[], most: number): readonly Entry[] {
  if (list.length <= most) return list;
  const places = Array.from({ length: most }, (_, index) => Math.floor((index * (list.length - 1)) / (most - 1)));
  return places.flatMap((place) => list[place] ?? []);
}

/** Whether the path names an item by another name than its key. */
function isAlias({ read }: Build, { file = "" }: Listed): boolean {
  const values = Object.values(JSON.parse(read(file)?.toString() ?? "{}")).map(String);
  const key = file.slice(file.indexOf(itemFolder) + itemFolder.length, -".json".length);
  return !key.split("/").every((part) => values.includes(part));
}

/** A request without its cursor. */
const listingOf = ({ path, query }: Request): string =>
  `${path}?${query
    .split("&")
    .filter((pair) => !pair.startsWith("cursor="))
    .join("&")}`;

/** The files of the pages that a client reaches from the first page of a listing, or the last of many. */
function restOf({ table, exists, read }: Build, { request }: Listed): readonly string[] {
  const { path, query } = splitTarget(listingOf(request));
  const at = (pairs: string) => settle(resolve(table, { method: "GET", path, query: pairs }), exists).file;
  const files: string[] = [];
  for (let file = at(query); file !== undefined; ) {
    files.push(file);
    const [, cursor] = /"next_cursor":"(\w+)"\}\}$/.exec(read(file)?.subarray(-100).toString() ?? "") ?? [];
    file = cursor === undefined ? undefined : at(`${query}&cursor=${cursor}`);
  }
  return files.length > shortWalk ? files.slice(-1) : files;
}
