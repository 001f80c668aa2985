// Further orders outlive builds: what happens to their cursors when their declaration, or their function, changes.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, type OrderBy } from "../../src/declare/declare.ts";
import type { Item } from "../../src/model/key.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { completeApi } from "../declaration/complete.ts";
import { planApi } from "../pages/pages.ts";
import { type Found, historyOf } from "./history.ts";
import { retire } from "./retired.ts";

const deployment: Deployment = { name: "edge", operations: ["things"], documents: new Map() };

const things = Array.from({ length: 9 }, (_, index) => ({ shelf: "a", id: index - 3, size: `${(index * 7) % 5}` }));

type Thing = (typeof things)[number];

/** The state of a build, its warnings, and the orders of its retired pages. */
function built(orders: Readonly<Record<string, OrderBy>>, items: readonly Thing[], previous: Found, changes = 60) {
  const declared = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ shelf: z.string(), id: z.int(), size: z.string() }),
    key: ["shelf", "id"],
    order: ["size"],
    orders: orders as never,
  });
  const api = completeApi(defineApi({ collections: { things: declared } }));
  const pageSizes = new Map([["things", [2, 100]]]);
  const settings = { ...noSettings, pageSizes, changes, cursorLifetime: 900 };
  const catalog: Catalog = {
    api,
    items: catalogItems({ things: items as readonly Item[] }, api),
    deployments: new Map(),
    settings,
  };
  const plan = planApi(catalog, deployment);
  const history = historyOf({ catalog, deployment, pages: plan.pages, previous, now: 1_700_000_000 });
  const state: Found = { kind: "state", bytes: Buffer.concat(history.documents.flatMap(({ parts }) => [...parts()])) };
  const retired = [...retire(plan.listings, history)].map(({ listing }) => listing.order?.name);
  const cursors = [...plan.files()].flatMap(({ file }) => /\/sort\/.*\/cursor\/(.*)\.json$/.exec(file)?.[1] ?? []);
  return { state, warnings: history.warnings.map(({ text }) => text), retired: [...new Set(retired)], cursors };
}

const bySize = { by: { of: ({ size }: Thing) => Number(size) } };
const none: Found = { kind: "none" };
const edited = things.map((thing) => (thing.id === 0 ? { ...thing, size: "9" } : thing));

it("keeps the cursors of all orders over edits, with a list of changes and without", () => {
  for (const changes of [60, 0]) {
    const { state } = built({ ...bySize, back: ["-id"] }, things, none, changes);
    const again = built({ ...bySize, back: ["-id"] }, things, state, changes);
    expect(again).toMatchObject({ state, warnings: [], retired: [] });
    const after = built({ ...bySize, back: ["-id"] }, edited.slice(1), state, changes);
    expect(after).toMatchObject({ warnings: [], retired: [undefined, "by", "back"] });
  }
});

it("starts an order anew if its function derives another value from an item that is as it was", () => {
  for (const changes of [60, 0]) {
    const { state } = built(bySize, things, none, changes);
    const other = { by: { of: ({ size }: Thing) => (size === "4" ? -1 : Number(size)) } };
    const { warnings, retired } = built(other, edited.slice(1), state, changes);
    expect(warnings).toEqual([
      "The order of things?sort=by has changed, so earlier pages are not kept: existing cursors of things?sort=by only work if a page of the new build starts at their position.",
    ]);
    expect(retired).toEqual([undefined]);
  }
});

it("starts an order anew if its fields or its direction change, and no other one", () => {
  const { state } = built({ ...bySize, back: ["-id"] }, things, none);
  const other = { by: { ...bySize.by, descending: true }, back: ["-size"], more: ["id"] } as const;
  const { warnings, retired } = built(other, edited.slice(1), state);
  const what = "has changed, so earlier pages are not kept: existing cursors of";
  expect(warnings).toEqual([
    `The order of things?sort=by ${what} things?sort=by stop working.`,
    `The order of things?sort=back ${what} things?sort=back stop working.`,
  ]);
  expect(retired).toEqual([undefined]);
});

it("answers no cursor of an order that is declared differently, also if items have the same order key", () => {
  // 0 has the same order key in both directions, and so have all items without a value.
  const of = ({ size }: Thing) => (size === "0" ? 0 : undefined);
  const up = built({ by: { of }, id: ["id"] }, things, none);
  const down = built({ by: { of, descending: true }, id: ["-id"] }, things, none);
  expect(up.cursors.length).toBeGreaterThan(4);
  expect(up.cursors.filter((cursor) => down.cursors.includes(cursor))).toEqual([]);
});
