// The requests that a build answers: one for each of its files, and those that get an error or depend on a rule of the
// host. A request has a kind, and a sample has some of each kind, so that a fault of one kind is found.
import type { Request } from "../hosts/host.ts";
import { withPlaceholders } from "../hosts/view.ts";
import { conflictsOf, paramsOf } from "../routing/params.ts";
import { itemFolder } from "../routing/paths.ts";
import { outputOfFile, outputsOf, pathOfOutput } from "../routing/resolve.ts";
import type { RoutingTable, TableOperation } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";

export interface Listed {
  readonly kind: string;
  readonly request: Request;
  /** The page, item or document. Absent if the request is about a rule. */
  readonly file?: string;
}

interface ListedFile extends Listed {
  readonly file: string;
}

export const get = (path: string, query = ""): Request => ({ method: "GET", path, query });

/** One for each page, item and document, then those about rules. The paths are below the mount of the table. */
export function requestsTo(table: RoutingTable, files: readonly string[]): readonly Listed[] {
  const pages = files.flatMap((file) => pageAt(table, file) ?? []);
  const documents = table.documents.map(({ path, file }) => ({ kind: path, request: get(path), file }));
  const isOfFiles = table.addresses === "files";
  const answered = [...documents, ...pages].map((listed) =>
    isOfFiles ? { ...listed, request: get(`/${listed.file}`) } : listed,
  );
  const byRequest = new Map<string, Listed>();
  for (const listed of [...answered, ...rulesOf(table, pages)]) {
    const { method, path, query } = listed.request;
    const target = `${method} ${path}?${query}`;
    if (!byRequest.has(target)) byRequest.set(target, listed);
  }
  return [...byRequest.values()];
}

/** `/region/lhr1/limit/5` is `region=lhr1&limit=5`. Undefined if the file is no page, item or output. */
function pageAt(table: RoutingTable, file: string): ListedFile | undefined {
  const { operations } = table;
  const output = outputOfFile(table, file);
  if (output !== undefined) return { kind: output.path, request: get(pathOfOutput(output, file)), file };
  const target = `/${file.replace(/\.json$/, "")}`;
  const path = operations.find((operation) => `${target}/`.startsWith(`${operation.path}/`))?.path;
  if (path === undefined) return undefined;
  if (target === path) return { kind: path, request: get(path), file };
  const rest = target.slice(path.length);
  if (rest.startsWith(itemFolder)) {
    return { kind: path + itemFolder, request: get(`${path}/${rest.slice(itemFolder.length)}`), file };
  }
  const pairs = [...rest.matchAll(/\/([^/]+)\/([^/]+)/g)].map(([, name = "", value = ""]) => ({ name, value }));
  const query = pairs.map(({ name, value }) => `${name}=${value}`).join("&");
  return { kind: `${path}?${pairs.map(({ name }) => name).join("&")}`, request: get(path, query), file };
}

function* rulesOf(table: RoutingTable, pages: readonly Listed[]): Generator<Listed> {
  const { base, documents, operations, redirects } = table;
  const firsts = new Map(pages.toReversed().map((page) => [page.kind, page.request]));
  for (const operation of operations) yield* rulesOfOperation(operation, firsts);
  for (const [kind, request] of firsts) {
    if (kind.includes(itemFolder)) yield* variants(kind, request);
    // Neither the order of the parameters nor an unknown one matters.
    const pairs = [...request.query.split("&"), "utm=1"].toReversed();
    if (pairs.length > 2) yield { kind: `${kind} in another order`, request: get(request.path, pairs.join("&")) };
  }
  for (const { path } of redirects) yield { kind: "redirect", request: get(path) };
  for (const { path } of documents) yield* variants("document", get(path));
  for (const output of outputsOf(table)) {
    yield* variants(`missing ${output.path}`, get(withPlaceholders(output, "zzz9")));
  }
  yield* variants("no path", get(`${base}/nope`));
}

/** The end of a kind. */
const aboutSizes = "with a limit";

/** `firsts`: a request for a page or item of each kind. */
function* rulesOfOperation(operation: TableOperation, firsts: ReadonlyMap<string, Request>): Generator<Listed> {
  const { path, itemKeyParts } = operation;
  const params = paramsOf(operation);
  const pairOf = (name: string) => firsts.get(`${path}?${name}`)?.query ?? `${name}=zzz9`;
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
  yield* about("with several faults", params.map(({ name }) => `${name}=zzz9`).join("&"));
  for (const { filters } of conflictsOf(operation)) {
    yield* about("with filters that do not go together", filters.map(({ name }) => pairOf(name)).join("&"));
  }
  yield* about("ignores", "utm=1");
  yield* variants(path, get(path));
  if (itemKeyParts === undefined) return;
  yield* variants(`missing ${path}${itemFolder}`, get([path, ...Array(itemKeyParts).fill("zzz9")].join("/")));
}

/** A path alone, with a query, which only operations read, and with other methods. */
function* variants(kind: string, request: Request): Generator<Listed> {
  const faulty = { ...request, query: "limit=0" };
  yield { kind, request };
  yield { kind: `${kind} with a query`, request: faulty };
  for (const method of ["HEAD", "OPTIONS", "POST", "DELETE"]) {
    yield { kind: `${method} ${kind}`, request: { ...request, method } };
  }
  for (const method of ["HEAD", "OPTIONS"]) {
    yield { kind: `${method} ${kind} with a query`, request: { ...faulty, method } };
  }
}

/** How many requests of a kind a sample has, and how many limits. */
const maxOfKind = 6;
const maxSizes = 16;

/** Some requests of each kind, evenly spaced. */
export const sampleOf = (list: readonly Listed[]): readonly Listed[] =>
  [...groupBy(list, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const max = kind.endsWith(aboutSizes) ? maxSizes : maxOfKind;
    if (all.length <= max) return all;
    const places = Array.from({ length: max }, (_, index) => Math.floor((index * (all.length - 1)) / (max - 1)));
    return places.flatMap((place) => all[place] ?? []);
  });
