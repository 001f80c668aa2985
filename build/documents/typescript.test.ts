import { expect, it } from "vitest";
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/declare.ts";
import edgeNetwork from "../../src/edge-network/index.ts";
import { reference, words } from "../../src/marks.ts";
import { typeCheck } from "../../test/client/type-check.ts";
import { productsApi } from "../../test/content/products.ts";
import { type TypesSource, typesOf } from "./typescript.ts";

const books = defineCollection({
  purpose: "Books of the library.",
  schema: z
    .strictObject({
      id: z
        .string()
        .regex(/^[a-z]+$/)
        .describe("Names the book. */ Not a comment."),
      shelf: reference("shelves").nullable(),
      genre: z.enum(["novel", "poem"]).nullable(),
      is_lent: z.boolean().optional(),
      state: words("state"),
      format: z.literal(["paper", 1, null]),
      size: z.tuple([z.number(), z.int()]),
      pages: z.tuple([z.string()]).rest(z.int().nullable()),
      titles: z.record(z.string(), z.string().describe("The title in a language.")),
      stock: z.record(z.enum(["here", "there"]), z.int()),
      due: z.partialRecord(z.enum(["here", "there"]), z.iso.date()),
      authors: z.array(
        z.strictObject({ name: z.string().describe("As printed.\nIn Latin script."), "born-in": z.int().nullable() }),
      ),
      source: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("gift") }),
        z.strictObject({ kind: z.literal("bought"), price: z.number() }),
      ]),
      notes: z.looseObject({ by: z.string() }).optional(),
      more: z.unknown(),
      tags: z.array(z.union([z.string(), z.int()])).readonly(),
    })
    .meta({ title: "library book", description: "A book." }),
  key: "id",
  filters: { genre: "genre", "is-lent": "is_lent", shelf: "shelf", state: "state" },
});

const shelves = defineCollection({
  purpose: "Shelves.",
  schema: z.looseObject({ id: z.string() }),
  key: "id",
  paged: false,
});

const notice = defineDocument({ purpose: "A notice.", schema: z.strictObject({ text: z.string() }) });

const library = completeApi(
  defineApi({ base: "/v3", collections: { books, "book-shelves": shelves, shelves }, documents: { notice } }),
);

const typesFor = (api: Api, settings: Partial<TypesSource["settings"]> = {}): string =>
  typesOf({
    api,
    operations: api.operations,
    settings: { title: undefined, url: undefined, client: undefined, vocabulary: {}, ...settings },
  });

it("prints every kind of schema", () => {
  const text = typesFor(library, { vocabulary: { state: ["new", "old"] } });
  expect(text.slice(text.indexOf("/** A book. */"))).toBe(`/** A book. */
export interface LibraryBook {
  /** Names the book. *\\/ Not a comment. */
  readonly id: string;
  readonly shelf: string | null;
  readonly genre: "novel" | "poem" | null;
  readonly is_lent?: boolean;
  readonly state: "new" | "old";
  readonly format: "paper" | 1 | null;
  readonly size: readonly [number, number];
  readonly pages: readonly [string, ...ReadonlyArray<number | null>];
  readonly titles: {
    readonly [name: string]: string;
  };
  readonly stock: {
    readonly here: number;
    readonly there: number;
  };
  readonly due: {
    readonly here?: string;
    readonly there?: string;
  };
  readonly authors: ReadonlyArray<{
    /**
     * As printed.
     * In Latin script.
     */
    readonly name: string;
    readonly "born-in": number | null;
  }>;
  readonly source: {
    readonly kind: "gift";
  } | {
    readonly kind: "bought";
    readonly price: number;
  };
  readonly notes?: {
    readonly by: string;
    readonly [name: string]: unknown;
  };
  readonly more: unknown;
  readonly tags: ReadonlyArray<string | number>;
}

/** Shelves. */
export interface BookShelves {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** Shelves. */
export interface Shelves {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** A notice. */
export interface Notice {
  readonly text: string;
}
`);
});

it("prints the parameters of filters, and how to use the types", () => {
  const text = typesFor(library, { title: "Library", url: "https://example.com", client: "@acme/client" });
  expect(
    text.slice(0, text.indexOf("/** Shelves. */")),
  ).toBe(`// The types of the API "Library", written by "stillapi types". Changes are overwritten.
//
//     import { createClient } from "@acme/client";
//     import type { Api } from "./api.js";
//
//     const client = createClient<Api>("https://example.com/v3");

export interface Api {
  readonly collections: {
    /** Books of the library. */
    readonly books: {
      readonly types: {
        readonly item: LibraryBook;
        readonly params: {
          readonly genre: "novel" | "poem";
          readonly "is-lent": boolean;
          readonly shelf: string;
          readonly state: string;
        };
        readonly paged: true;
      };
    };
    `);
});

