// The oracle: computes the answer of the API in the obvious way, by slicing lists of items for each request, as a
// dynamic server would. The operations come from their table. The answers are stated here without code of the pages,
// the routing table or resolve, so that tests can compare these with the oracle. It is slow: it serves tests and
// verification.
import type { Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { orderKey } from "../../src/order.ts";
import { type Chosen, listingName } from "../../src/paging.ts";
import { type Item, keyFields } from "../../src/resource.ts";
import { cursorAfter } from "../cursor.ts";
import { pageStarts } from "./boundaries.ts";
import { acceptedValues, addressesOf, type Dataset, goTogether, valuesOf } from "./dataset.ts";
import type { ConformanceRequest } from "./requests.ts";

export interface Expected {
  readonly status: number;
  /** The text of the body; for an error only its code and parameter. Undefined: any body. */
  readonly body: string | { readonly code: string; readonly param?: string } | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * An error for the cursor of an item behind which no page starts. In an earlier build, a page may have started there.
   */
  readonly mayBeRetired?: true;
}

/** The answer to a request. The headers of the request play no part. */
export type Contract = (request: Pick<ConformanceRequest, "method" | "path" | "query">) => Expected;

const bodiless = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link",
  "x-content-type-options": "nosniff",
};

const everywhere = { ...bodiless, "content-type": "application/json" };

const allowed = "GET, HEAD, OPTIONS";

export const expectedAnswer = (dataset: Dataset, method: string, path: string, query: string): Expected =>
  contractOf(dataset)({ method, path, query });

/** The contract for a dataset. It caches each listing, and the values of each filter. */
export function contractOf(dataset: Dataset): Contract {
  const { base } = dataset.api;
  const links = [
    [`${base}/openapi.json`, "service-desc"],
    [`${base}/docs/`, "service-doc"],
  ].filter(([to]) => dataset.published.some((each) => each.path === to));
  const link = links.map(([to, relation]) => `<${to}>; rel="${relation}"`).join(", ");
  const known = { dataset, listingOf: listingsOf(dataset), itemAt: itemsOf(dataset), accepts: acceptedOf(dataset) };
  return ({ method, path, query }) => {
    const expected = expectedOf(known, method, path, query);
    return links.length === 0 ? expected : { ...expected, headers: { ...expected.headers, link } };
  };
}

interface Known {
  readonly dataset: Dataset;
  readonly listingOf: Listings;
  readonly itemAt: (operation: ListOperation, key: string) => Item | undefined;
  readonly accepts: (operation: ListOperation, filter: Filter, value: string) => boolean;
}

function expectedOf(known: Known, method: string, path: string, query: string): Expected {
  const { dataset, itemAt } = known;
  if (!allowed.split(", ").includes(method)) return failure(405, "method_not_allowed", undefined, { allow: allowed });
  const { base } = dataset.api;
  const document = dataset.published.find((each) => each.path === path);
  const holder = dataset.operations
    .filter((each) => each.kind === "list")
    .find(({ name, item }) => item !== undefined && path.startsWith(`${base}/${name}/`));
  const key = path.slice(base.length + (holder?.name.length ?? 0) + 2);
  const isKnown =
    document !== undefined ||
    dataset.operations.some(({ name }) => path === `${base}/${name}`) ||
    (holder !== undefined && hasItemForm(holder, key));
  if (method === "OPTIONS") return isKnown ? preflight : failure(404, "not_found");
  if (document !== undefined) {
    const { text, contentType, cacheControl } = document;
    return {
      status: 200,
      body: text,
      headers: { ...everywhere, "content-type": contentType, "cache-control": cacheControl },
    };
  }
  if (dataset.published.some((each) => each.path !== "/" && each.path === `${path}/`)) {
    return { status: 308, body: undefined, headers: { location: `${path}/` } };
  }
  const operation = dataset.operations.find(({ name }) => path === `${base}/${name}`);
  if (operation === undefined) {
    const item = holder && itemAt(holder, key);
    return holder === undefined || item === undefined ? failure(404, "not_found") : success(holder, item);
  }
  if (operation.kind === "document") return success(operation, dataset.documents.get(operation.name));
  return expectedList(known, operation, query);
}

/** Whether a path ends like the path of a single item: whether there is one plays no part. */
const hasItemForm = ({ resource }: ListOperation, key: string): boolean =>
  key.split("/").length === keyFields(resource).length &&
  key.split("/").every((part) => /^[\w~-][\w.~-]{0,99}$/.test(part));

/** Finds the item with a key, or with an alias. */
function itemsOf({ items }: Dataset): Known["itemAt"] {
  const known = new Map<ListOperation, ReadonlyMap<string, Item>>();
  return (operation, key) => {
    const all = items.get(operation.name) ?? [];
    const own =
      known.get(operation) ??
      new Map(all.flatMap((item) => addressesOf(item, operation).map((each) => [each, item] as const)));
    known.set(operation, own);
    return own.get(key);
  };
}

function acceptedOf(dataset: Dataset): Known["accepts"] {
  const known = new Map<string, ReadonlySet<string>>();
  return (operation, filter, value) => {
    const name = `${operation.name}?${filter.param}`;
    const values = known.get(name) ?? new Set(acceptedValues(dataset, operation, filter));
    known.set(name, values);
    return values.has(value);
  };
}

const preflight: Expected = {
  status: 204,
  body: "",
  headers: {
    ...bodiless,
    "access-control-allow-methods": allowed,
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  },
};

