// Cursors outlive builds: over random histories of edits, every request that a build answered with a page is answered
// with a page by all later builds until it expires, and no cursor is answered in an order that is not its own. The model
// follows the contract address by address, takes cursors from pages as readers do, and shares no code with the program but
// for the names and order keys that cut stable pages.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";
import type { Api } from "../../src/model/api.ts";
import type { Filter } from "../../src/model/filter.ts";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type DeclaredOrder, orderInListing, orderKey } from "../../src/model/order.ts";
import { everyPageSize, listingName, type PagingKind } from "../../src/model/paging.ts";
import { pageStarts } from "../../test/check/boundaries.ts";
import { filterValuesOf } from "../../test/check/dataset.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { historyAfter, noBuild } from "../../test/history/history-after.ts";
import { randomFrom } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { completeApi } from "../declaration/complete.ts";
import { answersOf, filesOfAnswers } from "../pages/answers.ts";
import type { Found } from "./previous.ts";
import { retiredFiles } from "./retired.ts";

const lifetime = 900;

/** The number of a history's last build; the first is 0. */
const last = 5;

const histories = 15 * rounds;

/** A field by which items are ordered. */
interface Rule {
  readonly field: string;
  readonly descending?: boolean;
  readonly fold?: boolean;
  readonly natural?: boolean;
}

/** What of the declaration of a list decides its orders. */
interface Declaration {
  readonly key: readonly string[];
  readonly order: readonly Rule[];
  /** The further orders, by name. */
  readonly orders: Readonly<Record<string, readonly Rule[]>>;
}

/** A list whose builds the histories are of. Its filter is by the keys of another one. */
interface Subject {
  readonly declaration: Declaration;
  readonly apiOf: (declaration: Declaration) => Api;
  readonly name: string;
  readonly newItem: (random: Random, values: readonly string[]) => Item;
  /** Undefined if the declaration stays as it is. */
  readonly redeclared?: (random: Random, declaration: Declaration) => Declaration;
}

const found = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
if (found === undefined) throw new Error("No paged operation has a filter.");
const network: Subject = {
  declaration: { key: [found.key], order: found.order.map(({ field }) => ({ field })), orders: {} },
  apiOf: () => edgeNetwork,
  name: found.name,
  newItem: (...rest) => newItem(found, ...rest),
};

const declared = ({ field, descending = false, fold, natural }: Rule): DeclaredOrder => {
  const name = `${descending ? "-" : ""}${field}`;
  return fold || natural ? { field: name, ...(fold && { fold }), ...(natural && { natural }) } : name;
};

const apis = new Map<string, Api>();

/** Things with descending numbers, some of them null, and in several listings of the filter or in none. */
function thingsApi({ key, order, orders }: Declaration): Api {
  const name = JSON.stringify([key, order, orders]);
  const api =
    apis.get(name) ??
    completeApi(
      defineApi({
        collections: {
          things: defineCollection({
            purpose: "Things.",
            schema: z.strictObject({
              of: z.string(),
              id: z.string(),
              name: z.string(),
              score: z.number().nullable(),
              tags: z.array(reference("tags")),
            }),
            key,
            order: order.map(declared),
            orders: Object.fromEntries(Object.entries(orders).map(([name, rules]) => [name, rules.map(declared)])),
            filters: { tag: "tags" },
          } as never),
          tags: defineCollection({ purpose: "Tags.", schema: z.strictObject({ name: z.string() }), key: "name" }),
        },
      }),
    );
  apis.set(name, api);
  return api;
}

const names = ["a2", "a10", "A10", "a02", "ä2", "B", "b 1", "水", "", "a"];

