// Orders outlive builds: what happens to their cursors when their declaration changes.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, type OrderBy } from "../../src/declare/declare.ts";
import type { Item } from "../../src/model/key.ts";
import type { DeclaredOrder } from "../../src/model/order.ts";
import type { PagingKind } from "../../src/model/paging.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { historyAfter, noBuild } from "../../test/history/history-after.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { completeApi } from "../declaration/complete.ts";
import { answersOf, filesOfAnswers } from "../pages/answers.ts";
import type { Found } from "./previous.ts";

const deployment: Deployment = { name: "edge", operations: ["things"], documents: new Map() };

const things = Array.from({ length: 9 }, (_, index) => ({ shelf: "a", id: index - 3, size: `${(index * 7) % 5}` }));

/** The state of a build, its warnings, and the orders of its retired pages. */
async function built(
  orders: Readonly<Record<string, readonly string[]>>,
  items: readonly Item[],
  previous: Found,
  changes = 60,
) {
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
  const catalog: Catalog = { api, items: catalogItems({ things: items }, api), deployments: new Map(), settings };
  const {
    state,
    warnings,
    retiredPages: earlierPages,
  } = await historyAfter(catalog, deployment, previous, { now: 1_700_000_000 });
  const names = earlierPages.pages.map(({ listing }) => listing.order?.name);
  return { state, warnings: warnings.map(({ text }) => text), retired: [...new Set(names)] };
}

const orders = { by: ["-size"], back: ["-id"] };
const edited = things.map((thing) => (thing.id === 0 ? { ...thing, size: "9" } : thing));

it("keeps the cursors of all orders over edits, with a list of changes and without", async () => {
  for (const changes of [60, 0]) {
    const { state } = await built(orders, things, noBuild, changes);
    const again = await built(orders, things, state, changes);
    expect(again).toMatchObject({ state, warnings: [], retired: [] });
    const after = await built(orders, edited.slice(1), state, changes);
    expect(after).toMatchObject({ warnings: [], retired: [undefined, "by", "back"] });
  }
});

it("starts an order anew if its fields or its direction change, and no other one", async () => {
  const { state } = await built(orders, things, noBuild);
  const other = { by: ["size", "-id"], back: ["id"], more: ["shelf"] };
  const { warnings, retired } = await built(other, edited.slice(1), state);
  const what = "has changed, so earlier pages are not kept: existing cursors of";
  expect(warnings).toEqual([
    `The order of things?sort=by ${what} things?sort=by stop working.`,
    `The order of things?sort=back ${what} things?sort=back stop working.`,
  ]);
  expect(retired).toEqual([undefined]);
});

/** Parts of the declaration of a list in two builds. The other parts are equal. */
interface Declared {
  readonly key?: readonly string[];
  readonly order?: readonly DeclaredOrder[];
  readonly orders?: Readonly<Record<string, OrderBy>>;
  readonly schema?: z.ZodObject;
  readonly filters?: Readonly<Record<string, string>>;
  readonly purpose?: string;
  readonly paging?: PagingKind;
}

/** The cursors of pages with one item, in the order of the list and in its further orders, and the warnings. */
async function listed(declared: Declared, items: readonly Item[] = things, previous: Found = noBuild) {
  const { paging = "exact", ...options } = declared;
  const collection = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ shelf: z.string(), id: z.int(), size: z.string() }),
    key: ["shelf", "id"],
    order: ["size"],
    ...options,
  } as never);
  const api = completeApi(defineApi({ collections: { things: collection } }));
  const pageSizes = new Map([["things", [1, 100]]]);
  const settings = { ...noSettings, pageSizes, paging: new Map([["things", paging]]), cursorLifetime: 900 };
  const catalog: Catalog = { api, items: catalogItems({ things: items }, api), deployments: new Map(), settings };
  const { state, warnings } = await historyAfter(catalog, deployment, previous, { now: 1_700_000_000 });
  const files = [...filesOfAnswers(answersOf(catalog, deployment)).all()].map(({ file }) =>
    /things(\/sort\/.*)?\/limit\/1\/cursor\/(.*)\.json$/.exec(file),
  );
  const cursorsOf = (isSorted: boolean) =>
    files.flatMap((match) => (match !== null && (match[1] !== undefined) === isSorted ? [match[2] ?? ""] : []));
  return {
    cursors: cursorsOf(false),
    sorted: cursorsOf(true),
    warnings: warnings.map(({ text }) => text),
    state,
  };
}

const withSizes = (sizes: readonly unknown[]): readonly Item[] =>
  sizes.map((size, index) => ({ shelf: "a", id: index, size }));

