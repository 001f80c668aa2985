// An API with single items, for tests: with aliases, and with keys of one, two and three fields and of every form.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";

const products = defineCollection({
  purpose: "Products.",
  schema: z.strictObject({
    name: z.string(),
    vendor: z.enum(["acme", "globex"]),
    aliases: z.array(z.string()),
    label: z.string(),
  }),
  key: "name",
  filters: { vendor: "vendor" },
  item: { aliases: "aliases" },
  cache: "public, max-age=90",
});

const releases = defineCollection({
  purpose: "Releases of products.",
  schema: z.strictObject({ product: reference("products"), name: z.string(), lts: z.boolean() }),
  key: ["product", "name"],
  filters: { product: "product", lts: "lts" },
  together: [["product", "lts"]],
  item: true,
});

const builds = defineCollection({
  purpose: "Builds of releases.",
  schema: z.strictObject({ product: reference("products"), release: z.string(), number: z.int(), size: z.number() }),
  key: ["product", "release", "number"],
  paged: false,
  item: true,
  cache: "public, max-age=30",
});

const ports = defineCollection({
  purpose: "Ports.",
  schema: z.strictObject({ port: z.int(), other_ports: z.array(z.int()).nullable(), name: z.string() }),
  key: "port",
  item: { aliases: "other_ports" },
});

/** Keys with which a host's rules, or its types of files, could go wrong. */
const words = defineCollection({
  purpose: "Words.",
  schema: z.strictObject({ word: z.string(), alias: z.string().optional() }),
  key: "word",
  item: { aliases: "alias" },
});

/** The items of this collection can only be listed. */
const vendors = defineCollection({
  purpose: "Vendors.",
  schema: z.strictObject({ id: z.string(), name: z.string() }),
  key: "id",
});

export const singleItemsCollections = { products, releases, builds, ports, words, vendors };

export const singleItems = completeApi(defineApi({ base: "/api/v1", collections: singleItemsCollections }));

const productNames = ["nodejs", "python", "go", "a.b", "vendor", "releases", "Ruby", "c-sharp", "z-", "_x", "v1.0"];
const releaseNames = ["20", "18.20.1", "3.12-rc.1", "vendor", "product", "A", "x..y", "cursor", "limit"];
const oddWords = [
  "index.html",
  "a.gz",
  "b.br",
  "c.var",
  "d.en",
  "e.html",
  "f.json.x",
  "g.json-gz",
  "null",
  "404.html",
  "__proto__",
  "h.php",
  "-",
  "_",
  "i.",
  "j-1",
  "x".repeat(100),
  // Words that paths and folders have beside keys.
  "cursor",
  "limit",
  "item",
  "docs",
  "schemas",
  "dumps",
  "filters",
  "errors",
  "openapi",
];

export const singleItemsContent = {
  products: productNames.map((name, index) => ({
    name,
    vendor: index % 2 === 0 ? "acme" : "globex",
    aliases: index === 0 ? ["node", "node.js", "nodejs", "io-js"] : index === 1 ? ["py"] : [],
    label: `Überlang ☃ ${name}`,
  })),
  releases: productNames.flatMap((product) =>
    releaseNames.map((name, index) => ({ product, name, lts: index % 2 === 0 })),
  ),
  builds: productNames.slice(0, 4).flatMap((product) =>
    // One of them could be the name of a parameter.
    [...releaseNames.slice(0, 3), "vendor"].flatMap((release) =>
      [-1, 0, 7].map((number) => ({ product, release, number, size: 0.5 })),
    ),
  ),
  ports: [80, 443, 0, -1].map((port) => ({
    port,
    other_ports: port === 80 ? [8080, 8000] : null,
    name: `port ${port}`,
  })),
  words: oddWords.map((word, index) => ({ word, ...(index % 3 === 0 ? { alias: `alias-${index}.jsonl` } : {}) })),
  vendors: [{ id: "acme", name: "Acme" }],
};

/** Writes the content into a folder, without a file about deployments. */
export function writeSingleItems(
  folder: string,
  content: Readonly<Record<string, unknown>> = singleItemsContent,
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "api.yaml"), "page_sizes: [5, 100]\n");
  for (const [name, items] of Object.entries(content)) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(items));
  }
}
