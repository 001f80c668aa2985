import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { defineApi, defineCollection, defineDocument } from "./declare.ts";
import { count, distinctBy, form, slug } from "./forms.ts";
import { html } from "./html.ts";
import { reference, words } from "./marks.ts";

const code = form(/^[A-Z]{2}$/, "two capital letters", "AB");

const makers = defineCollection({
  purpose: "Who makes things.",
  schema: z.object({ code, name: z.string() }),
  key: "code",
  paged: false,
});

const things = defineCollection({
  purpose: "Things.",
  noun: { one: "thing", many: "things" },
  schema: z
    .looseObject({
      name: slug.describe("What it is called."),
      maker: reference("makers").nullable().describe("Who makes it."),
      state: words("state"),
      colour: z.enum(["red", "blue"]),
      old: z.boolean(),
      parts: distinctBy(z.object({ name: slug.describe("Of the part."), like: reference("things") }), "name", "a list"),
    })
    .meta({ title: "AThing", description: "A thing." }),
  key: "name",
  order: ["colour"],
  filters: { maker: "maker", colour: "colour", old: "old", state: "state" },
  together: [["colour", "old"]],
});

const news = defineDocument({ purpose: "News.", schema: z.object({ version: z.literal(3), count }) });

const declared = defineApi({ base: "/v3", collections: { makers, things }, documents: { news } });

const api = completeApi(declared);
const [ofMakers, ofThings, ofNews] = api.operations;
const thing = {
  name: "a",
  maker: null,
  state: "new",
  colour: "red",
  old: false,
  parts: [],
};

test("a declaration has the types of its items and parameters", () => {
  type Params = NonNullable<(typeof things)["types"]>["params"];
  expectTypeOf<Params>().toEqualTypeOf<{
    readonly maker: string;
    readonly colour: "red" | "blue";
    readonly old: boolean;
    readonly state: string;
  }>();
  expectTypeOf<NonNullable<(typeof makers)["types"]>["paged"]>().toEqualTypeOf<false>();
  expectTypeOf<NonNullable<(typeof news)["types"]>["body"]>().toEqualTypeOf<Readonly<{ version: 3; count: number }>>();
});

test("a page has the types of its collections and documents", () => {
  defineApi({
    collections: { makers },
    documents: { news },
    pages: {
      "docs/makers": {
        title: "Makers",
        render({ collections, documents, request }) {
          expectTypeOf(Array.from(collections.makers ?? [])).items.toEqualTypeOf<
            Readonly<{ code: string; name: string }>
          >();
          expectTypeOf(documents.news?.count).toEqualTypeOf<number | undefined>();
          // @ts-expect-error there is no such collection
          const other = collections.things;
          // @ts-expect-error there is no such request
          return html`${other}${request("things")}`;
        },
      },
      "docs/text": {
        title: "Text",
        // @ts-expect-error a text may not be escaped
        render: () => "<p>",
      },
    },
  });
  expect(api.pages).toEqual([]);
});

test("a field that a key, an order or a filter cannot have is an error of types", () => {
  const schema = z.object({ name: slug, size: count, tags: z.array(slug), parts: z.array(z.object({ name: slug })) });
  // @ts-expect-error a key is a text or an integer
  defineCollection({ purpose: "a", schema, key: "tags" });
  // @ts-expect-error there is no such field
  defineCollection({ purpose: "a", schema, key: "name", order: ["nam"] });
  // @ts-expect-error lists have no order
  defineCollection({ purpose: "a", schema, key: "name", order: ["-tags"] });
  // @ts-expect-error a list of objects is no filter
  defineCollection({ purpose: "a", schema, key: "name", filters: { part: "parts" } });
  // @ts-expect-error only texts have slugs
  defineCollection({ purpose: "a", schema, key: "name", filters: { size: { field: "size", slug: true } } });
  // @ts-expect-error there is no such parameter
  defineCollection({ purpose: "a", schema, key: "name", filters: { name: "name" }, together: [["name", "tag"]] });
  defineCollection({
    purpose: "a",
    schema,
    key: "name",
    filters: {
      name: { field: "name", slug: true },
      tag: "tags[]",
      // @ts-expect-error only this filter is wrong
      part: { field: "part", slug: true },
    },
  });
});

test("omitted options have their defaults", () => {
  expect(api.base).toBe("/v3");
  expect(ofMakers).toMatchObject({
    order: [{ field: "code", type: "text", descending: false }],
    filters: [],
    together: [],
    cache: "public, max-age=60",
  });
  expect(ofMakers).toMatchObject({ noun: "item of makers", title: "Makers", meaning: "Who makes things." });
  expect(ofThings).toMatchObject({ order: [{ field: "colour" }, { field: "name" }], paged: true });
  expect(ofNews).toMatchObject({ kind: "document", required: false });
});