const things: Subject = {
  declaration: {
    key: ["of", "id"],
    order: [{ field: "score", descending: true }, { field: "of" }],
    orders: { low: [{ field: "score" }], named: [{ field: "name", fold: true, natural: true }] },
  },
  apiOf: thingsApi,
  name: "things",
  newItem: (random, values) => ({
    of: pick(random, ["a", "ü", "a b", "水"]),
    id: Math.floor(random() * 1e9).toString(36),
    name: pick(random, names),
    score: random() < 0.2 ? null : Math.floor(random() * 40) - 20 + (random() < 0.3 ? 0.5 : 0),
    tags: values.filter(() => random() < 0.4),
  }),
  redeclared,
};

const orderNames = ["low", "named", "third"];

/** Another order of the list, other further orders or other names for them, or another key. */
function redeclared(random: Random, { key, order, orders }: Declaration): Declaration {
  const kind = random();
  if (kind < 0.4) return { key, order: otherRules(random, order), orders };
  if (kind < 0.45) return { key: key.length === 1 ? ["of", "id"] : ["id"], order, orders };
  const name = pick(random, orderNames) ?? "";
  const { [name]: rules, ...others } = orders;
  if (rules === undefined) return { key, order, orders: { ...orders, [name]: randomRules(random) } };
  if (kind < 0.8) return { key, order, orders: { ...orders, [name]: otherRules(random, rules) } };
  const free = orderNames.find((other) => !(other in orders));
  return { key, order, orders: kind < 0.9 && free !== undefined ? { ...others, [free]: rules } : others };
}

function randomRules(random: Random): readonly Rule[] {
  const fields = ["score", "name", "of", "id"].filter(() => random() < 0.4);
  return (fields.length === 0 ? ["name"] : fields).map((field) => ({
    field,
    descending: random() < 0.5,
    ...(field !== "score" && { fold: random() < 0.3, natural: random() < 0.3 }),
  }));
}

/** Rules that differ little, or other ones. */
function otherRules(random: Random, rules: readonly Rule[]): readonly Rule[] {
  const kind = random();
  const at = Math.floor(random() * rules.length);
  const rule = rules[at];
  if (rule === undefined || kind < 0.3) return randomRules(random);
  if (kind < 0.7 || rule.field === "score") return rules.with(at, { ...rule, descending: !rule.descending });
  if (kind < 0.85) return rules.with(at, { ...rule, fold: !rule.fold });
  return rules.with(at, { ...rule, natural: !rule.natural });
}

/** The fields of an order with those of the key, which decide between items that are equal otherwise. */
function wholeOrder({ key, order, orders }: Declaration, sort: string | undefined): readonly Rule[] {
  const rules = sort === undefined ? order : (orders[sort] ?? []);
  const missing = key.filter((field) => rules.every((rule) => rule.field !== field));
  return [...rules, ...missing.map((field) => ({ field }))];
}

/** Negative if the first item comes first. */
function compare(rules: readonly Rule[], one: Item, other: Item): number {
  for (const { field, descending, fold, natural } of rules) {
    const value = one[field] ?? null;
    const otherValue = other[field] ?? null;
    if (value === otherValue) continue;
    // Whatever the direction.
    if (value === null) return 1;
    if (otherValue === null) return -1;
    const result =
      typeof value === "number"
        ? value - Number(otherValue)
        : compareTexts(String(value), String(otherValue), fold, natural);
    if (result !== 0) return descending ? -result : result;
  }
  return 0;
}

function compareTexts(one: string, other: string, fold = false, natural = false): number {
  const folded = (text: string): string => (fold ? text.toLowerCase().replace("ä", "a").replace("ü", "u") : text);
  const units = (text: string) => Array.from(text.matchAll(natural ? /\d+|./gsu : /./gsu), ([unit]) => unit);
  const ones = units(folded(one));
  const others = units(folded(other));
  for (const [index, unit] of ones.entries()) {
    const otherUnit = others[index];
    if (otherUnit === undefined) return 1;
    const isNumber = natural && /^\d/.test(unit);
    const isOtherNumber = natural && /^\d/.test(otherUnit);
    const result =
      isNumber && isOtherNumber
        ? Number(unit) - Number(otherUnit)
        : codeUnits(isNumber ? "0" : unit, isOtherNumber ? "0" : otherUnit);
    if (result !== 0) return result;
  }
  return ones.length - others.length || codeUnits(one, other);
}

