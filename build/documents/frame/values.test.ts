import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, reference } from "../../../src/index.ts";
import { documentsIn, planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const text = z.string().optional();
const places = defineCollection({
  purpose: "Places.",
  schema: z.strictObject({
    id: z.string(),
    title: text,
    label: text,
    name: z.union([z.string(), z.strictObject({ common: z.string() })]).optional(),
  }),
  key: "id",
});
const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({ id: z.string(), place: reference("places"), region: z.string(), team: z.string() }),
  key: "id",
  order: ["-id"],
  filters: {
    place: "place",
    region: { field: "region", slug: true },
    team: { of: ({ team }) => team.toLowerCase(), label: (value, { team }) => (value === "z" ? undefined : team) },
  },
});

const named = [
  ["a", "Aachen"],
  ["b", "Bonn"],
  ["c", "Celle"],
  ["d", "Dresden"],
  ["s-o", "S & O"],
  // The list is in descending order, so the item of this text precedes that of "rovers".
  ["rovers", "ROVERS"],
] as const;

const texts = new Map<string, string>();

beforeAll(async () => {
  const write = (name: string, items: unknown) =>
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(items));
  write("places", [
    { id: "a", name: "Aachen" },
    { id: "b", title: "Bonn" },
    { id: "c", label: "Celle" },
    { id: "d", name: { common: "Dresden" } },
    { id: "e" },
  ]);
  write(
    "things",
    ["a", "b", "c", "d", "e"].map((place) => ({
      id: `t${place}`,
      place,
      region: "S & O",
      team: { a: "rovers", b: "Z" }[place] ?? "ROVERS",
    })),
  );
  const plan = await planOf(folder, completeApi(defineApi({ collections: { places, things } })));
  for (const document of documentsIn(plan)) {
    texts.set(document.path, Buffer.concat([...document.parts()]).toString());
  }
});

it.each<[where: string, document: string, written: (value: string, name: string) => string]>([
  [
    "the menus of a table",
    "docs/data/things",
    (value, name) => `><bdi>${name}</bdi></a> <span class="code">${value}</span>`,
  ],
  ["the forms of the reference", "docs/", (value, name) => `<option value="${value}">${value} – ${name}</option>`],
  ["the lists of values", "docs/", (value, name) => `<code>${value}</code> <bdi>${name}</bdi>`],
  ["the search", "docs/find.json", (value, name) => `["${value}","${name}"]`],
])("names a key by its item, and other values by their labels, in %s", (_, document, written) => {
  const page = texts.get(`/api/v1/${document}`)?.replaceAll("&amp;", "&") ?? "";
  for (const [value, name] of named) expect(page).toContain(written(value, name));
});

it("has the names and texts in the document of the filters", () => {
  const { filters } = JSON.parse(texts.get("/api/v1/filters/things.json") ?? "");
  const [ofPlaces, ofRegions, ofTeams] = filters;
  expect(ofPlaces.values.map(({ name }: { readonly name?: string }) => name)).toEqual([
    "Aachen",
    "Bonn",
    "Celle",
    "Dresden",
    undefined,
  ]);
  expect(ofRegions.values).toEqual([{ value: "s-o", count: 5, label: "S & O" }]);
  expect(ofTeams.values).toEqual([
    { value: "rovers", count: 4, label: "ROVERS" },
    { value: "z", count: 1 },
  ]);
});
