// Random collections: fields, composite keys, orders and filters of any kind, with random items. Every request is
// answered as the contract says, and the data page has every item and no link that leads nowhere.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { resolve, settle, splitTarget } from "../../build/routing/resolve.ts";
import { type CollectionDeclaration, defineApi, defineCollection, type FilterBy } from "../../src/declare/declare.ts";
import { reference, slugify } from "../../src/index.ts";
import type { Item } from "../../src/model/key.ts";
import { hasAnchor, linksIn, mistakesIn } from "../documents/check-page.ts";
import { rounds } from "../seed.ts";
import { temporaryFolder } from "../temporary.ts";
import { buildForTest } from "./built.ts";
import { builtSubject, conform, isFileOf } from "./conform.ts";
import { conformanceRequests } from "./requests.ts";

const folder = temporaryFolder();

interface Field {
  readonly schema: z.ZodType;
  readonly value: fc.Arbitrary<unknown>;
  /** Whether lists can be sorted by it. */
  readonly isSortable: boolean;
  /** A filter by the field, if there can be one. */
  readonly filter?: (name: string) => FilterBy | ((item: Item) => unknown);
}

const part = fc.string({ unit: fc.constantFrom(..."abz059_-"), minLength: 1, maxLength: 3 });
const tag = fc.constantFrom("red", "green", "blue", "x.y", "-1", "_");
const anyText = fc.string({ unit: fc.constantFrom(...'aZ 09!"\\\té\ud83c\udf89\uffff'), maxLength: 4 });
const byName = (name: string) => name;

const kinds: readonly Field[] = [
  {
    schema: z.string(),
    value: anyText,
    isSortable: true,
    filter: (name) => (item: Item) => slugify(String(item[name])),
  },
  {
    schema: z.array(z.string()),
    value: fc.array(fc.constantFrom("cursor", "item", "limit", "docs"), { maxLength: 3 }),
    isSortable: false,
    filter: (name) => (item: Item) => item[name],
  },
  { schema: z.string(), value: anyText, isSortable: true },
  { schema: z.string().nullable(), value: fc.option(anyText), isSortable: true },
  { schema: z.number(), value: fc.double({ noNaN: true, noDefaultInfinity: true }), isSortable: true },
  { schema: z.int().nullable(), value: fc.option(fc.integer({ min: -20, max: 20 })), isSortable: true, filter: byName },
  { schema: z.boolean().nullable(), value: fc.option(fc.boolean()), isSortable: true, filter: byName },
  { schema: z.iso.date(), value: fc.constantFrom("2024-02-29", "1999-12-31", "2026-01-01"), isSortable: true },
  { schema: z.enum(["on", "off"]), value: fc.constantFrom("on", "off"), isSortable: true, filter: byName },
  { schema: z.string(), value: tag, isSortable: true, filter: byName },
  { schema: z.array(z.string()), value: fc.array(tag, { maxLength: 3 }), isSortable: false, filter: byName },
  {
    schema: z.union([z.array(z.int()), z.null()]),
    value: fc.option(fc.array(fc.nat(5))),
    isSortable: false,
    filter: byName,
  },
  {
    schema: z.record(z.string(), z.unknown()),
    value: fc.dictionary(tag, fc.anything({ maxDepth: 1, withBigInt: false }), { maxKeys: 3 }),
    isSortable: false,
    filter: (name) => ({ keysOf: name }),
  },
  {
    schema: z.string().nullable(),
    value: fc.option(fc.constantFrom("North Asia", "Île-de-France", "???", "São  Tomé", "")),
    isSortable: true,
    filter: (name) => ({ field: name, slug: true }),
  },
  {
    schema: z.array(z.string()),
    value: fc.subarray(["North Asia", "Île-de-France", "???", "São  Tomé", ""]),
    isSortable: false,
    filter: (name) => ({ field: name, slug: true }),
  },
  { schema: reference("others"), value: fc.constantFrom("one", "two"), isSortable: true, filter: byName },
  {
    schema: z.array(reference("others")),
    value: fc.array(fc.constantFrom("one", "two"), { maxLength: 2 }),
    isSortable: false,
    filter: byName,
  },
];

