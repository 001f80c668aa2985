import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { file, image } from "../../../src/declare/assets.ts";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { label, orNull, slug, time } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compiledWithErrors } from "../../../test/plan.ts";
import type { Content } from "../../content/content.ts";
import { completeApi } from "../../declaration/complete.ts";
import { editorForms } from "./forms.ts";

const head = "# Of the editor.\nbackend: { name: github }\nmedia_folder: api/content/photos\npublic_folder: /photos\n";

/** The content of a folder that has the head. */
function contentFor(collections: Readonly<Record<string, ReturnType<typeof listOf>>>, tree: Tree = {}): Content {
  const api = completeApi(defineApi({ collections }));
  return compiledWithErrors(discovered({ "decap.yml": head, ...tree }), api).content;
}

const textFor = (...args: Parameters<typeof contentFor>): string => editorForms([contentFor(...args)])[0]?.text ?? "";

const listOf = (schema: z.ZodObject, files?: CollectionDeclaration["files"], more = {}) =>
  defineCollection({ purpose: "Things.", schema, key: "id", ...(files !== undefined && { files }), ...more });

const plain = z.strictObject({ id: slug });

/** The fields of a form, by name, apart from their labels. */
function fieldsFor(shape: z.core.$ZodLooseShape): Readonly<Record<string, unknown>> {
  const things = listOf(plain.extend(shape), "things/*.md");
  const others = listOf(z.strictObject({ id: slug, name: label }), "others/*.json");
  const { collections } = parse(textFor({ things, others }));
  return Object.fromEntries(
    collections[0].fields.map(({ name, label: _, ...field }: Record<string, unknown>) => [name, field]),
  );
}

it("has the text of decap.yml as it is, and the collections below it with a file for each item", () => {
  const text = textFor(
    {
      books: listOf(z.strictObject({ id: slug, lang: z.string(), title: label }), "books/{lang}/{id}.md"),
      parts: defineCollection({
        purpose: "Parts.",
        schema: z.strictObject({ maker: slug, id: slug }),
        key: ["maker", "id"],
        files: "shop/parts/*.json",
      }),
      notes: listOf(plain),
    },
    { "notes/a.toml": 'id = "a"', "notes/b.toml": 'id = "b"' },
  );
  expect(text.slice(0, text.indexOf("  - "))).toBe(`${head}# Written by stillapi from here on.\ncollections:\n`);
  expect(parse(text).collections).toMatchObject([
    {
      name: "books",
      label: "Books",
      description: "Things.",
      folder: "api/content/books",
      path: "{{lang}}/{{slug}}",
      slug: "{{fields.id}}",
      media_folder: "/api/content/photos",
      public_folder: "/photos",
      extension: "md",
      format: "frontmatter",
      identifier_field: "id",
      summary: "{{fields.title}}",
      create: true,
    },
    { folder: "api/content/shop/parts", slug: "{{fields.maker}}-{{fields.id}}", extension: "json", format: "json" },
    { folder: "api/content/notes", slug: "{{fields.id}}", extension: "toml", summary: "{{fields.id}}" },
  ]);
});

it("has fields whose widgets write what the schema accepts", () => {
  const fields = fieldsFor({
    title: label.describe("The title."),
    note: z.string().max(5).optional(),
    state: z.enum(["on", "off"]),
    pages: z.int().min(1).max(9),
    price: z.number().nullable(),
    day: z.iso.date(),
    ended: orNull(time).optional(),
    sold: z.boolean(),
    old: z.boolean().default(true),
    tags: z.array(slug),
    sizes: z.array(z.enum(["s", "m"])).min(1),
    parts: z.array(z.strictObject({ n: z.int(), far: z.boolean() })).optional(),
    at: z.strictObject({ lat: z.number() }).optional(),
    cover: image(),
    scan: file().nullish(),
    maker: reference("others"),
    makers: z.array(reference("others")),
    word: z.union([z.literal("a"), z.literal("b"), z.null()]),
    any: z.union([z.string(), z.int()]).optional(),
    most: z
      .array(z.strictObject({ far: z.boolean() }))
      .min(1)
      .optional(),
    held: z.strictObject({ free: z.record(z.string(), z.int()) }).optional(),
    body: z.string(),
  });
  const number = { widget: "number", value_type: "int" };
  const line = ["^(?!\\s)[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f]$", expect.stringContaining("one line")];
  const relation = { widget: "relation", collection: "others", value_field: "id", search_fields: ["name", "id"] };
  expect(fields).toMatchObject({
    title: { widget: "string", pattern: line, hint: expect.stringMatching(/^The title\. One line/) },
    note: { widget: "text", pattern: ["^[^]{0,5}$", expect.anything()], required: false },
    state: { widget: "select", options: ["on", "off"] },
    pages: { ...number, min: 1, max: 9 },
    price: { widget: "number", value_type: "float" },
    day: { widget: "datetime", date_format: "YYYY-MM-DD", time_format: false },
    ended: { widget: "datetime", format: "YYYY-MM-DD[T]HH:mm:ss[Z]", picker_utc: true, required: false },
    sold: { widget: "boolean", default: false },
    old: { widget: "boolean", default: true, required: false },
    tags: { widget: "list", field: { name: "tags", widget: "string" }, default: [], required: false },
    sizes: { widget: "select", multiple: true, options: ["s", "m"], min: 1 },
    parts: { widget: "list", fields: [number, { widget: "boolean", default: false }], default: [], required: false },
    at: { widget: "object", fields: [{ name: "lat", required: false }], required: false },
    cover: { widget: "image", choose_url: false },
    scan: { widget: "file", required: false },
    maker: relation,
    makers: { ...relation, multiple: true, default: [] },
    word: { widget: "select", options: ["a", "b"] },
    body: { widget: "markdown" },
  });
  for (const name of ["title", "state", "price", "sold", "sizes", "cover", "maker"])
    expect(fields[name]).not.toHaveProperty("required");
  for (const name of ["any", "most", "held"]) expect(fields).not.toHaveProperty(name);
});

