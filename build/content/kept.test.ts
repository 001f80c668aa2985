// Content with what is kept of its files is the content without: its items and everything that is said about it.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { label } from "../../src/declare/forms.ts";
import { reference, words } from "../../src/declare/marks.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { lineOf } from "../../test/plan.ts";
import { random } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import { completeApi } from "../declaration/complete.ts";
import { openLog } from "../messages.ts";
import { keyAt, valuesAt, wholeOf } from "./catalog.ts";
import { compileContents } from "./content.ts";
import { KeptCollections } from "./kept.ts";

const groups = defineCollection({
  purpose: "Groups.",
  noun: { one: "group", many: "groups" },
  schema: z.strictObject({ id: z.string().regex(/^[A-Za-z]+$/), name: label }),
  key: "id",
});

const things = defineCollection({
  purpose: "Things.",
  noun: { one: "thing", many: "things" },
  schema: z.strictObject({
    id: z.string().regex(/^[A-Za-z0-9.]+$/),
    group: reference("groups"),
    others: z.array(reference("groups", { missing: "warn" })).optional(),
    kind: words("kind"),
    title: label,
    place: z.string().optional(),
    tags: z.array(z.string()).optional(),
    size: z.number().nullable(),
  }),
  key: "id",
  order: ["group", "-size"],
  orders: { title: ["title"] },
  item: true,
  brief: ["id", "group", "title"],
  filters: {
    group: "group",
    kind: "kind",
    place: "place",
    title: { field: "title", slug: true },
    tag: "tags",
    large: { of: ({ size }) => ((size ?? 0) > 2 ? "yes" : "no"), values: ["yes", "no"] },
  },
  files: ["things/{group}", "things.*", "more/*"],
});

/** Collections that are not kept: one with aliases, and one that finds others by another field. */
const named = defineCollection({
  purpose: "Items with aliases.",
  noun: { one: "named", many: "named" },
  schema: z.strictObject({ id: z.string().regex(/^[a-z]+$/), thing: reference("things").nullable(), also: z.array(z.string()) }), // biome-ignore format: one schema
  key: "id",
  order: ["thing"],
  item: { aliases: "also" },
});

const joined = defineCollection({
  purpose: "Items that find others by another field.",
  noun: { one: "joined", many: "joined" },
  schema: z.strictObject({ id: z.string().regex(/^[a-z]+$/), group: reference("groups", { by: "name" }) }),
  key: "id",
});

const api = completeApi(defineApi({ collections: { groups, things, named, joined } }));

/** `isSettled`: whether the next change of a file will show in its state. */
function compile(tree: Tree, kept?: KeptCollections, isSettled: (file: string) => boolean = () => true) {
  const log = openLog();
  const { files, unreadable } = discovered(tree);
  const stated = files.map(({ state, ...file }) => ({ ...file, ...(isSettled(file.file) && { state }) }));
  const [content] = compileContents({ files: stated, unreadable }, [api], log, "", [], kept);
  const lists = api.collections.map(({ name }) => {
    const items = content.items.get(name);
    if (items === undefined) return name;
    const indices = Array.from({ length: items.count }, (_, index) => index);
    return {
      name,
      listed: new TextDecoder().decode(items.bytes),
      whole: new TextDecoder().decode(wholeOf(items).bytes),
      keys: indices.map((index) => keyAt(items.keys, index)),
      names: items.names,
      aliases: indices.map((index) => items.aliases && valuesAt(items.aliases, index)),
      filters: [...items.filters].map(([param, values]) => [param, indices.map((index) => valuesAt(values, index))]),
      orders: [...items.orders].map(([order, { indices, keys }]) => [order, [...indices].map((each) => keyAt(keys, each)), [...indices]]), // biome-ignore format: one order
    };
  });
  return { lists, messages: log.messages().shown.map(lineOf), omitted: log.messages().omitted };
}