interface ExpectedListing {
  readonly items: readonly Item[];
  /** By cursor. */
  readonly positions: ReadonlyMap<string, number>;
  /** The positions at which pages of a size start. */
  readonly startsOf: (size: number) => ReadonlySet<number>;
  /** The answer with the page of a size from a position. */
  readonly pageFrom: (size: number, start: number) => Expected;
}

type Listings = (operation: ListOperation, chosen: readonly Chosen[]) => ExpectedListing;

function listingsOf(dataset: Dataset): Listings {
  const known = new Map<string, ExpectedListing>();
  return (operation, chosen) => {
    const { name, filters } = operation;
    const id = JSON.stringify([name, chosen]);
    const earlier = known.get(id);
    if (earlier !== undefined) return earlier;
    const all = dataset.items.get(name) ?? [];
    const isListed = (item: Item, { param, value }: Chosen) =>
      filters.some((filter) => filter.param === param && valuesOf(item, filter).includes(value));
    const items = all.filter((item) => chosen.every((each) => isListed(item, each)));
    const text = listingName(name, chosen);
    const keys = items.map((item) => orderKey(operation, item));
    const cursorTo = (position: number): string => cursorAfter(text, keys[position - 1] ?? "");
    const cursors = items.map((_, index) => cursorTo(index + 1));
    const positions = new Map(cursors.map((cursor, index) => [cursor, index + 1]));
    const cut = pageStarts(
      dataset.paging.get(name) ?? "exact",
      keys.map((key) => text + key),
    );
    const starts = new Map<number, ReadonlySet<number>>();
    const startsOf = (size: number) => {
      const own = starts.get(size) ?? new Set(cut(size));
      starts.set(size, own);
      return own;
    };
    const pages = new Map<string, Expected>();
    const pageFrom = (size: number, start: number) => {
      const page = `${size} ${start}`;
      const own = pages.get(page) ?? pageOf(operation, { items, cursorTo, startsOf }, size, start);
      pages.set(page, own);
      return own;
    };
    const listing = { items, positions, startsOf, pageFrom };
    known.set(id, listing);
    return listing;
  };
}

function expectedList({ dataset, listingOf, accepts }: Known, operation: ListOperation, query: string): Expected {
  const { name, paged, filters } = operation;
  const params = paramsOf(query);
  const sizes = dataset.pageSizes.get(name) ?? [];
  const limit = paged ? params.get("limit") : undefined;
  const sent = filters.filter(({ param }) => params.has(param)).map(({ param }) => param);
  const clash = sent.find((_, index) => !goTogether(operation, sent.slice(0, index + 1)));
  if (clash !== undefined) return failure(400, `invalid_${clash}`, clash);
  let size = 100;
  if (limit !== undefined) {
    const wanted = limit !== null && /^(?:[1-9]\d?|100)$/.test(limit) ? Number(limit) : 0;
    const smaller = sizes.filter((each) => each <= wanted);
    if (smaller.length === 0) return failure(400, "invalid_limit", "limit");
    size = Math.max(...smaller);
  }
  const chosen: Chosen[] = [];
  for (const filter of filters) {
    const { param } = filter;
    const value = params.get(param);
    if (value === undefined) continue;
    if (value === null || !accepts(operation, filter, value)) return failure(400, `invalid_${param}`, param);
    chosen.push({ param, value });
  }
  const { items, positions, startsOf, pageFrom } = listingOf(operation, chosen);
  if (!paged) return success(operation, { object: "list", data: items.map(inList(operation)) });
  const cursor = params.get("cursor");
  const start = cursor === undefined ? 0 : positions.get(cursor ?? "");
  if (start === undefined) return failure(400, "invalid_cursor", "cursor");
  // A request without a limit has the limit 100. It may continue at the start of a page of any size.
  const isStart = (size === 100 ? sizes : [size]).some((each) => startsOf(each).has(start));
  if (start > 0 && (start === items.length || !isStart)) {
    return { ...failure(400, "invalid_cursor", "cursor"), mayBeRetired: true };
  }
  return pageFrom(size, start);
}

interface Cut extends Pick<ExpectedListing, "items" | "startsOf"> {
  /** The cursor of the position behind a number of items. */
  readonly cursorTo: (position: number) => string;
}

function pageOf(operation: ListOperation, { items, cursorTo, startsOf }: Cut, size: number, start: number): Expected {
  const end = [...startsOf(size)].find((next) => next > start) ?? items.length;
  const more = end < items.length;
  const pagination = { limit: size, count: end - start, has_more: more, next_cursor: more ? cursorTo(end) : null };
  return success(operation, { object: "list", data: items.slice(start, end).map(inList(operation)), pagination });
}

/** An item as lists have it. */
const inList =
  ({ brief }: ListOperation) =>
  (item: Item): Item => {
    if (brief === undefined) return item;
    const { ...own }: Record<string, unknown> = item;
    for (const field of Object.keys(own)) if (!brief.includes(field)) delete own[field];
    return own;
  };

/** The values by name; null if the parameter is empty, without "=" or repeated. */
function paramsOf(query: string): ReadonlyMap<string, string | null> {
  const params = new Map<string, string | null>();
  for (const pair of query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    params.set(name, params.has(name) ? null : rest.join("=") || null);
  }
  return params;
}

const success = ({ cacheControl }: { readonly cacheControl: string }, body: unknown): Expected => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { ...everywhere, "cache-control": cacheControl },
});

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