const anyCollection = fc
  .record({
    fields: fc.array(fc.constantFrom(...kinds), { maxLength: 5 }),
    hasScope: fc.boolean(),
    isDescending: fc.infiniteStream(fc.boolean()),
    chosen: fc.infiniteStream(fc.boolean()),
    paged: fc.boolean(),
  })
  .chain(({ fields, hasScope, isDescending, chosen, paged }) => {
    const named = fields.map((field, index) => [`f${index}`, field] as const);
    const keys = hasScope ? ["scope", "id"] : ["id"];
    const shape = Object.fromEntries(named.map(([name, { schema }]) => [name, schema]));
    const next = (stream: fc.Stream<boolean>): boolean => stream.next().value === true;
    const sorted: readonly string[] = named
      .filter(([, { isSortable }]) => isSortable && next(chosen))
      .map(([name]) => name);
    const filters = named.flatMap(([name, { filter }]) =>
      filter && next(chosen) ? [[`by_${name}`, filter(name)] as const] : [],
    );
    const params = filters.map(([param]) => param);
    const inOtherOrder = named.flatMap(([name, { isSortable }]) =>
      isSortable && next(chosen) ? [next(isDescending) ? `-${name}` : name] : [],
    );
    const orders = next(chosen) ? { other: [...inOtherOrder, "-id"] } : {};
    const hasAliases = !hasScope && next(chosen);
    const isOrderedBy = (name: string) => [...sorted, ...inOtherOrder].some((rule) => rule.endsWith(name));
    const names = [...named.map(([name]) => name), ...keys];
    const isBrief = next(chosen);
    const declaration = {
      purpose: "Things.",
      schema: z.strictObject({ ...shape, scope: z.string(), id: z.string(), aliases: z.array(z.string()) }),
      key: keys,
      order: sorted.map((name) => {
        const field = next(isDescending) ? `-${name}` : name;
        const isText = named.some(([other, { value }]) => other === name && value === anyText);
        return isText && next(chosen) ? { field, fold: next(chosen), natural: next(chosen) } : field;
      }),
      orders,
      filters: Object.fromEntries(filters),
      together: params.length < 2 ? [] : [params.slice(0, 3)],
      paged,
      ...((isBrief || next(chosen)) && { item: hasAliases ? { aliases: "aliases" } : true }),
      ...(isBrief && { brief: names.filter((name) => keys.includes(name) || isOrderedBy(name) || next(chosen)) }),
    } as unknown as CollectionDeclaration;
    const values = Object.fromEntries(named.map(([name, { value }]) => [name, value]));
    const item = fc.record({ ...values, scope: part, id: part }).map((value) => ({
      ...value,
      aliases: hasAliases ? [value.id, `alias.${value.id}`.toLowerCase()] : ["two words"],
    }));
    const items = fc.uniqueArray(item, {
      maxLength: 25,
      selector: (value: Item) => keys.map((key) => String(value[key]).toLowerCase()).join("/"),
    });
    return fc.record({ declaration: fc.constant(declaration), items, isPlain: fc.boolean() });
  });

it("answers every request for random collections as the contract says", { timeout: 300_000 }, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(anyCollection, async ({ declaration, items, isPlain }) => {
      const others = defineCollection({ purpose: "Others.", schema: z.strictObject({ id: z.string() }), key: "id" });
      const api = completeApi(
        defineApi({
          collections: {
            things: defineCollection(declaration as unknown as Parameters<typeof defineCollection>[0]),
            others,
          },
        }),
      );
      const content = path.join(folder, String(number++));
      mkdirSync(content);
      const write = (file: string, text: string) => writeFileSync(path.join(content, file), text);
      write("api.yaml", "page_sizes: [2, 7, 100]\n");
      write("others.json", '[{"id":"one"},{"id":"two"}]');
      if (isPlain) write("things.ndjson", items.map((item) => `${JSON.stringify(item)}\n`).join(""));
      else write("things.json", JSON.stringify(items));
      if (items.length === 0) rmSync(path.join(content, isPlain ? "things.ndjson" : "things.json"));
      const dist = `${content}-dist`;
      const built = await buildForTest(content, dist, [], api);
      const { dataset, plan } = built;
      const served = dataset.items.get("things") ?? [];
      const texts = (all: readonly unknown[]) => all.map((value) => JSON.stringify(value)).sort();
      expect(texts(served.map(sortedKeys))).toEqual(texts(JSON.parse(JSON.stringify(items)).map(sortedKeys)));
      const dump = readFileSync(path.join(dist, "api/v1/dumps/things.ndjson"), "utf8");
      expect(dump).toBe(served.map((item) => `${JSON.stringify(item)}\n`).join(""));
      const requests = conformanceRequests(dataset).filter(({ path: asked }) => asked.startsWith("/api/v1/things"));
      const { failures } = await conform(builtSubject(built, dist), requests);
      expect(failures).toEqual([]);
      const page = readFileSync(path.join(dist, "api/v1/docs/data/things.html"), "utf8");
      expect(mistakesIn(page)).toEqual([]);
      const keys = [declaration.key].flat();
      const missing = served
        .map((item) => keys.map((key) => item[key]).join("/"))
        .filter((key) => !hasAnchor(page, `row-${key}`));
      expect(missing).toEqual([]);
      const isFile = isFileOf(dist);
      const lost = linksIn(page).filter((href) => {
        const [target = "", anchor] = href.split("#");
        if (target === "") return !hasAnchor(page, anchor ?? "");
        const answer = settle(resolve(plan.table, { method: "GET", ...splitTarget(target) }), isFile);
        if (answer.status !== 200 || answer.file === undefined) return true;
        return anchor !== undefined && !hasAnchor(readFileSync(path.join(dist, answer.file), "utf8"), anchor);
      });
      expect(lost).toEqual([]);
      for (const output of [content, dist]) rmSync(output, { recursive: true });
    }),
    { numRuns: 8 * rounds },
  );
});

const sortedKeys = (item: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(item)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