const { int, pick, chance } = random(seed);
const some = <T>(most: number, make: () => T): readonly T[] => Array.from({ length: 1 + int(most) }, make);
const rarely = <T>(right: T, wrong: T): T => (chance(0.02) ? wrong : right);

const names = ["One", "Two", "Three", "Four"];

const someGroups = () => {
  const first = int(4);
  const ids = ["a", "b", "c", "d"].slice(0, rarely(4, 3)).concat(rarely<readonly string[]>([], [pick(["A", "d"])]));
  return ids.map((id, index) => ({ id, name: names[(first + index) % 4] }));
};

/** `group`: what the path of the file says. */
const thing = (prefix: string, group?: string) => ({
  id: rarely(`${prefix}${int(8)}`, pick(["A1", "A2", "a1", "x.json", "x", "bad id"])),
  ...((group === undefined || chance(0.3)) && {
    group: rarely(group ?? pick(["a", "b", "c"]), pick(["d", "nowhere"])),
  }),
  ...(chance(0.3) && { others: some(2, () => pick(["a", "b", rarely("c", "gone")])) }),
  kind: rarely(pick(["small", "large"]), "odd"),
  title: pick(["First", "Second one", "Third", rarely("Fourth", "second-one")]),
  ...(chance(0.3) && { place: rarely(pick(["north", "south"]), pick(["North", "a/b"])) }),
  ...(chance(0.4) && { tags: some(3, () => pick(["red", "blue", rarely("green", "Red")])) }),
  size: rarely(int(4), Number(pick([1e300, 0.5]))),
});

const name = () => ({
  id: pick(["p", "q", "r"]),
  thing: chance(0.7) ? null : rarely("a8", pick(["a1", "A1", "b1", "o1"])),
  also: some(2, () => `s${int(40)}`),
});

const join = () => ({ id: pick(["p", "q", "r"]), group: pick(names) });

const lines = (all: readonly unknown[]) => all.map((each) => `${JSON.stringify(each)}\n`).join("");
const distinct = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
  chance(0.1) ? all : [...new Map(all.map((each) => [each.id, each])).values()];

const line = (id: string) => lines([{ id, group: "a", kind: "small", title: "One", size: null }]);
const oneGroup = { "groups.json": '[{"id":"a","name":"One"}]' };

/** The files that a step may write, with a text for each. */
const writers: Readonly<Record<string, () => string>> = {
  "api.yaml": () =>
    rarely("{}", pick(["vocabulary: { kind: [small, large] }", "vocabulary: { kind: [small, odd, large] }"])),
  "groups.json": () => JSON.stringify(someGroups()),
  "things/a.ndjson": () => rarely(lines(distinct([{ ...thing("a", "a"), id: rarely("a8", "A8") }, ...some(5, () => thing("a", "a"))])), "{"), // biome-ignore format: one file
  "things/b.yaml": () =>
    rarely(
      lines(distinct(some(4, () => thing("b", "b"))))
        .replace(/^/gm, "- ")
        .replace(/- $/, ""),
      "- - {",
    ),
  "things/c.csv": () => `id,kind,title,size\n${distinct(some(4, () => thing("c", "c"))).map(({ id, kind, title, size }) => `${id},${kind},${title},${size}\n`).join("")}`, // biome-ignore format: one file
  "things.json": () => JSON.stringify(distinct(some(5, () => thing("d")))),
  "more/one.json": () => JSON.stringify(thing("o")),
  "named.json": () => JSON.stringify(distinct(some(3, name))),
  "joined.json": () => JSON.stringify(distinct(some(3, join))),
};

it("is the same after any changes of its files", () => {
  const kept = new KeptCollections();
  let tree: Tree = {};
  let valid = 0;
  for (let step = 0; step < 1_000 * rounds; step++) {
    const [file, write] = pick(Object.entries(writers));
    const { [file]: _, ...others } = tree;
    if (chance(0.8)) tree = chance(0.1) ? others : { ...tree, [file]: write() };
    const expected = compile(tree);
    expect(compile(tree, kept, () => chance(0.9))).toEqual(expected);
    if (expected.lists.every((list) => typeof list !== "string" && list.keys.length > 0)) valid++;
  }
  expect(valid).toBeGreaterThan(300);
});

