// A comparison with a published API: a folder of a build, or an address.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { type Collection, defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference, words } from "../../src/declare/marks.ts";
import { buildForTest } from "../../test/check/built.ts";
import { serveWith } from "../../test/check/published.ts";
import { compared, type DifferenceOfOne, opened } from "../../test/diff/compared.ts";
import { startPreview } from "../cli/preview/preview.ts";
import { completeApi } from "../declaration/complete.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-published-"));
afterAll(() => rmSync(folder, { recursive: true }));

const groups = defineCollection({
  purpose: "Groups.",
  schema: z.strictObject({ key: z.string(), name: z.string() }),
  key: "key",
});

/** Icons that a function loads: no commit has them. */
const iconsOf = (items: readonly object[], more: object = {}) =>
  defineCollection({
    purpose: "Icons.",
    schema: z.strictObject({ id: z.string(), hex: z.string().regex(/^[0-9a-f]{6}$/), group: reference("groups") }),
    key: "id",
    filters: { group: "group", letter: (icon: { readonly id: string }) => icon.id[0] },
    together: [["group", "letter"]],
    load: () => items,
    item: true,
    ...more,
  } as unknown as Parameters<typeof defineCollection>[0]);

const items = [
  { id: "a", hex: "000000", group: "x" },
  { id: "b", hex: "ffffff", group: "y" },
];

const apiOf = (collections: Readonly<Record<string, Collection>>, base = "/api/v1") =>
  completeApi(defineApi({ base, collections }));

const content = path.join(folder, "content");
mkdirSync(content);
writeFileSync(path.join(content, "groups.json"), '[{"key":"x","name":"X"},{"key":"y","name":"Y"}]');
const dist = path.join(folder, "dist");
await buildForTest(content, dist, [], apiOf({ groups, icons: iconsOf(items) }));

async function against(published: string, collections: Readonly<Record<string, Collection>>): Promise<DifferenceOfOne> {
  return compared({ content, against: published, api: apiOf(collections) });
}

const told = ({ breaking, items, declaration, files }: DifferenceOfOne) => ({
  breaking: breaking.map(({ code, values }) => [code, ...values].join(" ")),
  items: Object.values(items).flatMap(({ changes }) => changes.map(({ kind, key }) => `${kind} ${key}`)),
  declaration: declaration.map(({ field }) => field),
  isSame: files !== undefined && isDeepStrictEqual(files.before, files.after),
});

it("finds no change in the build that is published", async () => {
  expect(told(await against(dist, { groups, icons: iconsOf(items) }))).toEqual({
    breaking: [],
    items: [],
    declaration: [],
    isSame: true,
  });
});

it("compares items that are loaded, whose earlier values no commit holds", async () => {
  const changed = [{ id: "a", hex: "111111", group: "x" }];
  expect(told(await against(dist, { groups, icons: iconsOf(changed) }))).toMatchObject({
    breaking: ["item-removed b", "value-removed letter=b"],
    items: ["changed a", "removed b"],
    declaration: [],
    isSame: false,
  });
});

it("compares the declaration: fields, filters, page sizes and single items", async () => {
  const schema = z.strictObject({ id: z.string(), group: reference("groups").nullable() });
  const load = () => items.map(({ hex: _, ...item }) => item);
  const icons = iconsOf(items, { schema, load, filters: { group: "group" }, together: [], item: false });
  const { breaking } = told(await against(dist, { groups, icons }));
  expect(breaking).toEqual([
    "field-removed hex",
    "field-widened group",
    "filter-removed letter",
    "item-removed /api/v1/icons/KEY",
  ]);
  const less = await against(dist, { groups });
  expect(told(less).breaking).toEqual(["operation-removed icons"]);
  expect(less.uncompared).toEqual([]);
});

it("compares what functions of filters return, and other names of items", async () => {
  const load = () => items;
  const filters = { group: "group", letter: ({ id }: { readonly id: string }) => `q${id[0]}` };
  expect(told(await against(dist, { groups, icons: iconsOf(items, { load, filters }) })).breaking).toEqual([
    "value-removed letter=a letter=b",
  ]);
  const failing = () => {
    throw new Error("There is no such icon.");
  };
  const failed = iconsOf([], { load: () => [], filters: { ...filters, letter: failing } });
  expect(told(await against(dist, { groups, icons: failed }))).toMatchObject({
    breaking: ["item-removed a b", "value-removed letter=a letter=b"],
    isSame: false,
  });
  const named = iconsOf(items, { item: { aliases: "hex" } });
  const aliased = path.join(folder, "aliased");
  await buildForTest(content, aliased, [], apiOf({ groups, icons: named }));
  expect(told(await against(aliased, { groups, icons: iconsOf(items) })).breaking).toEqual(["item-removed hex"]);
});

it("misses an alias that another item has taken", async () => {
  const before = path.join(folder, "taken");
  const withAliases = (hexes: readonly string[]) => {
    const load = () => items.map((item, index) => ({ ...item, hex: hexes[index] }));
    return { groups, icons: iconsOf(items, { load, item: { aliases: "hex" } }) };
  };
  await buildForTest(content, before, [], apiOf(withAliases(["000000", "ffffff"])));
  const { breaking, items: changes } = told(await against(before, withAliases(["ffffff", "111111"])));
  expect({ breaking, changes }).toEqual({
    breaking: ["item-removed 000000", "item-removed ffffff"],
    changes: ["changed a", "changed b"],
  });
});

