import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/index.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";
import { type Found, historyOf } from "./history.ts";

it("publishes order keys of few letters beyond ASCII, of which the next build finds each", () => {
  const schema = z.strictObject({ id: z.string(), name: z.string() });
  const words = defineCollection({ purpose: "Words.", schema, key: "id", order: ["name"] });
  const api = completeApi(defineApi({ collections: { words } }));
  const historyAfter = (previous: Found, ...names: readonly string[]) => {
    const items = catalogItems({ words: names.map((name, index) => ({ id: `i${index}`, name })) }, api);
    const settings = { ...noSettings, pageSizes: new Map([["words", [1, 100]]]) };
    const deployment = { name: "all", operations: ["words"], documents: new Map() };
    const catalog = { api, items, deployments: new Map(), settings };
    return historyOf({ catalog, deployment, pages: 1, previous, now: 0 });
  };
  const first = historyAfter({ kind: "none" }, "a", "ü", "水");
  const bytes = Buffer.concat(first.documents.flatMap(({ parts }) => parts()));
  const { earlier, warnings } = historyAfter({ kind: "state", bytes }, "a");
  expect(warnings).toEqual([]);
  expect([...earlier].map((build) => build.get("words")?.items[0])).toEqual([["a i0", "ü i1", "水 i2"]]);
});