it("reads a file again if it, the vocabulary or a key that it names has changed", () => {
  const kept = new KeptCollections();
  const tree: Tree = {
    ...oneGroup,
    "things/a.ndjson": line("x"),
    "things/b.ndjson": line("y").replace('"group":"a",', ""),
  };
  /** The files of things that are read. */
  function readIn(all: Tree): readonly string[] {
    const read: string[] = [];
    const { files, unreadable } = discovered(all);
    const watched = files.map((found) => ({
      ...found,
      lines() {
        read.push(found.file);
        return found.lines();
      },
    }));
    compileContents({ files: watched, unreadable }, [api], openLog(), "", [], kept);
    return read;
  }
  const both = ["things/a.ndjson", "things/b.ndjson"];
  const withB = { ...tree, "groups.json": '[{"id":"a","name":"One"},{"id":"b","name":"Two"}]' };
  expect(readIn(withB)).toEqual(both);
  expect(readIn(withB)).toEqual([]);
  expect(readIn({ ...withB, "things/a.ndjson": line("z") })).toEqual(["things/a.ndjson"]);
  expect(readIn(withB)).toEqual(["things/a.ndjson"]);
  expect(readIn(tree)).toEqual(["things/b.ndjson"]);
  expect(readIn(withB)).toEqual(["things/b.ndjson"]);
  expect(readIn({ ...withB, "api.yaml": "vocabulary: { kind: [small] }" })).toEqual(both);
});

it("does not report a reference to a key that must change because another one differs in case only", () => {
  const kept = new KeptCollections();
  const upper: Tree = {
    ...oneGroup,
    "more/two.ndjson": line("X1"),
    "named.json": '[{"id":"p","thing":"X1","also":[]}]',
  };
  expect(compile(upper, kept).messages).toEqual([]);
  const both = { ...upper, "more/one.ndjson": line("x1") };
  const { messages } = compile(both, kept);
  expect(messages).toEqual(compile(both).messages);
  expect(messages.join("\n")).toMatch(/^more\/two.ndjson:1:7 not-unique The id "X1" is taken by another thing/);
  expect(messages).toHaveLength(1);
});

it("repeats a message about two files, neither of which has changed", () => {
  const kept = new KeptCollections();
  const tree: Tree = { ...oneGroup, "things/a.ndjson": line("x"), "things/b.ndjson": line("y") };
  compile(tree, kept);
  const both = { ...tree, "things/a.ndjson": line("y") };
  const { messages } = compile(both, kept);
  expect(messages.join("\n")).toMatch(/^things\/b.ndjson:1:7 not-unique The id "y" is taken by another thing/);
  expect(compile(both, kept).messages).toEqual(messages);
});

it("forgets the items of a file that was not kept", () => {
  const kept = new KeptCollections();
  const one: Tree = { ...oneGroup, "things/a.ndjson": line("x") };
  compile({ ...one, "things/b.ndjson": line("y") }, kept, (file) => file !== "things/b.ndjson");
  expect(compile(one, kept)).toEqual(compile(one));
});

it("names the first item with a value, not the one that is the first with another value", () => {
  const kept = new KeptCollections();
  const item = (id: string, kind: string, title: string) => ({ id, group: "a", kind, title, size: null });
  const first = [item("p", "small", "One"), item("q", "small", "Second one"), item("r", "large", "Second one")];
  const tree: Tree = { ...oneGroup, "things/a.ndjson": lines(first) };
  expect(compile(tree, kept).messages).toEqual([]);
  const alike = { ...tree, "things/b.ndjson": lines([item("s", "small", "second-one")]) };
  const { messages } = compile(alike, kept);
  expect(messages.join("\n")).toContain('"Second one" of title, the latter at things/a.ndjson:2:');
  expect(messages).toEqual(compile(alike).messages);
});
