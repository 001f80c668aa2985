// What a build adds to the declaration, removes from it or announces is in the list of changes.
import { expect, it } from "vitest";
import * as z from "zod";
import type { Change } from "../../src/answers/answers.ts";
import { deprecated } from "../../src/declare/forms.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/index.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { historyAfter, noBuild } from "../../test/history/history-after.ts";
import { completeApi } from "../declaration/complete.ts";
import type { Found } from "./previous.ts";

const place = z.strictObject({ city: z.string(), street: z.string() });
const schema = z.strictObject({ id: z.string(), name: z.string(), place, parts: z.array(place) });
const options = { purpose: "Plants.", schema, key: "id" } as const;
const plants = defineCollection({ ...options, filters: { name: "name" }, orders: { names: ["-name"] } });
const notice = { since: "2026-12-01", sunset: "2027-06-01", use: "stems", why: "It has moved." };

type Declaration = Parameters<typeof defineApi>[0];

/** The history of a build of an API that has one plant. */
function built(declaration: Declaration, previous: Found, now = 1_700_000_000) {
  const api = completeApi(defineApi(declaration));
  const item = { id: "mint", name: "Mint", title: "Mint", place: { city: "", street: "", zip: "" }, parts: [] };
  const known = new Set(Object.keys(api.lists[0]?.example ?? {}));
  const content = Object.fromEntries(Object.entries(item).filter(([field]) => known.has(field)));
  const catalog = {
    api,
    items: catalogItems({ plants: [content] }, api),
    deployments: new Map(),
    settings: { ...noSettings, changesLifetime: 86_400 },
  };
  const operations = api.operations.map(({ name }) => name);
  const documents = new Map(api.documents.map(({ name }) => [name, {}]));
  return historyAfter(catalog, { name: "all", operations, documents }, previous, { now });
}

/** What a build says of its declaration after a build of another one. */
async function between(before: Declaration, after: Declaration): Promise<Change["declared"]> {
  const { state } = await built(before, noBuild);
  const { changes } = await built(after, state, 1_700_000_060);
  return changes?.data[0]?.declared;
}

const first: Declaration = { collections: { plants } };

it("names nothing if the declaration stays", async () => {
  const { state } = await built(first, noBuild);
  expect((await built(first, state)).changes?.data).toEqual([]);
});

const withTitle = z.strictObject({ ...schema.shape, title: z.string(), place: place.extend({ zip: z.string() }) });
const output = { type: "text/plain", render: () => "" };
const status = defineDocument({ purpose: "The state.", schema: z.strictObject({ state: z.string() }) });
const wider: Declaration = {
  collections: {
    plants: defineCollection({
      purpose: "Plants.",
      schema: withTitle,
      key: "id",
      filters: { name: "name", title: "title" },
      orders: { names: ["-name"], titles: ["title"] },
    }),
    stems: defineCollection({ purpose: "Stems.", schema, key: "id" }),
  },
  documents: { status },
  outputs: { "plants.txt": output, "/plants.txt": output },
};

const names = [
  "plants.fields.place.zip",
  "plants.fields.title",
  "plants.filters.title",
  "plants.orders.titles",
  "stems",
  "status",
  "/api/v1/plants.txt",
  "/plants.txt",
];

it("names what is new and what is gone, without what is within it", async () => {
  const added = await between(first, wider);
  expect(added).toEqual({ added: expect.anything(), deprecated: [], removed: [] });
  expect(new Set(added?.added)).toEqual(new Set(names));
  expect(new Set((await between(wider, first))?.removed)).toEqual(new Set(names));
});

it("announces what will go, and a notice that changed", async () => {
  const notices: Declaration = {
    ...wider,
    deprecated: { since: "2026-12-01", use: "/api/v2" },
    collections: {
      plants: defineCollection({
        ...options,
        schema: z.strictObject({
          ...withTitle.shape,
          place: place.extend({ zip: deprecated(z.string(), { since: "2026-12-02" }) }),
        }),
        filters: { name: { field: "name", deprecated: { since: "2026-12-03", use: "title" } }, title: "title" },
        orders: { names: ["-name"], titles: ["title"] },
        deprecated: notice,
      }),
      stems: defineCollection({ purpose: "Stems.", schema, key: "id" }),
    },
    outputs: { "plants.txt": { ...output, deprecated: { since: "2026-12-04", use: "stems" } }, "/plants.txt": output },
  };
  const told = [
    { name: "/api/v1", since: "2026-12-01", use: "/api/v2" },
    { name: "plants", ...notice },
    { name: "plants.fields.place.zip", since: "2026-12-02" },
    { name: "plants.filters.name", since: "2026-12-03", use: "title" },
    { name: "/api/v1/plants.txt", since: "2026-12-04", use: "stems" },
  ];
  expect(await between(wider, notices)).toEqual({ added: [], deprecated: told, removed: [] });
  expect(await between(notices, wider)).toBeUndefined();
  const later = { ...notices, deprecated: { since: "2026-12-01", sunset: "2027-12-01", use: "/api/v2" } };
  expect((await between(notices, later))?.deprecated).toEqual([{ name: "/api/v1", ...later.deprecated }]);
});
