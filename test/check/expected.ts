// The oracle: computes the answer of the API in the obvious way, by slicing lists of items for each request, as a
// dynamic server does. The operations come from their table. The answers are computed without code of the pages, the
// routing table or resolve, so that tests can compare both. It is slow, and serves tests and verification.

import type { Audience } from "../../src/model/audience.ts";
import type { Filter } from "../../src/model/filter.ts";
import { type Item, keyFields } from "../../src/model/key.ts";
import type { ListOperation, Operation } from "../../src/model/operation.ts";
import type { Chosen } from "../../src/model/paging.ts";
import {
  acceptedValues,
  addressesOf,
  choicesOf,
  type Dataset,
  expectedListing,
  type ListingOfItems,
  mayGoTogether,
  type PublishedDocument,
  type PublishedOutput,
} from "./dataset.ts";
import type { ConformanceRequest } from "./requests.ts";

export interface Expected {
  readonly status: number;
  /** The text of the body; for an error only its code and parameter. Undefined: any body. */
  readonly body: string | { readonly code: string; readonly param?: string } | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * An error for the cursor of an item after which no page starts. In an earlier build, a page may have started there.
   */
  readonly mayBeRetired?: true;
  /** The anchor of the notice of deprecation for the requested operation or document. */
  readonly notice?: string;
}

/** The answer to a request. The headers of the request do not matter. */
export type Contract = (request: Pick<ConformanceRequest, "method" | "path" | "query">) => Expected;

const bodiless = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Date, Deprecation, Sunset",
  "x-content-type-options": "nosniff",
};

const everywhere = { ...bodiless, "content-type": "application/json" };

const allowed = "GET, HEAD, OPTIONS";

const contracts = new WeakMap<Dataset, Contract>();

/** The contract for a dataset, which does not change. Each answer is computed once, because many servers get the same requests. */
export function contractOf(dataset: Dataset): Contract {
  const contract = contracts.get(dataset) ?? newContract(dataset);
  contracts.set(dataset, contract);
  return contract;
}

function newContract(dataset: Dataset): Contract {
  const { base } = dataset.api;
  const links = [
    [`${base}/openapi.json`, "service-desc"],
    [`${base}/docs/`, "service-doc"],
  ].filter(([to]) => dataset.published.some((document) => document.path === to));
  const link = links.map(([to, relation]) => `<${to}>; rel="${relation}"`).join(", ");
  const known = knownOf(dataset);
  const answer: Contract = ({ method, path, query }) => {
    const expected = expectedOf(known, method, path, query);
    const further =
      expected.notice === undefined ? [] : [`<${base}/docs/#${expected.notice}>; rel="deprecation"; type="text/html"`];
    const all = [...(links.length === 0 ? [] : [link]), ...further].join(", ");
    const headers = forReaders(dataset.audience, expected);
    return { ...expected, headers: all === "" ? headers : { ...headers, link: all } };
  };
  const answers = cacheOf<Expected>();
  return (request) => answers(`${request.method} ${request.path}?${request.query}`, () => answer(request));
}

/** The headers of an answer that everybody may read, as these readers get them. No quoted text has a directive that goes. */
function forReaders({ access, origins }: Audience, { status, headers }: Expected): Expected["headers"] {
  const { "cache-control": cache, ...others } = headers;
  const isStored = cache !== undefined && !cache.includes("no-store");
  const own = cache?.replace(/\bpublic, |, s-maxage=\d+/g, "");
  const stored = access !== undefined && isStored ? `private, ${own}` : cache;
  const names = Object.entries(others).filter(([name]) => origins !== "none" || !name.startsWith("access-control-"));
  const hasCookie = typeof access?.scheme === "object" && "cookie" in access.scheme;
  const isOne = origins !== "any" && origins !== "none" && "access-control-allow-origin" in headers;
  const credentials = { basic: "Authorization", bearer: "Authorization" };
  const { scheme } = access ?? {};
  const whose =
    typeof scheme === "string"
      ? credentials[scheme]
      : Object.values({ ...scheme, cookie: hasCookie ? "Cookie" : undefined }).find((name) => name !== undefined);
  return {
    ...Object.fromEntries(names),
    ...(stored !== undefined && { "cache-control": stored }),
    ...(origins === "none" && status === 204 && { allow: allowed }),
    ...(isOne && { "access-control-allow-origin": origins }),
    ...(isOne && hasCookie && { "access-control-allow-credentials": "true" }),
    ...(isOne && hasCookie && status === 204 && { "access-control-allow-headers": "Authorization, If-None-Match" }),
    ...(whose !== undefined && "x-content-type-options" in headers && { vary: whose }),
  };
}

interface Listing extends ListingOfItems {
  /** By cursor. */
  readonly positions: ReadonlyMap<string, number>;
}