it("knows of a published alias that several items claim that none of them has it", async () => {
  const collections = (...more: readonly object[]) => {
    const all = [...items, { id: "c", hex: "ffffff", group: "y" }, ...more];
    return { groups, icons: iconsOf(all, { item: { aliases: { field: "hex", repeated: "warn" } } }) };
  };
  const claimed = path.join(folder, "claimed");
  await buildForTest(content, claimed, [], apiOf(collections()));
  expect(told(await against(claimed, collections()))).toMatchObject({ breaking: [], isSame: true });
  const added = { id: "d", hex: "000000", group: "x" };
  expect(told(await against(claimed, collections(added))).breaking).toEqual(["item-removed 000000"]);
});

it("compares the fields inside of objects and records, and the files after a change of the declaration, too", async () => {
  const withNames = (name: z.ZodType) =>
    iconsOf(items, {
      schema: z.strictObject({ id: z.string(), names: z.record(z.string(), z.strictObject({ name })) }),
      load: () => [{ id: "a", names: { en: { name: "A" } } }],
      filters: {},
      together: [],
    });
  const named = path.join(folder, "named");
  await buildForTest(content, named, [], apiOf({ groups, icons: withNames(z.string()) }));
  const same = await against(named, { groups, icons: withNames(z.string()) });
  expect(same.files?.before).toEqual(same.files?.after);
  const { breaking, files, notes } = await against(named, { groups, icons: withNames(z.string().nullable()) });
  expect(breaking).toMatchObject([{ code: "field-widened", values: ["names.*.name"] }]);
  expect(files?.before).toEqual(same.files?.before);
  expect(files?.after.bytes).toBeGreaterThan(files?.before.bytes ?? Number.POSITIVE_INFINITY);
  expect(notes).toEqual([]);
});

it("knows the files and bytes of a build from its routing table, without pages of earlier builds", async () => {
  const { usage } = JSON.parse(readFileSync(path.join(dist, "routing.json"), "utf8"));
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(dist, name)).isFile(),
  );
  const bytes = names.reduce((sum, name) => sum + statSync(path.join(dist, name)).size, 0);
  expect(usage).toEqual({
    files: names.length,
    bytes: bytes - statSync(path.join(dist, "routing.json")).size,
    limits: [],
  });
});

it("compares the words of a vocabulary", async () => {
  const content = path.join(folder, "words");
  mkdirSync(content);
  writeFileSync(path.join(content, "lamps.json"), '[{"id":"a","state":"on"}]');
  const vocabulary = (list: string) => writeFileSync(path.join(content, "api.yaml"), `vocabulary:\n  state: ${list}\n`);
  const schema = z.strictObject({ id: z.string(), state: words("state") });
  const api = apiOf({ lamps: defineCollection({ purpose: "Lamps.", schema, key: "id", filters: { state: "state" } }) });
  vocabulary("[on, off]");
  const built = path.join(folder, "built-words");
  await buildForTest(content, built, [], api);
  const difference = () => compared({ content, against: built, api });
  const same = await difference();
  expect(same).toMatchObject({ breaking: [], declaration: [] });
  expect(same.files?.after).toEqual(same.files?.before);
  vocabulary("[on, off, broken]");
  const state = { field: "lamps.fields.state", before: "on or off", after: "on or off or broken" };
  expect(await difference()).toMatchObject({
    breaking: [{ code: "vocabulary-widened", values: ["state"] }],
    declaration: [state],
  });
});

it("compares with a build that has more operations than the deployment", async () => {
  const content = path.join(folder, "less");
  mkdirSync(path.join(content, "deployments"), { recursive: true });
  writeFileSync(path.join(content, "groups.json"), '[{"key":"x","name":"X"},{"key":"y","name":"Y"}]');
  writeFileSync(path.join(content, "deployments/edge.json"), '{"operations":["groups"]}');
  const api = apiOf({ groups, icons: iconsOf(items) });
  expect(told(await compared({ api, content, against: dist })).breaking).toEqual(["operation-removed icons"]);
});

it("takes an overview that names an operation twice for that of no API", async () => {
  const twice = path.join(folder, "twice");
  cpSync(dist, twice, { recursive: true });
  const overview = path.join(twice, "api/v1.json");
  const { operations, ...rest } = JSON.parse(readFileSync(overview, "utf8"));
  writeFileSync(overview, JSON.stringify({ ...rest, operations: [...operations, operations[0]] }));
  await expect(against(twice, { groups, icons: iconsOf(items) })).rejects.toThrow("There is no API of stillapi at");
});

it("reads an address, and says if there is no API of stillapi", async () => {
  const { origin, stop } = await startPreview(dist, 0);
  try {
    const { isSame, items: changes } = told(await against(origin, { groups, icons: iconsOf(items.slice(1)) }));
    expect({ isSame, changes }).toEqual({ isSame: false, changes: ["removed a"] });
    await expect(against(`${origin}/elsewhere`, { groups })).rejects.toThrow("There is no API of stillapi at");
  } finally {
    await stop();
  }
});

it("asks for the documents of several operations at a time", async () => {
  const copies = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`groups_${index}`, groups]));
  const content = path.join(folder, "copies");
  mkdirSync(content);
  for (const name of Object.keys(copies)) writeFileSync(path.join(content, `${name}.json`), '[{"key":"x","name":"X"}]');
  const built = path.join(folder, "built-copies");
  const api = apiOf(copies);
  await buildForTest(content, built, [], api);
  const preview = await startPreview(built, 0);
  const { origin, stop, most } = await serveWith(preview.origin);
  try {
    const { before } = await opened({ content, against: origin, api });
    expect(before.sides[0]?.published.operations.map(({ name }) => name)).toEqual(
      api.operations.map(({ name }) => name),
    );
    expect(most()).toBeGreaterThan(2);
  } finally {
    await stop();
    await preview.stop();
  }
});
