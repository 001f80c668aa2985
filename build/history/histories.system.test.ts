// Cursors outlive builds: over random histories of edits, every request that a build answered with a page is answered
// with a page by all later builds until it expires. The model follows the contract address by address, and shares no
// code with the program.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";
import type { Api } from "../../src/model/api.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Filter } from "../../src/model/filter.ts";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Order, orderInListing, orderKey, orderKeyIn } from "../../src/model/order.ts";
import { everyPageSize, listingName, type PagingKind } from "../../src/model/paging.ts";
import { pageStarts } from "../../test/check/boundaries.ts";
import { filterValuesOf } from "../../test/check/dataset.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { randomFrom } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { completeApi } from "../declaration/complete.ts";
import { cursorAfter } from "../files/sha256.ts";
import type { Cost } from "../pages/cost.ts";
import { planApi } from "../pages/pages.ts";
import { type Found, historyOf } from "./history.ts";
import { fitting, retire, retiredFile } from "./retired.ts";

const lifetime = 900;

/** The number of a history's last build; the first is 0. */
const last = 5;

const histories = 15 * rounds;

/** An operation whose builds the histories are of. Its filter is by the keys of another one. */
interface Subject {
  readonly api: Api;
  readonly operation: ListOperation;
  readonly newItem: (random: Random, values: readonly string[]) => Item;
}

const found = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
if (found === undefined) throw new Error("No paged operation has a filter.");
const network: Subject = { api: edgeNetwork, operation: found, newItem: (...rest) => newItem(found, ...rest) };

const declared = completeApi(
  defineApi({
    collections: {
      things: defineCollection({
        purpose: "Things.",
        schema: z.strictObject({
          of: z.string(),
          id: z.string(),
          score: z.number().nullable(),
          tags: z.array(reference("tags")),
        }),
        key: ["of", "id"],
        order: ["-score", "of"],
        orders: { low: ["score"], tagged: { of: ({ tags }) => tags.length || undefined, descending: true } },
        filters: { tag: "tags" },
      }),
      tags: defineCollection({ purpose: "Tags.", schema: z.strictObject({ name: z.string() }), key: "name" }),
    },
  }),
);
const [things] = declared.lists;
if (things === undefined) throw new Error("There are no things.");

/** Descending numbers, some of them null, and items in several listings of the filter or in none. */
const ranked: Subject = {
  api: declared,
  operation: things,
  newItem: (random, values) => ({
    of: pick(random, ["a", "ü", "a b", "水"]),
    id: Math.floor(random() * 1e9).toString(36),
    score: random() < 0.2 ? null : Math.floor(random() * 40) - 20 + (random() < 0.3 ? 0.5 : 0),
    tags: values.filter(() => random() < 0.4),
  }),
};

interface Content {
  readonly items: readonly Item[];
  readonly values: readonly string[];
  readonly sizes: readonly number[];
  readonly paging: PagingKind;
  readonly isServed: boolean;
}

const allValues = ["aaa1", "bbb1", "ccc1"];

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

function newItem(operation: ListOperation, random: Random, values: readonly string[]): Item {
  const { key } = operation;
  const field = operation.filters[0]?.field ?? "";
  const number = Math.floor(random() * 1e9);
  const time = new Date(1.7e12 + Math.floor(random() * 40) * 1_000).toISOString().replace(".000", "");
  const item: Record<string, unknown> = { ...operation.example };
  for (const { field: sortedBy } of operation.order) {
    if (sortedBy !== key && sortedBy !== field) item[sortedBy] = time;
  }
  return { ...item, [key]: `${String(item[key]).split("_")[0]}_${number.toString(36)}`, [field]: pick(random, values) };
}

const kinds: readonly PagingKind[] = ["exact", "stable"];

const sizeChoices = [
  [100],
  [3, 100],
  [2, 5, 100],
  [5, 25, 100],
  [1, 2, 3, 7, 100],
  [10, 100],
  [...everyPageSize.slice(0, 12), 100],
];