const numbers = [1, 2, 3];
/** Texts with the order keys of these numbers. */
const hexadecimal = ["bff0000000000000", "c000000000000000", "c008000000000000"];
const shelf = z.string();
const id = z.int();
const sparse = z.strictObject({ shelf, id, size: z.number().nullable() });

describe("a cursor belongs to its order as it is declared, and is unknown in every other one", () => {
  it.each<[string, Declared, Declared, before?: readonly unknown[], after?: readonly unknown[]]>([
    ["another field", { order: ["size"] }, { order: ["shelf"] }],
    ["a field more", { order: ["shelf"] }, { order: ["shelf", "size"] }],
    ["another direction", { order: ["size"] }, { order: ["-size"] }],
    [
      "another direction of values with the same order key: 0, and items without a value",
      { schema: sparse, order: ["size"] },
      { schema: sparse, order: ["-size"] },
      [0, null, null],
      [0, null, null],
    ],
    ["another sequence of fields", { order: ["shelf", "size"] }, { order: ["size", "shelf"] }],
    ["upper and lower case alike", { order: ["size"] }, { order: [{ field: "size", fold: true }] }],
    ["numbers in texts by value", { order: ["size"] }, { order: [{ field: "size", natural: true }] }],
    [
      "another rule for texts",
      { order: [{ field: "size", fold: true }] },
      { order: [{ field: "size", natural: true }] },
    ],
    ["another key", { order: ["size", "shelf", "id"] }, { order: ["size", "shelf", "id"], key: ["id", "shelf"] }],
    [
      "another type of a field",
      { schema: z.strictObject({ shelf, id, size: z.number() }) },
      { schema: z.strictObject({ shelf, id, size: z.string() }) },
      numbers,
      hexadecimal,
    ],
  ])("%s", async (_, declaredBefore, declaredAfter, sizesBefore, sizesAfter) => {
    const inOrder = ({ order = ["size"], ...rest }: Declared): Declared => ({ ...rest, orders: { by: order } });
    const itemsBefore = sizesBefore && withSizes(sizesBefore);
    const itemsAfter = sizesAfter && withSizes(sizesAfter);
    const before = await listed(declaredBefore, itemsBefore);
    const after = await listed(declaredAfter, itemsAfter, before.state);
    expect(before.cursors.length).toBeGreaterThan(1);
    expect(after.cursors.filter((cursor) => before.cursors.includes(cursor))).toEqual([]);
    expect(after.warnings).toEqual([
      expect.stringMatching(
        /^The (key|order|key and order) of things ha.*: existing cursors of things stop working\.$/,
      ),
    ]);
    const further = await listed(inOrder(declaredBefore), itemsBefore);
    const furtherAfter = await listed(inOrder(declaredAfter), itemsAfter, further.state);
    expect(further.sorted.length).toBeGreaterThan(1);
    expect(furtherAfter.sorted.filter((cursor) => further.sorted.includes(cursor))).toEqual([]);
    expect(furtherAfter.warnings.at(-1)).toMatch(/: existing cursors of things\?sort=by stop working\.$/);
  });

  const newest = { newest: ["-id"] } as const;
  it.each<[string, Declared, Declared]>([
    ["another name of a further order", { orders: newest }, { orders: { latest: ["-id"] } }],
    ["one more order", { orders: newest }, { orders: { ...newest, shelves: ["shelf"] } }],
    [
      "notice of its end",
      { orders: newest },
      { orders: { newest: { fields: ["-id"], deprecated: { since: "2026-12-01" } } } },
    ],
    [
      "the fields of the key by name",
      { orders: newest },
      { orders: { newest: ["-id", "shelf"] }, order: ["size", "shelf", "id"] },
    ],
    ["another purpose", { orders: newest }, { orders: newest, purpose: "Other things." }],
    ["another kind of paging", { orders: newest }, { orders: newest, paging: "stable" }],
  ])("not: %s", async (_, declaredBefore, declaredAfter) => {
    const before = await listed(declaredBefore);
    const after = await listed(declaredAfter, things, before.state);
    expect(after.cursors).toEqual(before.cursors);
    expect(after.sorted).toEqual(expect.arrayContaining([...before.sorted]));
    expect(after.warnings).toEqual([]);
  });

  it("not: filters, of which the build says that no earlier page is kept", async () => {
    const before = await listed({});
    const after = await listed({ filters: { size: "size" } }, things, before.state);
    expect(after.cursors).toEqual(before.cursors);
    expect(after.warnings).toEqual([
      "The filters of things have changed, so earlier pages are not kept: existing cursors of things only work if a page of the new build starts at their position.",
    ]);
  });
});
