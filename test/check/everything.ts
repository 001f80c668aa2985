// An API with everything that hosts have to tell apart: a base with a dot, filters alone and together, orders, single items with
// aliases and with keys of several fields, documents, files beside the data, names and keys with which a rule could go wrong, and headers that a
// configuration could read as syntax.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { file, image } from "../../src/declare/assets.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/declare/declare.ts";
import { html } from "../../src/declare/html.ts";
import { reference } from "../../src/declare/marks.ts";
import type { Api } from "../../src/model/api.ts";
import { pictures } from "../content/pictures.ts";
import { singleItemsCollections, singleItemsContent } from "./single-items.ts";

/** Several filters, some of which go together; a parameter with a hyphen; enough items for pages of every size. */
const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({
    id: z.int(),
    region: z.enum(["us", "eu", "none"]),
    run_by: z.string().nullable(),
    zone: z.string(),
  }),
  key: "id",
  order: ["zone"],
  orders: {
    newest: ["-id"],
    "by_region-and-zone": ["-region", { field: "-zone", natural: true }],
  },
  filters: {
    region: "region",
    "run-by": { field: "run_by", deprecated: { since: "2026-01-31", use: "region" } },
    // It goes first.
    zone2: { of: ({ zone }) => zone, deprecated: { since: "2026-02-28", sunset: "2031-12-01" } },
  },
  together: [
    ["region", "run-by"],
    ["run-by", "zone2"],
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: servers would expand it
  cache: 'max-age=30, no-cache="Set-Cookie, {http.request.uri.path} {$HOME} ${HOME} $uri $1 %t %{HOME}e C:\\"',
});

/** A name that nginx reserves, and filters that do not go together, in lists without pages. */
const fallback = defineCollection({
  purpose: "Fallbacks.",
  schema: z.strictObject({ id: z.string(), kind: z.enum(["x_y", "1.0", "-1", "__proto__"]), of: reference("vendors") }),
  key: "id",
  filters: { kind: { field: "kind", deprecated: { since: "2026-03-01", sunset: "2027-06-01" } }, include: "of" },
  paged: false,
  item: true,
  cache: "no-store",
  deprecated: { since: "2025-12-31", sunset: "2028-02-29", use: "things", why: 'Said {$HOME} "so" 100% <b> $1.' },
});

/** A name that starts with the name of a deprecated list. */
const fallback2 = defineCollection({
  purpose: "Fallbacks that stay.",
  schema: z.strictObject({ id: z.string(), kind2: z.enum(["a"]) }),
  key: "id",
  filters: { kind2: "kind2" },
  paged: false,
  item: true,
});

/** Names of the maximum length, and filters that go together in threes. */
const longest = "incidents_of_the_edge_network_ab";

const triples = defineCollection({
  purpose: "Triples.",
  schema: z.strictObject({ a: z.int(), b: z.enum(["p", "q"]), c: z.boolean() }),
  key: ["a", "b"],
  orders: { last: ["-b", "-a"] },
  filters: { a: "a", b: "b", where_in_the_edge_network_it_was: "c" },
  together: [["a", "b", "where_in_the_edge_network_it_was"]],
  paged: false,
});

/** Items that name files beside the data. */
const exhibits = defineCollection({
  purpose: "Exhibits.",
  schema: z.strictObject({
    id: z.string(),
    photo: image(),
    papers: z.array(file({ types: ["application/*", "text/*", "application/octet-stream"] })),
  }),
  key: "id",
  paged: false,
});

const health = defineDocument({
  purpose: "Whether it works.",
  schema: z.strictObject({ works: z.boolean() }),
  required: true,
  cache: "no-store",
  deprecated: { since: "2030-01-01" },
});

/** The folder of the API outside its base. */
const outside = (base: string): string => `/legacy${base.replaceAll("/", "_")}`;