/** Hosts without limits need no costs. */
const none = { name: "", amount: 0 };
const noCost: Cost = {
  files: 0,
  bytes: 0,
  folders: new Map(),
  folder: none,
  file: none,
  listing: none,
  items: none,
  output: none,
};

interface Page {
  readonly ids: readonly string[];
  readonly limit: number;
  readonly next: string | null;
}

/** A request: a listing, a limit or none, and a cursor, which names the position after an item. */
interface Address {
  readonly order: Order | undefined;
  readonly value: string | undefined;
  readonly limit: number | undefined;
  readonly cursor: string;
  readonly behind: string;
}

const sizeOf = (sizes: readonly number[], limit = 100): number => Math.max(...sizes.filter((size) => size <= limit));

const accepts = (sizes: readonly number[], limit = 100): boolean => sizes.some((size) => size <= limit);

/** All limits that equal a page size, and some in between. */
const limits = [undefined, ...everyPageSize.slice(0, 13), 25, 50, 99, 100];

const isAccepted = ({ isServed, values, sizes }: Content, { value, limit }: Address): boolean =>
  isServed && (value === undefined || values.includes(value)) && accepts(sizes, limit);

function filterOf({ filters }: ListOperation): Filter {
  const [filter] = filters;
  if (filter === undefined) throw new Error("The operation has no filter.");
  return filter;
}