it("prints the items of lists in brief, the values of keys, and filters by elements, names and slugs", () => {
  const text = typesFor(productsApi);
  expect(text).toContain(`readonly types: {
        readonly item: Product;
        readonly listed: ProductBrief;
        readonly params: {
          readonly tag: string;
          readonly category: string;
          readonly link: string;
        };
        readonly paged: true;
        readonly key: readonly [name: string];
      };`);
  expect(text).toContain("readonly key: readonly [product: string, name: string];");
  expect(text).toContain("readonly key: readonly [number: number];");
  expect(text).toContain(`/** The fields of Product that lists have. */
export type ProductBrief = Pick<Product, "name" | "label" | "tags">;`);
  const schema = z.strictObject({
    id: z.string(),
    sizes: z.array(z.enum(["s", "m"])).nullable(),
    counts: z.record(z.enum(["here", "there"]), z.int()).optional(),
    numbers: z.array(z.int()),
  });
  const filters = { size: "sizes", count: { keysOf: "counts" }, number: "numbers" } as const;
  const item = { aliases: "numbers" } as const;
  const coats = defineCollection({ purpose: "Coats.", schema, key: "id", filters, item });
  const own = typesFor(completeApi(defineApi({ collections: { coats } })));
  for (const member of [
    'size: "s" | "m"',
    'count: "here" | "there"',
    "number: number",
    "key: readonly [id: string | number]",
  ]) {
    expect(own).toContain(`readonly ${member};`);
  }
});

it("gives each type its own name", () => {
  const thing = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ id: z.string() }).meta({ title: "Api" }),
    key: "id",
  });
  const numbered = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ id: z.string() }).meta({ title: "3 of a kind" }),
    key: "id",
  });
  const text = typesFor(completeApi(defineApi({ collections: { a: thing, b: thing, c: numbered } })));
  expect(text.match(/(?<=export interface )\S+/g)).toEqual(["Api", "Api2", "Api3", "_3OfAKind"]);
});

it("prints definitions that refer to one another", () => {
  const node: z.ZodType = z.lazy(() => z.strictObject({ name: z.string(), children: z.array(node) }));
  const trees = defineCollection({
    purpose: "Trees.",
    schema: z.strictObject({ id: z.string(), root: node }),
    key: "id",
  });
  const text = typesFor(completeApi(defineApi({ collections: { trees } })));
  expect(text).toContain("  readonly root: TreesSchema0;\n");
  expect(text).toMatch(
    /export type TreesSchema0 = \{\n {2}readonly name: string;\n {2}readonly children: ReadonlyArray<TreesSchema0>;\n\};\n$/,
  );
});

it("prints types with which the client type-checks in a strict project", () => {
  const consumer = `
import { createClient, type Page } from "stillapi/client";
import type { Api, EdgeNode } from "./edge.js";
import type { Api as Products } from "./products.js";
import type { Api as Library, LibraryBook } from "./library.js";

const client = createClient<Api>("https://example.com");
export const { data }: Page<EdgeNode> = await client.nodes.get({ region: "lhr1", limit: 5 });
for await (const { capacity } of client.nodes.items()) capacity satisfies string;
for await (const { object } of client.regions.pages()) object satisfies "list";
(await client.status()).components[0]?.name satisfies string | undefined;
// @ts-expect-error: it has no such filter
await client.nodes.get({ zone: "x" });
// @ts-expect-error: it is not paged
await client.regions.get({ limit: 5 });
// @ts-expect-error: there is no such operation
client.edges;
// @ts-expect-error: a document has no pages
client.status.pages;

const library = createClient<Library>("https://example.com/v3");
const [book] = (await library.books.get({ genre: "poem", "is-lent": false, cursor: "k" })).data;
book?.authors[0]?.["born-in"] satisfies number | null | undefined;
book?.titles["en"] satisfies string | undefined;
if (book?.source.kind === "bought") book.source.price satisfies number;
(await library["book-shelves"].get()).data[0]?.["colour"] satisfies unknown;
// @ts-expect-error: no book is of this genre
await library.books.get({ genre: "essay" });
// @ts-expect-error: answers are not to be changed
book.authors[0] = undefined;
// @ts-expect-error: it has no single items
library.books.item;

const products = createClient<Products>("https://example.com");
(await products.releases.item("nodejs", "20", {})).note satisfies string | undefined;
for await (const item of products.releases.items()) item.released satisfies string;
// @ts-expect-error: lists lack this field
(await products.products.get()).data[0]?.text;
// @ts-expect-error: the key is a number
await products.builds.item("10");
`;
  const files = {
    "edge.d.ts": typesFor(completeApi(edgeNetwork)),
    "library.d.ts": typesFor(library),
    "products.d.ts": typesFor(productsApi),
  };
  const { errors, packages } = typeCheck({ ...files, "consumer.ts": consumer });
  expect(errors).toEqual([]);
  // They need neither zod nor the declaration.
  expect(packages).toEqual(["typescript"]);
});