it("has the collections of all APIs once, as the first one that has them as they are written", () => {
  const made = listOf(plain, "things/*.json", { transform: (raw: unknown) => raw });
  const first = contentFor({ things: made, both: listOf(plain, "both/*.json") });
  const second = contentFor({ both: listOf(plain, "both/*.md"), things: listOf(plain, "things/*.json") });
  const [{ text } = { text: "" }] = editorForms([first, second]);
  expect(parse(text).collections).toMatchObject([{ name: "things" }, { name: "both", extension: "json" }]);
});

it("names an item as its files do", () => {
  const { collections } = parse(
    textFor({
      a: listOf(plain, "a/{id}.json"),
      b: listOf(plain, "b/no-{id}.json"),
      c: listOf(plain.extend({ a: reference("a"), b: reference("b") }), "c/*.json"),
    }),
  );
  expect(collections[2].fields).toMatchObject([{}, { value_field: "{{slug}}" }, { value_field: "id" }]);
});

it("accepts in the path of a file only what editors do not change in it", () => {
  const code = z.string().regex(/^[a-zA-Z]{2}$/);
  const { collections } = parse(textFor({ a: listOf(z.strictObject({ id: code }), "a/{id}.json") }));
  const [{ pattern: [source = ""] = [] }] = collections[0].fields;
  expect(["ab", "AB", "a", "a/b"].map((text) => new RegExp(source).test(text))).toEqual([true, false, false, false]);
});

it("chooses from the items of a collection without a form, and names those without one with the reason", () => {
  const record = z.record(z.string(), z.int());
  const text = textFor(
    {
      makers: listOf(z.strictObject({ id: slug, name: label })),
      things: listOf(plain.extend({ maker: reference("makers"), sizes: record.optional() }), "things/*.yaml"),
      sizes: listOf(plain.extend({ inner: z.strictObject({ free: record }) }), "sizes/*.yaml"),
      shapes: listOf(plain.extend({ at: z.union([z.string(), z.strictObject({ x: z.int() })]) }), "shapes/*.yaml"),
      made: listOf(plain, "made/*.yaml", { transform: (raw: unknown) => raw }),
      open: listOf(plain, "open/*"),
      top: listOf(plain, "{id}.json"),
      deep: listOf(plain, "deep/**/*.json"),
      timed: listOf(plain.extend({ year: z.int() }), "timed/{year}/*.json"),
      rows: listOf(plain, "rows/*.csv"),
      two: listOf(plain, ["two/*.json", "three/*.json"]),
    },
    { "makers.csv": "id,name\nann,Ann\n", "deep/a/b.json": '{"id":"b"}' },
  );
  const { collections } = parse(text);
  expect(collections).toHaveLength(1);
  expect(collections[0].fields).toMatchObject([
    { name: "id" },
    { name: "maker", widget: "select", options: [{ label: "ann – Ann", value: "ann" }] },
  ]);
  expect(text.split("\n").filter((line) => line.startsWith("#   "))).toEqual([
    "#   makers: api/content/makers.csv has a list.",
    "#   sizes: no form shows inner.free, which has any keys.",
    "#   shapes: no form shows at, which has values of different forms.",
    "#   made: no file has its items in a declared form.",
    '#   open: their ending is not known; files: "open/*.md" says it, for example.',
    "#   top: a form cannot tell the folder of a file of {id}.json.",
    "#   deep: a form cannot tell the folder of a file of deep/**/*.json.",
    "#   timed: a form cannot tell the folder of a file of timed/{year}/*.json.",
    "#   rows: such editors do not write csv.",
    "#   two: its files are in several places, or outside.",
  ]);
});