function modelOf({ api, operation, newItem }: Subject) {
  const filter = filterOf(operation);
  const { param, field = "" } = filter;
  const target = api.lists.find(({ name }) => filter.accepts.kind === "keys" && name === filter.accepts.of);
  const { key } = operation;

  return { edit, built, keysOf, listingsOf, addresses, fileOf };

  function listingsOf({ values }: Content) {
    const orders = [undefined, ...operation.orders];
    return orders.flatMap((order) => [undefined, ...values].map((value) => [order, value] as const));
  }

  function keyIn(order: Order | undefined, item: Item): string {
    if (order === undefined) return orderKey(operation, item);
    const value = order.derived?.of(item);
    if (value instanceof Failure) throw new Error(value.text);
    return orderKeyIn(order, item, value);
  }

  function edit(random: Random, content: Content): Content {
    const { items, values, sizes, paging, isServed } = content;
    const at = Math.floor(random() * (items.length + 1));
    const kind = random();
    if (kind < 0.3) return { ...content, items: items.toSpliced(at, 0, newItem(random, values)) };
    if (kind < 0.6) return { ...content, items: items.toSpliced(at, 1 + Math.floor(random() * 3)) };
    if (kind < 0.8 && at < items.length) {
      const item = items[at] ?? {};
      const fresh = newItem(random, values);
      const other =
        pick(
          random,
          Object.keys(item).filter((name) => name !== key),
        ) ?? field;
      return { ...content, items: items.with(at, { ...item, [other]: fresh[other] }) };
    }
    if (kind < 0.88) return { ...content, sizes: pick(random, sizeChoices) ?? sizes };
    if (kind < 0.93) {
      const left = allValues.filter(
        (value, index) =>
          index === 0 ||
          random() < 0.6 ||
          items.some((item) => filterValuesOf(item, filter).includes(value) && random() < 0.5),
      );
      return {
        ...content,
        values: left,
        items: items.filter((item) => filterValuesOf(item, filter).every((value) => left.includes(value))),
      };
    }
    if (kind < 0.96) return { ...content, paging: paging === "exact" ? "stable" : "exact" };
    return kind < 0.98 ? { ...content, isServed: !isServed } : content;
  }

  function catalogOf({ items, values, sizes, paging }: Content): Catalog {
    const targets = values.map((value) => ({ ...target?.example, [target?.key ?? ""]: value }));
    return {
      api,
      items: catalogItems({ [operation.name]: items, [target?.name ?? ""]: targets }, api),
      deployments: new Map(),
      settings: {
        ...noSettings,
        cursorLifetime: lifetime,
        pageSizes: new Map([[operation.name, sizes]]),
        paging: new Map([[operation.name, paging]]),
      },
    };
  }

  /** The pages of a build by file, and the state for the next build. */
  function built(content: Content, previous: Found, now: number) {
    const catalog = catalogOf(content);
    const operations = content.isServed ? [operation.name] : [];
    const deployment: Deployment = { name: "edge", operations, documents: new Map() };
    const api = planApi(catalog, deployment);
    const history = historyOf({ catalog, deployment, pages: api.pages, previous, now });
    const files = [...api.files()];
    const wanted = retire(api.listings, history);
    const room = fitting([], wanted, history.maxPages, noCost);
    expect([...history.warnings, ...room.warnings]).toEqual([]);
    const retired = room.pages.map(retiredFile);
    const pages = new Map<string, Page>();
    const wrong: unknown[] = [];
    for (const output of [...files, ...retired]) {
      const { file, length } = output;
      const bytes = Buffer.concat([...output.parts()]);
      if (bytes.length !== length || pages.has(file)) wrong.push(file);
      const { data = [], pagination } = JSON.parse(bytes.toString());
      if (pagination === undefined) continue;
      const { count, has_more, next_cursor } = pagination;
      if (count !== data.length || has_more !== (next_cursor !== null)) wrong.push({ file, pagination });
      pages.set(file, {
        ids: data.map((item: Item) => item[key]),
        limit: pagination.limit,
        next: pagination.next_cursor,
      });
    }
    expect(wrong).toEqual([]);
    const state: Found = {
      kind: "state",
      bytes: Buffer.concat(history.documents.flatMap(({ parts }) => [...parts()])),
    };
    return { pages, state, retired: retired.map(({ file }) => file) };
  }

  function keysOf({ items }: Content, order: Order | undefined, value: string | undefined): readonly string[] {
    return items
      .filter((item) => value === undefined || filterValuesOf(item, filter).includes(value))
      .map((item) => keyIn(order, item))
      .sort((a, b) => (a < b ? -1 : 1));
  }

  /** Every address that the contract gives the pages of a content, with its name. */
  function* addresses(content: Content, asked = limits): Generator<readonly [string, Address]> {
    if (!content.isServed) return;
    for (const [order, value] of listingsOf(content)) {
      const keys = keysOf(content, order, value);
      const listing = listingName(operation.name, [
        ...(order === undefined ? [] : [{ param: "sort", value: orderInListing(order) }]),
        ...(value === undefined ? [] : [{ param, value }]),
      ]);
      const behindEach = keys.map((behind) => cursorAfter(listing, behind));
      const startsOf = pageStarts(
        content.paging,
        keys.map((behind) => listing + behind),
      );
      const starts = new Map(content.sizes.map((size) => [size, new Set(startsOf(size))]));
      for (const [index, behind] of keys.slice(0, -1).entries()) {
        const start = index + 1;
        const cursor = behindEach[index] ?? "";
        for (const limit of asked) {
          if (!accepts(content.sizes, limit)) continue;
          const size = sizeOf(content.sizes, limit);
          if ((size === 100 ? content.sizes : [size]).some((limit) => starts.get(limit)?.has(start)))
            yield [`${order?.name} ${value} ${limit} ${cursor}`, { order, value, limit, cursor, behind }];
        }
      }
    }
  }

  function fileOf(
    { order, value, limit }: Pick<Address, "order" | "value" | "limit">,
    cursor: string,
    sizes: readonly number[],
  ): string {
    const size = sizeOf(sizes, limit);
    const filter = value === undefined ? "" : `/${param}/${value}`;
    const sort = order === undefined ? "" : `/sort/${order.name}`;
    return `api/v1/${operation.name}${sort}${filter}${size === 100 ? "" : `/limit/${size}`}/cursor/${cursor}.json`;
  }
}

