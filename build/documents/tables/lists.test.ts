// The links from a table to the tables of all lists, the data set for search engines, and the columns.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/index.ts";
import { documentsIn, planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const things = defineCollection({ purpose: "Things.", schema: z.strictObject({ id: z.string() }), key: "id" });

it.each([
  [1, "none"],
  [2, "a row"],
  [8, "a row"],
  [9, "a menu"],
])("of %i lists are %s", async (count, form) => {
  const names = Array.from({ length: count }, (_, index) => `list-${index}`);
  for (const name of names) writeFileSync(path.join(folder, `${name}.json`), "[]");
  const api = completeApi(defineApi({ collections: Object.fromEntries(names.map((name) => [name, things])) }));
  const documents = documentsIn(await planOf(folder, api));
  const table = documents.find((document) => document.path === "/api/v1/docs/data/list-0");
  const text = Buffer.concat([...(table?.parts() ?? [])]).toString();
  const [, links = ""] = /<nav class="lists" aria-label="Lists">(.*?)<\/nav>/s.exec(text) ?? [];
  const hrefs = [...links.matchAll(/<a href="([^"]*)"( aria-current="page")?>/g)].map(([, href, current]) => [
    href,
    current,
  ]);
  expect(hrefs).toEqual(
    form === "none"
      ? []
      : names.map((name, index) => [`/api/v1/docs/data/${name}`, index === 0 ? ' aria-current="page"' : undefined]),
  );
  expect(links.includes('<details class="menu"')).toBe(form === "a menu");
});

/** The table of things, by the settings. */
async function tableOfThings(name: string): Promise<(settings: object) => string> {
  const content = path.join(folder, name);
  mkdirSync(content);
  writeFileSync(path.join(content, "things.json"), '[{ "id": "a" }]');
  const described = defineCollection({ ...things.declaration, purpose: "Things </script> of all kinds." });
  const api = completeApi(defineApi({ collections: { things: described } }));
  const plan = await planOf(content, api);
  return (settings) => {
    const table = documentsIn(plan, { settings }).find((document) => document.path === "/api/v1/docs/data/things");
    return Buffer.concat([...(table?.parts() ?? [])]).toString();
  };
}

it("is described to search engines if the address and the license are known", async () => {
  const tableOf = await tableOfThings("described");
  const url = "https://api.example.com";
  const license = { name: "CC0", url: "https://creativecommons.org/publicdomain/zero/1.0/" };
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(tableOf({ url, license })) ?? [];
  expect(JSON.parse(json)).toEqual({
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: "Things – API",
    description: "Things </script> of all kinds.",
    url: `${url}/api/v1/docs/data/things`,
    license: license.url,
    distribution: [
      {
        "@type": "DataDownload",
        encodingFormat: "application/x-ndjson",
        contentUrl: `${url}/api/v1/dumps/things.ndjson`,
      },
    ],
  });
  expect(tableOf({ url })).not.toContain("ld+json");
  expect(tableOf({ license })).not.toContain("ld+json");
});

it("begins at its right edge in a language that is written from right to left, below a purpose that begins at the left", async () => {
  const tableOf = await tableOfThings("directed");
  const arabic = tableOf({ language: "ar" });
  expect(arabic).toMatch(/<div class="scroll"[^>]* dir="rtl">\n<table class="items">/);
  expect(arabic).toContain('<p class="lead"><span lang="ar" dir="rtl">Things ');
  expect(tableOf({ language: "de" })).not.toContain('dir="rtl"');
});

it("has numbers within objects at their end, also if they have the name of the key", async () => {
  const content = path.join(folder, "nested");
  mkdirSync(content);
  writeFileSync(path.join(content, "rooms.json"), '[{ "id": 1, "floor": { "id": 2, "side": "north" } }]');
  const floor = z.strictObject({ id: z.int(), side: z.enum(["south", "north"]) });
  const rooms = defineCollection({ purpose: "Rooms.", schema: z.strictObject({ id: z.int(), floor }), key: "id" });
  const api = completeApi(defineApi({ collections: { rooms } }));
  const table = documentsIn(await planOf(content, api)).find((document) => document.path.endsWith("/data/rooms"));
  const text = Buffer.concat([...(table?.parts() ?? [])]).toString();
  const heads = [...text.matchAll(/<th scope="col"( class="number")?><a[^>]*>(.*?)<\/a>/g)];
  expect(heads.map(([, number, head]) => [head, number !== undefined])).toEqual([
    ["id", false],
    ["floor.id", true],
    ["floor.side", false],
  ]);
  expect(text).toContain(
    "&quot;path&quot;:&quot;floor.side&quot;,&quot;words&quot;:[&quot;south&quot;,&quot;north&quot;]",
  );
});
