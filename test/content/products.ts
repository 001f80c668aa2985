// A declared API with lists in brief, single items, and filters by the elements of a list, the names of a record and slugs.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { label, slug } from "../../src/declare/forms.ts";
import { defineApi, defineCollection, reference } from "../../src/index.ts";

const products = defineCollection({
  purpose: "Products and their release cycles.",
  noun: { one: "product", many: "products" },
  schema: z
    .strictObject({
      name: slug.describe("The name in addresses."),
      label: label.describe("The name for people."),
      category: label.describe("The category, in words."),
      tags: z.array(slug).describe("Subjects."),
      aliases: z.array(slug).describe("Other names."),
      links: z.record(slug, z.string()).describe("Addresses by their kind."),
      text: z.string().describe("All there is to say."),
    })
    .meta({ title: "Product" }),
  key: "name",
  filters: { tag: "tags", category: { field: "category", slug: true }, link: { keysOf: "links" } },
  together: [["tag", "category"]],
  brief: ["label", "tags", "name"],
  item: { aliases: "aliases" },
});

const releases = defineCollection({
  purpose: "Release cycles, the newest first.",
  noun: { one: "release", many: "releases" },
  schema: z
    .strictObject({
      product: reference("products").describe("The product."),
      name: slug.describe("The number of the cycle."),
      released: z.iso.date().describe("When it was released."),
      lts: z.boolean().describe("Whether it is supported for years."),
      note: z.string().optional().describe("A remark."),
    })
    .meta({ title: "Release" }),
  key: ["product", "name"],
  order: ["-released"],
  filters: { product: "product", lts: "lts" },
  together: [["product", "lts"]],
  brief: ["product", "name", "released"],
  item: true,
  paged: false,
});

const builds = defineCollection({
  purpose: "Builds by their numbers.",
  schema: z.strictObject({ number: z.int(), state: z.enum(["passed", "failed"]) }),
  key: "number",
  item: true,
});

export const productsDeclaration = defineApi({ collections: { products, releases, builds } });

export const productsApi = completeApi(productsDeclaration);

const product = (name: string, text: string, tags: readonly string[], aliases: readonly string[] = []) => ({
  name,
  label: `The ${name}`,
  category: name < "m" ? "Programming language" : "Operating system",
  tags,
  aliases,
  links: { home: `https://example.com/${name}`, ...(tags.length > 1 && { docs: "https://example.com/docs" }) },
  text,
});

const release = (of: string, name: string, released: string, more: object = {}) => ({
  product: of,
  name,
  released,
  lts: "note" in more,
  ...more,
});

export const someProducts = {
  products: [
    product("nodejs", "Runs JavaScript – outside of browsers.", ["javascript", "runtime"], ["node", "node-js"]),
    product("go", "Compiles quickly.", ["google"]),
    product("ubuntu", "", ["linux", "canonical"]),
  ],
  releases: [
    release("nodejs", "20", "2023-04-18", { note: "Long-term support." }),
    release("nodejs", "22", "2024-04-24"),
    release("ubuntu", "20", "2020-04-23"),
  ],
  builds: [
    { number: 10, state: "passed" },
    { number: 9, state: "failed" },
  ],
} as const;

/** Writes the content of the API to a folder. */
export function writeProducts(
  folder: string,
  content: Readonly<Record<string, readonly unknown[]>> = someProducts,
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "api.yaml"), "page_sizes: [1, 2, 100]\n");
  for (const [name, items] of Object.entries(content)) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(items));
  }
}