interface Known {
  readonly dataset: Dataset;
  readonly listingWith: (operation: ListOperation, chosen: readonly Chosen[]) => Listing;
  /** The item with a key or an alias. */
  readonly itemAt: (operation: ListOperation, key: string) => Item | undefined;
  readonly accepts: (operation: ListOperation, filter: Filter, value: string) => boolean;
  /** The output whose paths have this form, even if there is no file. Of several, the one with the most fixed text. */
  readonly outputAt: (path: string) => PublishedOutput | undefined;
}

function knownOf(dataset: Dataset): Known {
  const listings = cacheOf<Listing>();
  const items = cacheOf<ReadonlyMap<string, Item>>();
  const values = cacheOf<ReadonlySet<string>>();
  const outputs = outputForms(dataset);
  return {
    dataset,
    outputAt: (path) => outputs.find(({ form }) => form.test(path))?.output,
    listingWith: (operation, chosen) =>
      listings(JSON.stringify([operation.name, chosen]), () => {
        const listing = expectedListing(dataset, operation, chosen);
        const positions = new Map(listing.items.map((_, index) => [listing.cursorTo(index + 1), index + 1]));
        const starts = cacheOf<readonly number[]>();
        return { ...listing, positions, startsOf: (size) => starts(`${size}`, () => listing.startsOf(size)) };
      }),
    itemAt: (operation, key) =>
      items(operation.name, () => {
        const all = dataset.items.get(operation.name) ?? [];
        return new Map(all.flatMap((item) => addressesOf(item, operation).map((address) => [address, item] as const)));
      }).get(key),
    accepts: (operation, filter, value) =>
      values(`${operation.name}?${filter.param}`, () => new Set(acceptedValues(dataset, operation, filter))).has(value),
  };
}

function cacheOf<Value>(): (name: string, compute: () => Value) => Value {
  const values = new Map<string, Value>();
  return (name, compute) => {
    const value = values.get(name) ?? compute();
    values.set(name, value);
    return value;
  };
}

function expectedOf(known: Known, method: string, path: string, query: string): Expected {
  const { dataset, itemAt, outputAt } = known;
  if (!allowed.split(", ").includes(method)) return failure(405, "method_not_allowed", undefined, { allow: allowed });
  const { base } = dataset.api;
  const document = dataset.published.find((candidate) => candidate.path === path);
  const holder = dataset.operations
    .filter((operation) => operation.kind === "list")
    .find(({ name, item }) => item !== undefined && path.startsWith(`${base}/${name}/`));
  const key = path.slice(base.length + (holder?.name.length ?? 0) + 2);
  const output = outputAt(path);
  const isKnown =
    document !== undefined ||
    output !== undefined ||
    dataset.operations.some(({ name }) => path === `${base}/${name}`) ||
    (holder !== undefined && hasItemForm(holder, key));
  if (method === "OPTIONS") return isKnown ? preflight : nothingAt(dataset, path);
  if (document !== undefined) return publishedAs(document, document.text);
  const text = output?.texts.get(path);
  if (output !== undefined && text !== undefined) return publishedAs(output, text);
  if (dataset.published.some((other) => other.path !== "/" && other.path === `${path}/`)) {
    return { status: 308, body: undefined, headers: { location: `${path}/` } };
  }
  const operation = dataset.operations.find(({ name }) => path === `${base}/${name}`);
  if (operation === undefined) {
    const item = holder && itemAt(holder, key);
    return holder === undefined || item === undefined ? nothingAt(dataset, path) : success(holder, item);
  }
  if (operation.kind === "document") return success(operation, dataset.documents.get(operation.name));
  return expectedList(known, operation, query);
}

/** People ask for the paths below the reference and, if there is a front page, for those of the site, and get a page. */
function nothingAt({ api: { base }, published }: Dataset, path: string): Expected {
  const page = published.find((document) => document.path === `${base}/docs/404`);
  const [, top] = base.split("/");
  const isOfSite = published.some((document) => document.path === "/") && path.split("/")[1] !== top;
  if (page === undefined || !(isOfSite || path.startsWith(`${base}/docs/`))) return failure(404, "not_found");
  return { ...publishedAs(page, page.text), status: 404 };
}

const publishedAs = (
  { contentType, cacheControl, policy }: Pick<PublishedDocument, "contentType" | "cacheControl" | "policy">,
  body: string | undefined,
): Expected => ({
  status: 200,
  body,
  headers: {
    ...everywhere,
    "content-type": contentType,
    "cache-control": cacheControl,
    ...(policy !== undefined && { "content-security-policy": policy }),
  },
});

