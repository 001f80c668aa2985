// The links from a table to the tables of all lists.
import { rmSync, writeFileSync } from "node:fs";
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
