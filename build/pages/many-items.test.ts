// The cost of a plan of many items.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { pageSizes } from "../../src/model/paging.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import type { Catalog } from "../content/catalog.ts";
import { completeApi } from "../declaration/complete.ts";
import { answersOf, filesOfAnswers } from "./answers.ts";

const schema = z.strictObject({ id: z.string(), third: z.int(), fifth: z.int(), text: z.string() });
const things = defineCollection({
  purpose: "Things.",
  schema,
  key: "id",
  item: true,
  filters: { third: "third", fifth: "fifth" },
  together: [["third", "fifth"]],
});
const api = completeApi(defineApi({ collections: { things } }));
const count = 20_000;
const text = "x".repeat(500);
let catalog: Catalog;

beforeAll(() => {
  const all = Array.from({ length: count }, (_, index) => ({
    id: `t${String(index).padStart(5, "0")}`,
    third: index % 3,
    fifth: index % 5,
    text,
  }));
  const settings = { ...noSettings, pageSizes: new Map([["things", pageSizes([10])]]) };
  catalog = { api, items: catalogItems({ things: all }, api), deployments: new Map(), settings };
});

const plan = () => answersOf(catalog, { name: "all", operations: ["things"], documents: new Map() });

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

it.each([
  ["an item", /\/things\/item\//],
  ["a page behind a cursor", /\/things\/limit\/10\/cursor\//],
])("finds %s in a small part of the time that all take", (_, form) => {
  const { all, find } = filesOfAnswers(plan());
  const names: string[] = [];
  const timeOfAll = timeOf(() => {
    for (const { file } of all()) if (form.test(file)) names.push(file);
  });
  const wanted = names.filter((_, index) => index % Math.ceil(names.length / 200) === 0);
  expect(find(wanted.at(-1) ?? "")?.file).toBe(wanted.at(-1));
  const timeOfSome = timeOf(() => {
    for (const file of wanted) find(file);
  });
  expect(wanted.length).toBeGreaterThan(150);
  expect(timeOfSome).toBeLessThan(timeOfAll);
});

/** The bytes in buffers that are not garbage. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  // Buffers are freed while the program goes on, and the second collection waits for the end of it.
  runInNewContext("gc(); gc()");
  return process.memoryUsage().arrayBuffers;
}

it("keeps no copies of the items that filters list", () => {
  const before = bytesInUse();
  const { listings } = plan();
  const kept = bytesInUse() - before;
  const listed = listings.reduce((sum, { items }) => sum + items.length(0, items.count), 0);
  expect(listed).toBeGreaterThan(3 * count * text.length);
  expect(kept).toBeLessThan(listed / 10);
});
