// What the API has to answer, computed the obvious way: by slicing lists of items at the time of asking, as a server
// with a program behind it would. It shares no code with the pages, the routing table or resolve, so that these can be
// held against it. Slow, and for tests only.
import { cursorAfter, cursorsOf } from "../../src/paging.ts";

type Item = Readonly<Record<string, unknown>>;

export interface Dataset {
  /** In the order of their operation, by its name; only the operations of the deployment. */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  /** Known values of the filters. */
  readonly regions: readonly string[];
  readonly collections: readonly string[];
  readonly status: Item;
  /** By paged operation. */
  readonly pageSizes: ReadonlyMap<string, readonly number[]>;
}

export interface Expected {
  readonly status: number;
  /** The body's JSON; of an error its code and parameter, for its message is worded elsewhere. */
  readonly body: string | { readonly code: string; readonly param?: string };
  readonly headers: Readonly<Record<string, string>>;
}

const cacheControl: Readonly<Record<string, string>> = {
  records: "public, max-age=60",
  nodes: "public, max-age=60",
  images: "public, max-age=60",
  regions: "public, max-age=300",
  schema: "public, max-age=3600",
  status: "no-store",
};

const everywhere = {
  "content-type": "application/json",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
};

interface Paged {
  readonly order: readonly string[];
  readonly filter?: {
    readonly param: string;
    readonly field: string;
    readonly values: keyof Dataset;
  };
}

const paged: Readonly<Record<string, Paged>> = {
  records: {
    order: ["collection", "created_at", "id"],
    filter: { param: "collection", field: "collection", values: "collections" },
  },
  nodes: {
    order: ["created_at", "id"],
    filter: { param: "region", field: "pop", values: "regions" },
  },
  images: { order: ["created_at", "id"] },
};

export function expectedAnswer(dataset: Dataset, method: string, path: string, query: string): Expected {
  if (method !== "GET" && method !== "HEAD")
    return failure(405, "method_not_allowed", undefined, { allow: "GET, HEAD" });
  const name = /^\/api\/v1\/([a-z]+)$/.exec(path)?.[1] ?? "";
  if (name === "status") return success(name, JSON.stringify(dataset.status));
  const items = dataset.items.get(name);
  if (items === undefined) return failure(404, "not_found");
  const operation = Object.hasOwn(paged, name) ? paged[name] : undefined;
  if (operation === undefined) return success(name, JSON.stringify({ object: "list", data: items }));
  return expectedPage(dataset, name, items, operation, query);
}

function expectedPage(dataset: Dataset, name: string, all: readonly Item[], operation: Paged, query: string): Expected {
  const sizes = dataset.pageSizes.get(name) ?? [];
  const limit = valueIn(query, "limit");
  let size = 100;
  if (limit !== undefined) {
    const wanted = limit !== null && /^(?:[1-9]\d?|100)$/.test(limit) ? Number(limit) : 0;
    const smaller = sizes.filter((each) => each <= wanted);
    if (smaller.length === 0) return failure(400, "invalid_limit", "limit");
    size = Math.max(...smaller);
  }
  const { filter } = operation;
  const value = filter && valueIn(query, filter.param);
  if (filter !== undefined && value !== undefined && !(value !== null && isOneOf(dataset[filter.values], value))) {
    return failure(400, `invalid_${filter.param}`, filter.param);
  }
  const chosen = filter && value ? { param: filter.param, value } : undefined;
  const items = filter && chosen ? all.filter((item) => item[filter.field] === chosen.value) : all;
  const starts = items.map((_, start) => start).filter((start) => startsPage(start, size, sizes));
  const cursorTo = (position: number): string =>
    cursorAfter(cursorsOf(name, chosen), operation.order.map((field) => items[position - 1]?.[field]).join(" "));
  const cursor = valueIn(query, "cursor");
  const start = cursor === undefined ? 0 : starts.find((each) => each > 0 && cursorTo(each) === cursor);
  if (start === undefined) return failure(400, "invalid_cursor", "cursor");
  const end = Math.min(items.length, size === 100 ? (Math.floor(start / 100) + 1) * 100 : start + size);
  const more = end < items.length;
  const pagination = { limit: size, count: end - start, has_more: more, next_cursor: more ? cursorTo(end) : null };
  return success(name, JSON.stringify({ object: "list", data: items.slice(start, end), pagination }));
}

/** 100 is the limit of a request without one, which may go on wherever a page of any size starts. */
const startsPage = (start: number, size: number, sizes: readonly number[]): boolean =>
  size === 100 ? sizes.some((each) => start % each === 0) : start % size === 0;

const isOneOf = (values: unknown, value: string): boolean => Array.isArray(values) && values.includes(value);

/** Undefined where the parameter is absent, null where it is empty, without "=" or repeated. */
function valueIn(query: string, name: string): string | null | undefined {
  const values = query.split("&").flatMap((pair) => {
    const [key, ...rest] = pair.split("=");
    return key === name ? [rest.length === 0 ? null : rest.join("=")] : [];
  });
  return values.length > 1 ? null : values[0] === "" ? null : values[0];
}

const success = (name: string, body: string): Expected => ({
  status: 200,
  body,
  headers: { ...everywhere, "cache-control": cacheControl[name] ?? "" },
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
