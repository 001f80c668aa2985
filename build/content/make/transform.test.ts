import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Transform } from "../../../src/declare/declare.ts";
import { type Collection, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { count, label, slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compiledWithErrors, loadedWithErrors, programOfTests } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { allItems } from "../table/items.ts";

const apiOf = (collections: Readonly<Record<string, Collection>>) =>
  completeApi(defineApi({ collections }), programOfTests);

function compile(collections: Readonly<Record<string, Collection>>, tree: Tree) {
  const { content, errors } = compiledWithErrors(discovered(tree), apiOf(collections));
  const names = Object.keys(collections);
  return {
    ...Object.fromEntries(names.map((name) => [name, allItems(content.items.get(name))])),
    errors: errors.map(({ place: { file, line, column }, code, text }) => `${file}:${line}:${column} ${code} ${text}`),
  };
}

const things = (transform: Transform) =>
  defineCollection({
    purpose: "Things.",
    noun: { one: "thing", many: "things" },
    schema: z.strictObject({ id: slug, size: count, tags: z.array(slug), seen: z.string().optional() }),
    key: "id",
    transform,
  });

describe("transform", () => {
  it("gets raw items and what is known of them, and makes the items", () => {
    const seen: unknown[] = [];
    const collection = things((raw, { file, name, body, date }) => {
      seen.push([raw, file, name, body]);
      if (raw["hidden"] === true || raw["hidden"] === "true") return undefined;
      return { id: name, size: Number(raw["size"]), tags: [], seen: date };
    });
    const tree = {
      "things/a.md": "---\nsize: 1\n---\nText",
      "things/b.v2.csv": "size,hidden\n007,\n8,true\n",
      "things/c.json": '{"size":3,"hidden":true,"body":"its own"}',
    };
    expect(compile({ things: collection }, tree)).toEqual({
      things: [],
      errors: [
        'things/b.v2.csv:2:1 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "b.v2".',
      ],
    });
    expect(seen).toEqual([
      [{ size: 1 }, "things/a.md", "a", "Text"],
      [{ size: "007", hidden: "" }, "things/b.v2.csv", "b.v2", undefined],
      [{ size: "8", hidden: "true" }, "things/b.v2.csv", "b.v2", undefined],
      [{ size: 3, hidden: true, body: "its own" }, "things/c.json", "c", undefined],
    ]);
  });

  it("gets the index of a raw item in its file, over all documents, and texts as they are", () => {
    const seen: unknown[] = [];
    const collection = defineCollection({
      purpose: "Things.",
      schema: z.strictObject({ id: slug, name: label.optional() }),
      key: "id",
      transform(raw, { index, member, body }) {
        seen.push([index, raw["id"] ?? member ?? raw["name"], body]);
        return undefined;
      },
      files: [
        "things.{yaml,ndjson}",
        { match: "map.yaml", items: "in.*", memberName: "id" },
        { match: "{name}.po", format: "text" },
      ],
    });
    const tree = {
      "things.yaml": "id: a\n---\n- id: b\n- id: c\n---\n---\nid: d\n",
      "map.yaml": "in: { a: {}, b: {} }\n---\nin: { c: {} }\n",
      "things.ndjson": '{"id":"a"}\n\n{"id":"b"}\n',
      "de.po": "\ufeff+++\rmsgid\r\n",
    };
    expect(compile({ things: collection }, tree).errors).toEqual([]);
    const noBody = ([index, id]: readonly [number, string]) => [index, id, undefined];
    expect(seen).toEqual([
      [0, "de", "+++\rmsgid\r\n"],
      ...(
        [
          [0, "a"],
          [1, "b"],
          [2, "c"],
        ] as const
      ).map(noBody),
      ...(
        [
          [0, "a"],
          [1, "b"],
        ] as const
      ).map(noBody),
      ...(
        [
          [0, "a"],
          [1, "b"],
          [2, "c"],
          [3, "d"],
        ] as const
      ).map(noBody),
    ]);
  });

  it("leaves the places of items in documents", () => {
    const parts = defineCollection({
      purpose: "Parts.",
      noun: { one: "part", many: "parts" },
      schema: z.strictObject({ id: slug, size: count }),
      key: "id",
      files: [{ match: "parts.yaml", items: "spec.parts" }, "more.yaml"],
    });
    const tree = {
      "parts.yaml":
        "spec: { parts: [{ id: a, size: 1 }] }\n---\nspec:\n  parts:\n  - { id: a, size: x }\n---\nspec: 1\n",
      "more.yaml": "id: b\nsize: 1\n---\nid: b\nsize: 2\n---\n- id: c\n",
    };
    expect(compile({ parts }, tree).errors).toEqual([
      'more.yaml:4:5 not-unique The id "b" is taken by another part, at more.yaml:1:5.',
      "more.yaml:7:3 missing-field A part must have the field size.",
      'parts.yaml:5:11 not-unique The id "a" is taken by another part, at parts.yaml:1:23.',
      'parts.yaml:5:20 wrong-type size must be an integer from 0 to 9007199254740991, but is "x".',
      "parts.yaml:7:7 no-items The option items names members, but this is no object.",
    ]);
  });

  const thing = z.strictObject({ id: slug, size: count });

  /** The hints of the errors in a YAML file whose form is declared. */
  function hintsOf(text: string, written: z.ZodObject, transform: Transform): readonly (string | undefined)[] {
    const collection = defineCollection({ purpose: "Things.", schema: thing, key: "id", transform, written });
    const { errors } = compiledWithErrors(discovered({ "things.yaml": text }), apiOf({ things: collection }));
    return errors.map(({ hint }) => hint);
  }

  it("names the fields of files that are declared with written", () => {
    const written = thing.extend({ source: z.string() });
    const text = `- { id: a, size: 1, soruce: x }
- { id: b, size: 1, nope: 1 }
- { id: c, size: 1, source: y, sourc: z }
`;
    const fields = "Its fields are id, size, source.";
    const hints = hintsOf(text, written, ({ source: _, ...raw }) => raw);
    expect(hints).toEqual(['Did you mean "source"?', fields, fields]);
  });

  it("names no field of a file for items that are parts of its value", () => {
    const written = z.strictObject({ parts: z.array(thing) });
    const hints = hintsOf("parts: [{ id: a, size: 1, part: x }]", written, ({ parts }) => parts as object);
    expect(hints).toEqual(["Its fields are id, size."]);
  });

  it("leaves the places of fields that it does not change, and has others at the item", () => {
    const collection = things((raw) => ({ ...raw, size: raw["size"] === "x" ? null : Number(raw["size"]) }));
    const tree = {
      "things.yaml": "- { id: a, size: 1.5, tags: [x, Y y] }\n- id: B b\n  size: '1'\n  tags: []\n  more: 1\n",
      "things/c.csv": 'id,size,tags\n"c\nc",x,\nd,1,\n',
    };
    expect(compile({ things: collection }, tree).errors).toEqual([
      "things.yaml:1:18 wrong-value size must be an integer from 0 to 9007199254740991, but is the number 1.5.",
      'things.yaml:1:33 wrong-value tags[1] must be lowercase letters and digits, joined by single hyphens, but is "Y y".',
      'things.yaml:2:7 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "B b".',
      'things.yaml:5:3 unknown-field A thing has no field "more".',
      "things/c.csv:2:1 wrong-type size must be an integer from 0 to 9007199254740991, but is empty (null).",
      'things/c.csv:2:1 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "c\\nc".',
      'things/c.csv:3:6 wrong-type tags must be a list, but is "".',
      'things/c.csv:4:5 wrong-type tags must be a list, but is "".',
    ]);
  });

  it("names the item with an error among those of a list that have one place", () => {
    const collection = things(() => [
      { id: "a", size: 1, tags: [] },
      { id: "b", tags: [] },
      { id: `c-${"x".repeat(70)}`, size: "x", tags: [] },
    ]);
    expect(compile({ things: collection }, { "things.yaml": "{}" }).errors).toEqual([
      'things.yaml:1:1 missing-field A thing must have the field size (thing "b").',
      `things.yaml:1:1 wrong-type size must be an integer from 0 to 9007199254740991, but is "x" (thing "c-${"x".repeat(57)}…").`,
    ]);
  });

  it("leaves the places of parts that it returns as items, also of a key that another item has", () => {
    const collection = things((raw) => raw["parts"] as never);
    const part = (id: string) => JSON.stringify({ id, size: 1, tags: [] });
    const text = `[{"id":"outer","parts":[${part("a")},${part("b")}]},\n{"id":"other","parts":[${part("b")}]}]`;
    expect(compile({ things: collection }, { "things.json": text }).errors).toEqual([
      'things.json:2:30 not-unique The id "b" is taken by another thing, at things.json:1:61.',
    ]);
  });

  const airports = (transform?: Transform) =>
    defineCollection({
      purpose: "Airports.",
      noun: { one: "airport", many: "airports" },
      schema: z.strictObject({
        id: slug,
        altitude: z.int(),
        open: z.boolean(),
        city: z.string().nullable(),
        note: z.string().optional(),
      }),
      key: "id",
      ...(transform && { transform }),
    });

  it("leaves the cells of CSV that it does not change to be read as their schema asks", () => {
    const rows = "id,altitude,open,city,note\nGKA,5282,true,,\nMAG,20,false,Madang,x\n";
    const collection = airports((raw) => ({ ...raw, id: String(raw["id"]).toLowerCase() }));
    expect(compile({ airports: collection }, { "airports.csv": rows })).toEqual({
      airports: [
        { id: "gka", altitude: 5282, open: true, city: null },
        { id: "mag", altitude: 20, open: false, city: "Madang", note: "x" },
      ],
      errors: [],
    });
    const lower = rows.replace("GKA", "gka").replace("MAG", "mag");
    const plain = compile({ airports: airports() }, { "airports.csv": lower });
    expect(compile({ airports: airports((raw) => raw) }, { "airports.csv": lower })).toEqual(plain);
  });

  it("has the errors of cells that it does not change at the cells, with the repairs of CSV", () => {
    const collection = airports((raw) => ({ ...raw, city: raw["city"] === "\\N" ? null : raw["city"] }));
    const tree = { "airports.csv": "id,altitude,open,city\ngka,5282.5,TRUE,\\N\nmag,,true,Madang\n" };
    const { errors } = compiledWithErrors(discovered(tree), apiOf({ airports: collection }));
    expect(errors.map(({ place, text, hint }) => `${place.line}:${place.column} ${text} ${hint}`)).toEqual([
      "2:5 altitude must be an integer, but is the number 5282.5. undefined",
      '2:12 open must be true or false, but is "TRUE". Write true.',
      '3:5 altitude must be an integer, but is "". undefined',
    ]);
  });

  it("gets the texts of cells, and returns a text as such under another name", () => {
    const collection = airports(({ alt, ...raw }) => ({ ...raw, altitude: alt }));
    const tree = { "airports.csv": "id,alt,open,city\ngka,5282,true,\n" };
    expect(compile({ airports: collection }, tree).errors).toEqual([
      'airports.csv:2:1 wrong-type altitude must be an integer, but is "5282".',
    ]);
  });

  it("may return what is not JSON only as JSON has it", () => {
    const dates = things((raw) => ({ ...raw, tags: [], seen: new Date(0), gone: undefined }));
    expect(compile({ things: dates }, { "things.json": '{"id":"a","size":1}' })).toEqual({
      things: [{ id: "a", size: 1, tags: [], seen: "1970-01-01T00:00:00.000Z" }],
      errors: [],
    });
    const numbers = things((raw) => ({ ...raw, size: Number.NaN }));
    expect(compile({ things: numbers }, { "things.json": '{"id":"a"}' }).errors).toEqual([
      "things.json:1:1 not-made The transform of things returns what JSON does not have: size is NaN.",
    ]);
    expect(compile({ things: numbers }, { "things.json": '{"id":"a","size":"x"}' }).errors).toEqual([
      "things.json:1:18 not-made The transform of things returns what JSON does not have: size is NaN.",
    ]);
    const { errors } = compiledWithErrors(discovered({ "things.json": '{"id":"a"}' }), apiOf({ things: numbers }));
    expect(errors[0]?.hint).toBe(
      "Number(…) of a text that is no number is NaN: correct the text, or return null for it.",
    );
    const late = things((async () => ({})) as never);
    expect(compile({ things: late }, { "things.json": "{}" }).errors).toEqual([
      "things.json:1:1 not-made The transform of things fails: transform returned a promise, not an item (api.config.ts:3:9).",
    ]);
  });

  it("is an error at each item for which it fails, which nothing follows from", () => {
    const collection = things((raw) => {
      if (raw["id"] === "bad") throw new Error("No size.");
      return raw;
    });
    const uses = defineCollection({
      purpose: "Uses.",
      schema: z.object({ id: slug, of: reference("things") }),
      key: "id",
    });
    const tree = {
      "things.json": '[{"id":"a","size":1,"tags":[]},\n {"id":"bad"}]',
      "uses.json": '[{"id":"a","of":"bad"}]',
    };
    expect(compile({ things: collection, uses }, tree).errors).toEqual([
      "things.json:2:2 not-made The transform of things fails: No size (api.config.ts:3:9).",
    ]);
  });

  it("gets the items of load", async () => {
    const collection = defineCollection({
      purpose: "Things.",
      schema: z.strictObject({ id: slug, size: count }),
      key: "id",
      load: () => [
        { ID: "a", size: 1 },
        { ID: "b", size: "x" },
      ],
      transform: ({ ID: id, ...raw }) => ({ id, ...raw }),
    });
    const { errors } = await loadedWithErrors({ files: [], unreadable: new Map() }, apiOf({ things: collection }));
    expect(errors.map(({ place, text }) => `${place.line}:${place.column} ${text}`)).toEqual([
      '2:18 size must be an integer from 0 to 9007199254740991, but is "x" (item of things "b").',
    ]);
  });
});

const release = z.strictObject({ name: label, size: count });

const products = defineCollection({
  purpose: "Products.",
  noun: { one: "product", many: "products" },
  schema: z.strictObject({ name: slug, releases: z.array(release) }),
  key: "name",
  files: "products/{name}.md",
});

const releases = defineCollection({
  purpose: "Releases.",
  noun: { one: "release", many: "releases" },
  schema: release.extend({ id: slug, product: reference("products"), size: count.max(9) }),
  key: "id",
  ...from(products, ({ name, releases }) =>
    releases.map((each) => ({ ...each, id: `${name}-${each.name}`, product: name })),
  ),
});

const sizes = defineCollection({
  purpose: "Sizes.",
  schema: z.strictObject({ id: slug, release: reference("releases") }),
  key: "id",
  ...from(releases, ({ id, size }) => (size > 1 ? [{ id: `s-${size}`, release: id }] : [])),
});

const product = (...names: readonly string[]) =>
  `---\nreleases:\n${names.map((name, index) => `  - { name: ${JSON.stringify(name)}, size: ${index + 1} }\n`).join("")}---\n`;

describe("from", () => {
  it("makes items of items, also of made ones", () => {
    const collections = { sizes, releases, products };
    expect(compile(collections, { "products/a.md": product("1", "2"), "products/b.md": product("1") })).toEqual({
      products: [
        {
          name: "a",
          releases: [
            { name: "1", size: 1 },
            { name: "2", size: 2 },
          ],
        },
        { name: "b", releases: [{ name: "1", size: 1 }] },
      ],
      releases: [
        { id: "a-1", product: "a", name: "1", size: 1 },
        { id: "a-2", product: "a", name: "2", size: 2 },
        { id: "b-1", product: "b", name: "1", size: 1 },
      ],
      sizes: [{ id: "s-2", release: "a-2" }],
      errors: [],
    });
  });

  it("has the errors of its items at the key of the item that they are made from", () => {
    const named = product("A", "A").replace("---\n", "---\nname: a\n");
    const tree = { "products/a.md": named, "products/b.md": product("1", "2"), "products/c.md": product("1", "2") };
    expect(compile({ products, releases, sizes }, tree).errors).toEqual([
      'products/a.md:2:7 not-unique The id "a-A" is taken by another release, at products/a.md:2:7 (release "a-A").',
      'products/a.md:2:7 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "a-A" (release "a-A").',
      'products/c.md:2:1 not-unique The id "s-2" is taken by another item of sizes, at products/b.md:2:1 (item of sizes "s-2").',
    ]);
  });

  it("has no errors that follow from those of the items that they are made from", () => {
    const tree = { "products/a.md": product("1").replace("size: 1", "size: x") };
    expect(compile({ products, releases, sizes }, tree).errors).toEqual([
      'products/a.md:3:24 wrong-type releases[0].size must be an integer from 0 to 9007199254740991, but is "x".',
    ]);
  });
});