export const everythingAt = (base: string): Api =>
  completeApi(
    defineApi({
      base,
      collections: {
        ...singleItemsCollections,
        things,
        default: fallback,
        "default-2": fallback2,
        [longest]: triples,
        exhibits,
      },
      files: { cache: "public, max-age=7200" },
      documents: { health },
      pages: { "docs/extra": { title: "Extra", render: () => html`<p>More.</p>` } },
      outputs: {
        "places.geojson": { render: ({ collections: { things } }) => `{"features":${things?.count}}` },
        "none.txt": { render: () => undefined },
        blob: { type: "application/octet-stream", cache: "no-store", render: () => Uint8Array.of(1, 2, 3) },
        "exports/{product}/{name}/release.csv": {
          each: "releases",
          render: ({ product, name }, { title }) => `${title}\r\n${product},${name}\r\n`,
        },
        [`${outside(base)}/things/{id}.json`]: {
          each: "things",
          cache: "public, max-age=600",
          render: (thing) => (thing.id % 3 === 0 ? undefined : JSON.stringify(thing)),
        },
        // Its paths have the form of those before it.
        [`${outside(base)}/things/{id}.min.json`]: {
          each: "things",
          type: "application/vnd.thing+json",
          render: ({ id }) => String(id),
        },
        [`${outside(base)}/things/all.json`]: {
          cache: "no-store",
          render: ({ collections: { things = [] } }) => JSON.stringify([...things]),
        },
        // Below the items of a list without addresses, of a deprecated one, and of one with odd keys, some below one another.
        "releases/{product}/{name}/notes": {
          each: "releases",
          type: "text/plain",
          render: ({ name }) => `# ${name}\n`,
        },
        "releases/{product}/{name}/notes/1": {
          each: "releases",
          type: "application/json",
          cache: "no-store",
          render: ({ name }) => (name === "20" ? undefined : JSON.stringify(name)),
        },
        "default/{id}/note.txt": { each: "default", render: ({ id }) => id },
        "things/{id}/5": { each: "things", type: "application/vnd.thing+json", render: ({ id }) => `[${id}]` },
        "words/{word}/cards/a.html": { each: "words", render: ({ word }) => `<p>${word}</p>` },
        "words/{word}/limit": { each: "words", type: "image/svg+xml", render: () => "<svg/>" },
        "embed.html": { render: ({ title }) => `<p>${title}</p>` },
        "embeds/{word}/index.html": { each: "words", render: ({ word }) => `<p>${word}</p>` },
        [`${outside(base)}/things/{id}.html`]: {
          each: "things",
          render: ({ id }) => (id < 5 ? `<p>${id}</p>` : undefined),
        },
        [`${outside(base)}.html`]: { render: () => "<p>Old</p>" },
        [`${outside(base)}/words/of-{word}.txt`]: { each: "words", render: ({ word }) => word },
        [`${outside(base)}.ics`]: { render: () => "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" },
      },
    }),
  );

export const everything = everythingAt("/api/v1.0");

const content: Readonly<Record<string, readonly object[]>> = {
  ...singleItemsContent,
  things: Array.from({ length: 130 }, (_, id) => ({
    id,
    region: id % 3 === 0 ? "eu" : "us",
    run_by: [null, "acme", "x.y", "-"][id % 4] ?? null,
    zone: `z${id % 5}`,
  })),
  default: ["x_y", "1.0", "-1"].map((kind, index) => ({ id: `f${index}`, kind, of: "acme" })),
  "default-2": [{ id: "f0", kind2: "a" }],
  [longest]: [1, 2, 3].flatMap((a) => ["p", "q"].map((b) => ({ a, b, c: a === 2 }))),
  exhibits: [
    { id: "e0", photo: "front.png", papers: ["papers/one.pdf", "papers/notes.txt", "papers/LICENSE"] },
    { id: "e1", photo: "photos/a.jpg", papers: [] },
    { id: "e2", photo: "photos/2026/x..y.JPG", papers: ["papers/one.pdf", "papers/two/one.pdf", "papers/data.json"] },
    { id: "e3", photo: "photos/2026/b.svg", papers: ["papers/a.tar.gz"] },
    { id: "e4", photo: "photos/2026/b.min.png", papers: [] },
  ],
};

/** The files that items name, by path below content/. */
export const namedFiles: Readonly<Record<string, { readonly type: string; readonly bytes: Uint8Array }>> = {
  "front.png": { type: "image/png", bytes: pictures.png },
  "photos/a.jpg": { type: "image/jpeg", bytes: pictures.jpeg },
  "photos/2026/x..y.JPG": { type: "image/jpeg", bytes: pictures.turned },
  "photos/2026/b.svg": { type: "image/svg+xml", bytes: pictures.scripted },
  "photos/2026/b.min.png": { type: "image/png", bytes: pictures.png },
  "papers/one.pdf": { type: "application/pdf", bytes: Buffer.from("%PDF-1.7\n\0\xff", "latin1") },
  "papers/two/one.pdf": { type: "application/pdf", bytes: Buffer.from("%PDF-1.4\n") },
  "papers/notes.txt": { type: "text/plain; charset=utf-8", bytes: Buffer.from("Über ☃\r\n") },
  "papers/data.json": { type: "application/json", bytes: Buffer.from("[1]") },
  "papers/LICENSE": { type: "application/octet-stream", bytes: Buffer.from("MIT") },
  "papers/a.tar.gz": { type: "application/gzip", bytes: gzipSync("text") },
};

/** Files below content/ that no item names. They are not published. */
export const unnamedFiles = ["unnamed.png", "photos/unnamed.jpg", "photos/2026/unnamed.JPG"];

/** Writes the content into a folder, with further lines of api.yaml. */
export function writeEverything(folder: string, settings = ""): void {
  const few = ["products", "releases", "words", "vendors"].map((name) => `${name}: [5, 100]`).join(", ");
  const sizes = `page_sizes: { things: [5, 25, 100], ports: every, ${few} }\npaging: { things: stable }\n`;
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  writeFileSync(path.join(folder, "api.yaml"), sizes + settings);
  const operations = [...Object.keys(content), "health"];
  writeFileSync(path.join(folder, "deployments/edge.json"), JSON.stringify({ operations, health: { works: true } }));
  for (const [name, items] of Object.entries(content)) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(items));
  }
  const unnamed = unnamedFiles.map(
    (name) => [name, { bytes: name.endsWith("png") ? pictures.png : pictures.jpeg }] as const,
  );
  for (const [name, { bytes }] of [...Object.entries(namedFiles), ...unnamed]) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  }
}