it(`keeps every cursor for its lifetime over ${histories} histories of edits`, { timeout: 600_000 }, () => {
  let walked = 0;
  let answeredByRetired = 0;
  const retiredBy = { exact: 0, stable: 0, switched: 0 };
  for (let history = 0; history < histories; history++) {
    const random = randomFrom(seed + history);
    const subject = history % 2 === 0 ? network : ranked;
    const { edit, built, keysOf, listingsOf, addresses, fileOf } = modelOf(subject);
    const sizes = pick(random, sizeChoices) ?? [100];
    const paging = pick(random, kinds) ?? "exact";
    let content: Content = { items: [], values: allValues, sizes, paging, isServed: true };
    const count = Math.floor(random() * (random() < 0.05 ? 250 : 25));
    for (let index = 0; index < count; index++) {
      content = { ...content, items: [...content.items, subject.newItem(random, allValues)] };
    }
    let before = content;
    let now = 1_700_000_000;
    let state: Found = { kind: "none" };
    const promised = new Map<string, Address & { superseded?: number }>();
    for (let depth = 0; depth <= last; depth++) {
      const present = new Map(addresses(content));
      for (const [name, address] of promised) {
        if (present.has(name)) continue;
        const superseded = address.superseded ?? now;
        const isOver = superseded + lifetime <= now || !isAccepted(content, address);
        if (isOver) promised.delete(name);
        else promised.set(name, { ...address, superseded });
      }
      for (const [name, address] of present) promised.set(name, address);
      const build = built(content, state, now);
      state = build.state;
      retiredBy[content.paging === before.paging ? content.paging : "switched"] += build.retired.length;
      before = content;
      const walks = new Map<string, readonly string[] | string>();
      const walkFrom = (address: Address, cursor: string): readonly string[] | string => {
        const file = fileOf(address, cursor, content.sizes);
        const walk = walks.get(file);
        if (walk !== undefined) return walk;
        const page = build.pages.get(file);
        const rest =
          page === undefined ? `there is no ${file}` : page.next === null ? [] : walkFrom(address, page.next);
        const whole = typeof rest === "string" ? rest : [...(page?.ids ?? []), ...rest];
        const isLong = (page?.ids.length ?? 0) > sizeOf(content.sizes, address.limit);
        walks.set(file, isLong ? `${file} is too long` : whole);
        return walks.get(file) ?? "";
      };
      const files = (all: Iterable<Address>) =>
        new Set([...all].map((address) => fileOf(address, address.cursor, content.sizes)));
      const superseded = files([...promised.values()].filter((address) => address.superseded !== undefined));
      const presentFiles = files(present.values());
      expect([...build.retired].sort()).toEqual([...superseded].filter((file) => !presentFiles.has(file)).sort());
      const listed = new Map(
        listingsOf(content).map(([order, value]) => [`${order?.name} ${value}`, keysOf(content, order, value)]),
      );
      for (const address of promised.values()) {
        const remaining = (listed.get(`${address.order?.name} ${address.value}`) ?? []).filter(
          (orderKey) => orderKey > address.behind,
        );
        const walk = walkFrom(address, address.cursor);
        const found = typeof walk === "string" ? walk : walk.map(String);
        const wanted = remaining.map((orderKey) => orderKey.split(" ").at(-1));
        if (JSON.stringify(found) !== JSON.stringify(wanted)) {
          expect({ seed: seed + history, depth, address, found }).toEqual({ seed, depth, address, found: wanted });
        }
        walked++;
        if (address.superseded !== undefined) answeredByRetired++;
      }
      if (depth === last) break;
      const edits = 1 + Math.floor(random() * 3);
      for (let index = 0; index < edits; index++) content = edit(random, content);
      now += Math.floor(random() * lifetime * 0.7);
    }
    // Pages that are no longer promised are not kept.
    const expired = built(content, state, now + lifetime);
    expect(expired.retired).toEqual([]);
    expect([...expired.pages]).toEqual([...built(content, { kind: "none" }, 0).pages]);
  }
  console.info(`Pages were retired: ${JSON.stringify(retiredBy)}.`);
  expect(Math.min(...Object.values(retiredBy))).toBeGreaterThan(0);
  expect(Math.min(walked, answeredByRetired)).toBeGreaterThan(histories * 10);
});
