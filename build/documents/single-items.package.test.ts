// The documents of an API with single items and lists in brief.
import { rmSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productsApi, someProducts, writeProducts } from "../../test/content/products.ts";
import { deadAnchorsIn } from "../../test/documents/check-page.ts";
import { complaintsAbout, isValidOpenapi } from "../../test/documents/openapi-rules.ts";
import { planOf, siteOf, temporaryFolder } from "../../test/documents/source.ts";
import { skipWithoutTools } from "../../test/tools/skip.ts";
import { itemSchemas } from "./describe/schemas.ts";
import type { Site } from "./describe/site.ts";
import { openapi } from "./programs/openapi.ts";
import { overview } from "./programs/overview.ts";
import { referenceStart } from "./reference/reference.ts";

const folder = temporaryFolder();
let source: Site;
let document: ReturnType<typeof openapi>;

beforeAll(async () => {
  writeProducts(folder);
  source = siteOf(await planOf(folder, productsApi));
  document = JSON.parse(JSON.stringify(openapi(source)));
});

afterAll(() => rmSync(folder, { recursive: true }));

const [nodejs] = someProducts.products;

const getAt = (at: string) => document.paths[at]?.get ?? expect.fail();

describe("the OpenAPI document", () => {
  it("is valid by the official schema, and passes the rules of Redocly and Spectral", async ({ skip }) => {
    skipWithoutTools(skip);
    expect(await isValidOpenapi(document)).toBe(true);
    expect(await complaintsAbout(document, folder)).toEqual([]);
  });

  it("has a path for single items, with a parameter for each field of the key", () => {
    expect(Object.keys(document.paths)).toEqual([
      "/api/v1/products",
      "/api/v1/products/{name}",
      "/api/v1/releases",
      "/api/v1/releases/{product}/{name}",
      "/api/v1/builds",
      "/api/v1/builds/{number}",
    ]);
    const one = getAt("/api/v1/products/{name}");
    expect(one.parameters[0]).toEqual({
      name: "name",
      in: "path",
      required: true,
      description:
        "The `name` of a product, or one of its `aliases`: `/api/v1/products/node` returns the same product.",
      schema: { type: "string", pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$" },
      example: "nodejs",
    });
    expect(Object.keys(one.responses)).toEqual(["200", "304", "404", "405"]);
    expect(one.responses["200"].headers["Cache-Control"]?.example).toBe("public, max-age=60");
    expect(one.responses["200"].content["application/json"]).toEqual({
      schema: { $ref: "#/components/schemas/Product" },
      examples: { first: { summary: "GET /api/v1/products/nodejs", value: nodejs } },
    });
    expect(
      getAt("/api/v1/releases/{product}/{name}").parameters.map((parameter: { name: string }) => parameter.name),
    ).toEqual(["product", "name"]);
    expect(getAt("/api/v1/builds/{number}").parameters[0]).toMatchObject({ schema: { type: "integer" }, example: 9 });
  });

  it("describes lists in brief and single items by schemas of their own", () => {
    const { schemas } = document.components;
    const brief = Object(schemas["ProductBrief"]);
    expect(brief.description).toBe("The fields of Product that lists have.");
    expect(brief.required).toEqual(["name", "label", "tags"]);
    expect(brief.properties.label.description).toBe("The name for people.");
    expect(schemas["ProductPage"]).toMatchObject({
      properties: { data: { items: { $ref: "#/components/schemas/ProductBrief" } } },
    });
    expect(getAt("/api/v1/products").description).toContain(
      "Lists have some of the fields; single items have all of them.",
    );
  });
});

describe("the reference", () => {
  /** A section, or the page, as text without tags. */
  const textOf = (page: string): string =>
    page
      .replace(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"')
      .replace(/\s+/g, " ");
  const sectionOf = (id: string): string => {
    const page = String(referenceStart(source));
    const start = page.indexOf(`<h3 id="${id}"`);
    return page.slice(start, page.indexOf("</section>", start));
  };

  it("has a section for single items, with their path, an answer, the error and a form to ask for it", () => {
    const section = sectionOf("item-products");
    const text = textOf(section);
    expect(text).toContain("Get one product GET /api/v1/products/{name}");
    expect(text).toContain(
      "name string, in the path The name of a product, or one of its aliases: /api/v1/products/node returns the same product.",
    );
    expect(text).toContain("Single items have all fields; lists have some of them.");
    expect(text).toContain("A Product with these fields: 7 fields name string The name in addresses. label string");
    expect(text).toContain("not_found There is nothing at this address.");
    expect(section).toContain('action="/api/v1/products/nodejs" data-path="/api/v1/products/{name}"');
    expect(section).toContain('<input name="name" type="text" value="nodejs" required disabled');
    expect(text).toContain('curl \\ "https://HOST/api/v1/products/nodejs"');
    expect(text).toContain("Runs JavaScript – outside of browsers.");
    expect(textOf(sectionOf("item-releases"))).toContain("Get one release GET /api/v1/releases/{product}/{name}");
    expect(sectionOf("item-releases")).toContain('href="/api/v1/releases/nodejs/22"');
    expect(textOf(sectionOf("item-builds"))).toContain("number integer, in the path");
    expect(sectionOf("item-builds")).toContain('<input name="number" type="number" value="9"');
  });

  it("says which fields lists have, how they are sorted, and what filters compare", () => {
    const products = textOf(sectionOf("list-products"));
    expect(products).toContain(
      "Each has these fields: name string The name in addresses. label string The name for people. tags list of strings Subjects. Errors",
    );
    expect(products).toContain("tag string Returns only the items with this value in tags, one of those listed at");
    expect(products).toContain(
      "Returns only the items with this category, in lowercase with hyphens, one of those listed at",
    );
    expect(products).toContain("Returns only the items with this key in links, one of those listed at");
    expect(textOf(sectionOf("list-releases"))).toContain("Sorted by released descending, then product, then name.");
    expect(textOf(sectionOf("list-builds"))).toContain("Sorted by number, ascending.");
    expect(textOf(sectionOf("resource-products"))).toMatch(
      /category string, not in lists .* tags list of strings Subjects/,
    );
  });

  it("has each anchor once, and every anchor to which it links", () => {
    const page = String(referenceStart(source));
    expect(deadAnchorsIn(page)).toEqual([]);
    expect(page).toContain("Nothing is at this path, or no item has this key.");
  });
});

it("publishes a schema of the items in lists beside that of single items", () => {
  const documents = itemSchemas(source);
  expect(documents.map(({ path }) => path.slice("/api/v1/schemas/".length))).toEqual([
    "products.json",
    "products/brief.json",
    "releases.json",
    "releases/brief.json",
    "builds.json",
  ]);
  const [whole, brief] = documents.map((document) => JSON.parse(Buffer.concat([...document.parts()]).toString()));
  expect([whole.title, brief.title]).toEqual(["Product", "ProductBrief"]);
  const isValid = [whole, brief].map((schema) => new Ajv2020({ strict: false }).compile(schema));
  const { name, label, tags } = nodejs;
  expect(isValid.map((valid) => valid(nodejs))).toEqual([true, true]);
  expect(isValid.map((valid) => valid({ name, label, tags }))).toEqual([false, true]);
});

it("lists at the address of the API how each operation is keyed, ordered, filtered and cached", () => {
  const { operations } = JSON.parse(Buffer.concat([...overview(source, []).parts()]).toString());
  const rules = operations.map(({ name, item, brief }: Record<string, unknown>) => ({ name, item, brief }));
  expect(operations[0]).toEqual({
    name: "products",
    description: "Products and their release cycles.",
    path: "/api/v1/products",
    parameters: ["tag", "category", "link", "limit", "cursor"],
    total: 3,
    key: "name",
    order: ["name"],
    together: [["tag", "category"]],
    page_sizes: [1, 2, 100],
    filters: { tag: "tags", category: { field: "category", slug: true }, link: { keysOf: "links" } },
    item: "/api/v1/products/{name}",
    aliases: "aliases",
    brief: ["name", "label", "tags"],
    cache: "public, max-age=60",
  });
  expect(rules).toEqual([
    { name: "products", item: "/api/v1/products/{name}", brief: ["name", "label", "tags"] },
    { name: "releases", item: "/api/v1/releases/{product}/{name}", brief: ["product", "name", "released"] },
    { name: "builds", item: "/api/v1/builds/{number}" },
  ]);
});