const codeUnits = (one: string, other: string): number => Number(one > other) - Number(one < other);

interface Content {
  readonly declaration: Declaration;
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

interface Page {
  readonly ids: readonly string[];
  readonly limit: number;
  readonly next: string | null;
}

/** All items in an order, or those with a value of the filter. `sort` is undefined for the order of the list. */
interface Listing {
  readonly sort: string | undefined;
  readonly value: string | undefined;
}

/** A request for a page of a listing behind a cursor. */
interface Address extends Listing {
  readonly limit: number | undefined;
  readonly cursor: string;
}

/** What a cursor names. */
interface Position {
  /** The order as it was declared, and the value of the filter. */
  readonly listing: string;
  readonly rules: readonly Rule[];
  /** The item before it, as it was. */
  readonly behind: Item;
}

const sizeOf = (sizes: readonly number[], limit = 100): number => Math.max(...sizes.filter((size) => size <= limit));

const accepts = (sizes: readonly number[], limit = 100): boolean => sizes.some((size) => size <= limit);

/** All limits that equal a page size, and some in between. */
const limits = [undefined, ...everyPageSize.slice(0, 13), 25, 50, 99, 100];

const isAccepted = ({ isServed, values, sizes }: Content, { value, limit }: Address): boolean =>
  isServed && (value === undefined || values.includes(value)) && accepts(sizes, limit);

/** Whether a list and one of its orders are declared in both builds, and alike. */
const isSameOrder = (before: Declaration, after: Declaration, sort: string | undefined): boolean =>
  [before, after].every(({ orders }) => sort === undefined || sort in orders) &&
  listingId(before, { sort, value: undefined }) === listingId(after, { sort, value: undefined });

/** Names the order by its declaration. */
const listingId = (declaration: Declaration, { sort, value }: Listing): string =>
  JSON.stringify([declaration.key, wholeOrder(declaration, sort).map(declared), value]);

interface Build {
  /** By file. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly state: Found;
  readonly retired: readonly string[];
  readonly warnings: readonly string[];
}

function modelOf({ apiOf, name: list, newItem, redeclared }: Subject) {
  return { edit, built, listingsOf, itemsIn, positionsOf, addresses, fileOf };

  function operationOf({ declaration }: Content): ListOperation & { readonly filter: Filter } {
    const operation = apiOf(declaration).lists.find(({ name }) => name === list);
    const filter = operation?.filters[0];
    if (operation === undefined || filter === undefined) throw new Error("There is no list with a filter.");
    return { ...operation, filter };
  }

  function listingsOf({ isServed, declaration, values }: Content): readonly Listing[] {
    if (!isServed) return [];
    const sorts = [undefined, ...Object.keys(declaration.orders)];
    return sorts.flatMap((sort) => [undefined, ...values].map((value) => ({ sort, value })));
  }

  /** In the order of the listing. */
  function itemsIn(content: Content, { sort, value }: Listing): readonly Item[] {
    const { filter } = operationOf(content);
    const rules = wholeOrder(content.declaration, sort);
    return content.items
      .filter((item) => value === undefined || filterValuesOf(item, filter).includes(value))
      .toSorted((one, other) => compare(rules, one, other));
  }