/** The outputs with the forms of their paths, those with the most fixed text first. */
function outputForms({ outputs }: Dataset): readonly { readonly output: PublishedOutput; readonly form: RegExp }[] {
  const fixed = (output: PublishedOutput) => output.path.replace(/\{.*?\}/g, "");
  return outputs
    .toSorted((one, other) => fixed(other).length - fixed(one).length)
    .map((output) => {
      const parts = output.path.split(/\{.*?\}/).map((part) => part.replaceAll(".", "[.]"));
      return { output, form: new RegExp(`^${parts.join("[\\w-][\\w.-]{0,99}")}$`) };
    });
}

/** Whether a path ends like the path of a single item, even if there is no item. */
const hasItemForm = (operation: ListOperation, key: string): boolean =>
  key.split("/").length === keyFields(operation).length &&
  key.split("/").every((part) => /^[\w-][\w.-]{0,99}$/.test(part));

const preflight: Expected = {
  status: 204,
  body: "",
  headers: {
    ...bodiless,
    "access-control-allow-methods": allowed,
    "access-control-allow-headers": "*, Authorization",
    "access-control-max-age": "86400",
  },
};

function expectedList({ dataset, listingWith, accepts }: Known, operation: ListOperation, query: string): Expected {
  const { name, paged, filters } = operation;
  const params = paramsOf(query);
  const sizes = dataset.pageSizes.get(name) ?? [];
  const limit = paged ? params.get("limit") : undefined;
  const sent = filters.filter(({ param }) => params.has(param)).map(({ param }) => param);
  const clash = sent.find((_, index) => !mayGoTogether(operation, sent.slice(0, index + 1)));
  if (clash !== undefined) return failure(400, `invalid_${clash}`, clash);
  let size = 100;
  if (limit !== undefined) {
    const wanted = limit !== null && /^(?:[1-9]\d?|100)$/.test(limit) ? Number(limit) : 0;
    const smaller = sizes.filter((length) => length <= wanted);
    if (smaller.length === 0) return failure(400, "invalid_limit", "limit");
    size = Math.max(...smaller);
  }
  const chosen: Chosen[] = [];
  for (const filter of choicesOf(operation)) {
    const { param } = filter;
    const value = params.get(param);
    if (value === undefined) continue;
    if (value === null || !accepts(operation, filter, value)) return failure(400, `invalid_${param}`, param);
    chosen.push({ param, value });
  }
  const listing = listingWith(operation, chosen);
  const { items, positions, startsOf } = listing;
  if (!paged) return success(operation, { object: "list", data: items.map(inList(operation)) });
  const cursor = params.get("cursor");
  const start = cursor === undefined ? 0 : positions.get(cursor ?? "");
  if (start === undefined) return failure(400, "invalid_cursor", "cursor");
  // A request without a limit has the limit 100. It may continue at the start of a page of any size.
  const isStart = (size === 100 ? sizes : [size]).some((length) => startsOf(length).includes(start));
  if (start > 0 && (start === items.length || !isStart)) {
    return { ...failure(400, "invalid_cursor", "cursor"), mayBeRetired: true };
  }
  return pageOf(operation, listing, size, start);
}

function pageOf(operation: ListOperation, listing: ListingOfItems, size: number, start: number): Expected {
  const { items, cursorTo, startsOf } = listing;
  const end = startsOf(size).find((next) => next > start) ?? items.length;
  const more = end < items.length;
  const pagination = { limit: size, count: end - start, has_more: more, next_cursor: more ? cursorTo(end) : null };
  return success(operation, { object: "list", data: items.slice(start, end).map(inList(operation)), pagination });
}

/** An item as lists have it. */
const inList =
  ({ brief }: ListOperation) =>
  (item: Item): Item =>
    brief === undefined ? item : Object.fromEntries(Object.entries(item).filter(([field]) => brief.includes(field)));

/** The values by name; null if the parameter is empty, without "=" or repeated. */
function paramsOf(query: string): ReadonlyMap<string, string | null> {
  const params = new Map<string, string | null>();
  for (const pair of query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    params.set(name, params.has(name) ? null : rest.join("=") || null);
  }
  return params;
}

function success(operation: Operation, body: unknown): Expected {
  const { name, kind, cache } = operation;
  const headers = { ...everywhere, "cache-control": cache };
  const { deprecated } = operation;
  if (deprecated === undefined) return { status: 200, body: JSON.stringify(body), headers };
  return {
    status: 200,
    body: JSON.stringify(body),
    headers: {
      ...headers,
      deprecation: `@${Date.parse(deprecated.since) / 1000}`,
      ...(deprecated.sunset !== undefined && { sunset: new Date(deprecated.sunset).toUTCString() }),
    },
    notice: `${kind === "list" ? "list" : "get"}-${name}`,
  };
}

const failure = (
  status: number,
  code: string,
  param?: string,
  headers: Readonly<Record<string, string>> = {},
): Expected => ({
  status,
  body: param === undefined ? { code } : { code, param },
  headers: { ...everywhere, "cache-control": "no-store", ...headers },
});