test("a schema's marks become rules, and its descriptions meanings", () => {
  if (ofThings?.kind !== "list") throw new Error("no list");
  const { schema, meanings, meaning, references, title } = ofThings;
  expect({ title, meaning }).toEqual({ title: "AThing", meaning: "A thing." });
  expect(meanings).toEqual({ name: "What it is called.", maker: "Who makes it.", "parts[].name": "Of the part." });
  expect(references).toEqual([
    { field: "maker", steps: [".maker"], to: "makers" },
    { field: "parts[].like", steps: [".parts", "[]", ".like"], to: "things" },
  ]);
  const issuesOf = (item: object, vocabulary = {}) =>
    schema(vocabulary)
      .safeParse({ ...thing, ...item })
      .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  expect(issuesOf({ more: 1 })).toBeUndefined();
  expect(issuesOf({ maker: "AB" })).toBeUndefined();
  expect(issuesOf({ maker: "ab" })).toEqual(["maker: two capital letters"]);
  expect(issuesOf({}, { state: ["old"] })).toEqual(["state: one of the state words of api.yaml: old"]);
  expect(issuesOf({ parts: [{ name: "a", like: "B", more: 1 }] })).toEqual([
    "parts.0.like: lowercase letters and digits, joined by single hyphens",
    'parts.0: Unrecognized key: "more"',
  ]);
});

test("outputs know the items, collections and documents of the API", () => {
  const { outputs } = defineApi({
    base: "/v1",
    collections: { makers, things },
    documents: { news },
    outputs: {
      "makers.txt": {
        render({ collections: { makers: all }, documents }) {
          expectTypeOf(documents.news).toEqualTypeOf<Readonly<{ version: 3; count: number }> | undefined>();
          return Array.from(all ?? [], ({ name }) => name satisfies string).join("\n");
        },
      },
      "/old/{code}.bin": {
        each: "makers",
        type: "application/octet-stream",
        render(maker, { collections }) {
          expectTypeOf(maker).toEqualTypeOf<Readonly<{ code: string; name: string }>>();
          return collections.things === undefined ? undefined : Uint8Array.of(maker.name.length);
        },
      },
    },
  });
  expect(Object.keys(outputs)).toEqual(["makers.txt", "/old/{code}.bin"]);
  // @ts-expect-error: there is no such collection
  defineApi({ collections: { makers }, outputs: { "a/{code}.txt": { each: "nobody", render: () => "" } } });
  // @ts-expect-error: items have no such field
  defineApi({ collections: { makers }, outputs: { "a/{code}.txt": { each: "makers", render: ({ id }) => id } } });
  // @ts-expect-error: a number is no content
  defineApi({ collections: { makers }, outputs: { "a.txt": { render: () => 5 } } });
});

test("a filter by a union accepts the values of all its parts", () => {
  const schema = z.object({ name: slug, size: z.union([z.literal("s"), z.enum(["m", "l"]), z.null()]) });
  const sizes = defineCollection({ purpose: "Sizes.", schema, key: "name", filters: { size: "size" } });
  const [{ filters } = { filters: [] }] = completeApi(defineApi({ collections: { sizes } })).lists;
  expect(filters[0]?.accepts).toEqual({ kind: "listed", type: "text", values: ["s", "m", "l"] });
});

test("a filter accepts values that are one text in a request once", () => {
  const schema = z.object({ name: slug, size: z.union([z.literal(1), z.literal("1"), z.literal("x")]) });
  const filters = { size: "size" as const, of: { of: () => "a", values: ["a", 1, "1", "a"] } };
  const sizes = defineCollection({ purpose: "Sizes.", schema, key: "name", filters });
  const [list] = completeApi(defineApi({ collections: { sizes } })).lists;
  expect(list?.filters.map(({ accepts }) => accepts)).toEqual([
    { kind: "listed", type: "text", values: ["1", "x"] },
    { kind: "listed", type: "text", values: ["a", "1"] },
  ]);
});

test("an object that is not loose accepts no unknown fields", () => {
  expect(ofMakers?.schema({}).safeParse({ code: "AB", name: "a", more: 1 }).success).toBe(false);
});

test("a document's literals are supplied", () => {
  if (ofNews?.kind !== "document") throw new Error("no document");
  expect(ofNews.content({}).safeParse({ count: 1 }).success).toBe(true);
  expect(ofNews.content({}).safeParse({ count: 1, version: 3 }).success).toBe(false);
  expect(JSON.stringify(ofNews.documentOf({ count: 1 }))).toBe('{"version":3,"count":1}');
});

test("examples of a collection fit its schema", () => {
  if (ofThings?.kind !== "list") throw new Error("no list");
  expect(ofThings.schema({}).safeParse(ofThings.example).error).toBeUndefined();
});

test("a hyphen belongs to the name of a field that starts with one", () => {
  const schema = z.strictObject({ "-id": slug, id: slug });
  const orderOf = (order: readonly ("-id" | "id")[]) => {
    const [list] = completeApi(
      defineApi({ collections: { a: defineCollection({ purpose: "A.", schema, key: "-id", order }) } }),
    ).lists;
    return list?.order.map(({ field, descending }) => [field, descending]);
  };
  expect(orderOf([])).toEqual([["-id", false]]);
  expect(orderOf(["id"])).toEqual([
    ["id", false],
    ["-id", false],
  ]);
});