  function edit(random: Random, content: Content): Content {
    const { items, values, sizes, paging, isServed } = content;
    if (redeclared !== undefined && random() < 0.35) {
      return { ...content, declaration: redeclared(random, content.declaration) };
    }
    const { key, filter } = operationOf(content);
    const at = Math.floor(random() * (items.length + 1));
    const kind = random();
    if (kind < 0.3) return { ...content, items: items.toSpliced(at, 0, newItem(random, values)) };
    if (kind < 0.6) return { ...content, items: items.toSpliced(at, 1 + Math.floor(random() * 3)) };
    if (kind < 0.8 && at < items.length) {
      const item = items[at] ?? {};
      const fresh = newItem(random, values);
      const fields = Object.keys(item).filter((name) => name !== key);
      const other = pick(random, fields) ?? filter.field ?? "";
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

  function catalogOf(content: Content): Catalog {
    const { items, values, sizes, paging, declaration } = content;
    const api = apiOf(declaration);
    const { accepts } = operationOf(content).filter;
    const target = api.lists.find(({ name }) => accepts.kind === "keys" && name === accepts.of);
    const targets = values.map((value) => ({ ...target?.example, [target?.key ?? ""]: value }));
    return {
      api,
      items: catalogItems({ [list]: items, [target?.name ?? ""]: targets }, api),
      deployments: new Map(),
      settings: {
        ...noSettings,
        cursorLifetime: lifetime,
        pageSizes: new Map([[list, sizes]]),
        paging: new Map([[list, paging]]),
      },
    };
  }

  async function built(content: Content, previous: Found, now: number): Promise<Build> {
    const catalog = catalogOf(content);
    const operations = content.isServed ? [list] : [];
    const deployment: Deployment = { name: "edge", operations, documents: new Map() };
    const api = answersOf(catalog, deployment);
    const history = await historyAfter(catalog, deployment, previous, { now });
    const files = [...filesOfAnswers(api).all()];
    expect(history.retiredPages.isCut).toBe(false);
    const retired = [...retiredFiles(history.retiredPages.pages).all()];
    const { key } = operationOf(content);
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
    const warnings = history.warnings.map(({ text }) => text);
    return { pages, state: history.state, retired: retired.map(({ file }) => file), warnings };
  }

  /** The positions where pages of each size start, as the contract defines them. */
  function startsIn(content: Content, { sort, value }: Listing, items: readonly Item[]) {
    const operation = operationOf(content);
    const order = operation.orders.find(({ name }) => name === sort);
    const listing = listingName(list, [
      ...(order === undefined ? [] : [{ param: "sort", value: orderInListing(order) }]),
      ...(value === undefined ? [] : [{ param: operation.filter.param, value }]),
    ]);
    const keyOf = (item: Item) => orderKey(order === undefined ? operation.order : order.fields, item);
    const startsOf = pageStarts(
      content.paging,
      items.map((item) => listing + keyOf(item)),
    );
    return new Map(content.sizes.map((size) => [size, startsOf(size)]));
  }

  /** The cursors of a listing by their positions, from its pages, which have to start where the contract says. */
  function positionsOf(content: Content, listing: Listing, { pages }: Build): ReadonlyMap<number, string> {
    const cursors = new Map<number, string>();
    const items = itemsIn(content, listing);
    for (const [size, starts] of startsIn(content, listing, items)) {
      // Pages of a hundred items may start where others do, so the pages of one size are followed from the first.
      let page = pages.get(fileOf(content, { ...listing, limit: size }));
      for (let start = page?.ids.length ?? 0; page !== undefined && page.next !== null; start += page.ids.length) {
        const { next } = page;
        if (!starts.includes(start)) throw new Error(`No page of ${size} starts at ${start}.`);
        if ((cursors.get(start) ?? next) !== next) throw new Error(`The position ${start} has two cursors.`);
        cursors.set(start, next);
        page = pages.get(fileOf(content, { ...listing, limit: size }, next));
        if (page === undefined) throw new Error(`There is no page of ${size} at ${start}.`);
      }
    }
    return cursors;
  }

  /** Every address that the contract gives the pages of a content, with its name. */
  function* addresses(content: Content, build: Build): Generator<readonly [string, Address]> {
    for (const listing of listingsOf(content)) {
      const starts = startsIn(content, listing, itemsIn(content, listing));
      for (const [start, cursor] of positionsOf(content, listing, build)) {
        for (const limit of limits) {
          if (!accepts(content.sizes, limit)) continue;
          const size = sizeOf(content.sizes, limit);
          const sizes = size === 100 ? content.sizes : [size];
          if (!sizes.some((one) => starts.get(one)?.includes(start))) continue;
          yield [`${listing.sort} ${listing.value} ${limit} ${cursor}`, { ...listing, limit, cursor }];
        }
      }
    }
  }

  function fileOf(
    content: Content,
    { sort, value, limit }: Pick<Address, "sort" | "value" | "limit">,
    cursor?: string,
  ): string {
    const size = sizeOf(content.sizes, limit);
    const sorted = sort === undefined ? "" : `/sort/${sort}`;
    const filter = value === undefined ? "" : `/${operationOf(content).filter.param}/${value}`;
    const end = cursor === undefined ? "" : `/cursor/${cursor}`;
    return `api/v1/${list}${sorted}${filter}${size === 100 ? "" : `/limit/${size}`}${end}.json`;
  }
}

it(`keeps every cursor for its lifetime, and in its order, over ${histories} histories of edits`, {
  timeout: 3_600_000,
}, async () => {
  const counts = { builds: 0, reordered: 0, promised: 0, retired: 0, walked: 0, ofOtherOrders: 0 };
  const retiredBy = { exact: 0, stable: 0, switched: 0 };
  for (let history = 0; history < histories; history++) {
    const random = randomFrom(seed + history);
    const subject = history % 5 === 0 ? network : things;
    const { edit, built, listingsOf, itemsIn, positionsOf, addresses, fileOf } = modelOf(subject);
    const sizes = pick(random, sizeChoices) ?? [100];
    const paging = pick(random, kinds) ?? "exact";
    const { declaration } = subject;
    let content: Content = { declaration, items: [], values: allValues, sizes, paging, isServed: true };
    const count = Math.floor(random() * (random() < 0.05 ? 250 : 25));
    for (let index = 0; index < count; index++) {
      content = { ...content, items: [...content.items, subject.newItem(random, allValues)] };
    }
    let before = content;
    let now = 1_700_000_000;
    let state = noBuild;
    const promised = new Map<string, Address & { superseded?: number }>();
    /** All cursors of all builds. */
    const positions = new Map<string, Position>();
    for (let depth = 0; depth <= last; depth++) {
      const build = await built(content, state, now);
      const { declaration } = content;
      const at = { seed: seed + history, depth };
      counts.builds++;
      state = build.state;
      retiredBy[content.paging === before.paging ? content.paging : "switched"] += build.retired.length;

      // A build says which cursors stop working.
      const sorts = [undefined, ...Object.keys(declaration.orders)];
      const isBoth = before.isServed && content.isServed;
      const reordered = sorts.filter(
        (sort) =>
          isBoth &&
          (sort === undefined || sort in before.declaration.orders) &&
          !isSameOrder(before.declaration, declaration, sort),
      );
      counts.reordered += reordered.length;
      const nameOf = (sort: string | undefined) => (sort === undefined ? subject.name : `${subject.name}?sort=${sort}`);
      expect({ ...at, warnings: build.warnings }).toEqual({
        ...at,
        warnings: reordered.map((sort) =>
          expect.stringMatching(
            new RegExp(`: existing cursors of ${nameOf(sort).replace("?", "\\?")} stop working\\.$`),
          ),
        ),
      });

      for (const listing of listingsOf(content)) {
        const items = itemsIn(content, listing);
        for (const [start, cursor] of positionsOf(content, listing, build)) {
          const rules = wholeOrder(declaration, listing.sort);
          const behind = items[start - 1] ?? {};
          const known = positions.get(cursor);
          const position = { listing: listingId(declaration, listing), rules, behind };
          // A cursor is never that of another position.
          const isKnown = known?.listing === position.listing && compare(rules, known.behind, behind) === 0;
          if (known !== undefined && !isKnown) expect({ ...at, cursor, known }).toEqual({ ...at, cursor, position });
          positions.set(cursor, position);
        }
      }

      // What is promised is the same, or what is promised is over.
      const present = new Map(addresses(content, build));
      for (const [name, address] of promised) {
        const isOver = !isBoth || !isSameOrder(before.declaration, declaration, address.sort);
        const superseded = present.has(name) ? undefined : (address.superseded ?? now);
        if (isOver || !isAccepted(content, address)) promised.delete(name);
        else if (superseded !== undefined && superseded + lifetime <= now) promised.delete(name);
        else if (superseded !== undefined) promised.set(name, { ...address, superseded });
      }
      for (const [name, address] of present) promised.set(name, address);
      before = content;
      const fileAt = (address: Address) => fileOf(content, address, address.cursor);
      const files = (all: readonly Address[]) => new Set(all.map(fileAt));
      const superseded = files([...promised.values()].filter((address) => address.superseded !== undefined));
      const presentFiles = files([...present.values()]);
      expect([...build.retired].sort()).toEqual([...superseded].filter((file) => !presentFiles.has(file)).sort());
      for (const address of promised.values()) {
        if (!build.pages.has(fileAt(address))) expect({ ...at, address }).toBe("answered");
        counts.promised++;
        if (address.superseded !== undefined) counts.retired++;
      }

      const walks = new Map<string, readonly string[] | string>();
      const walkFrom = (address: Omit<Address, "cursor">, cursor: string): readonly string[] | string => {
        const file = fileOf(content, address, cursor);
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
      const listings = new Map<string, Listing & { readonly limit: number; readonly items: readonly Item[] }>();
      for (const listing of listingsOf(content)) {
        const items = itemsIn(content, listing);
        for (const limit of content.sizes) {
          const folder = fileOf(content, { ...listing, limit }, "").replace(/\.json$/, "");
          listings.set(folder, { ...listing, limit, items });
        }
      }
      const ids = new Set(Array.from(listings.values(), (listing) => listingId(declaration, listing)));
      counts.ofOtherOrders += [...positions.values()].filter(({ listing }) => !ids.has(listing)).length;
      for (const file of build.pages.keys()) {
        const [, folder = "", cursor = ""] = /^(.*\/cursor\/)(.*)\.json$/.exec(file) ?? [];
        const listing = listings.get(folder);
        if (listing === undefined) continue;
        const position = positions.get(cursor);
        const id = listingId(declaration, listing);
        // No cursor is answered in an order that is not its own.
        if (position?.listing !== id)
          expect({ ...at, file, listing: position?.listing }).toEqual({ ...at, file, listing: id });
        const { rules = [], behind = {} } = position ?? {};
        const found = walkFrom(listing, cursor);
        const remaining = listing.items.filter((item) => compare(rules, item, behind) > 0);
        const wanted = remaining.map((item) => item[declaration.key.at(-1) ?? ""]);
        if (JSON.stringify(found) !== JSON.stringify(wanted)) {
          expect({ ...at, file, found }).toEqual({ ...at, file, found: wanted });
        }
        counts.walked++;
      }
      if (depth === last) break;
      const edits = 1 + Math.floor(random() * 3);
      for (let index = 0; index < edits; index++) content = edit(random, content);
      now += Math.floor(random() * lifetime * 0.7);
    }
    // Pages that are no longer promised are not kept.
    const expired = await built(content, state, now + lifetime);
    expect(expired.retired).toEqual([]);
    expect([...expired.pages]).toEqual([...(await built(content, noBuild, 0)).pages]);
  }
  console.info(`Histories: ${JSON.stringify(counts)}. Pages were retired: ${JSON.stringify(retiredBy)}.`);
  expect(Math.min(...Object.values(retiredBy))).toBeGreaterThan(0);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(histories / 2);
});
