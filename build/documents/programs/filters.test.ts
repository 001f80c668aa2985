// How filters are described: how they can be sent, alone and together, and their values.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference as referenceTo } from "../../../src/declare/marks.ts";
import { planOf, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";
import { bytesOf } from "../../files/file.ts";
import type { Site } from "../describe/site.ts";
import { referenceStart } from "../reference/reference.ts";
import { filterDocuments } from "./filters.ts";
import { openapi } from "./openapi.ts";

const folder = temporaryFolder();
let source: Site;
let page: string;

const schema = z.strictObject({ id: slug, size: z.enum(["low", "high"]), wild: z.boolean(), rare: z.boolean() });
const filters = { size: "size", wild: "wild", rare: "rare" } as const;

beforeAll(async () => {
  const trees = defineCollection({ purpose: "Trees.", schema, key: "id", filters, together: [["size", "wild"]] });
  const shrubs = defineCollection({ purpose: "Shrubs.", schema, key: "id", filters: { size: "size" }, paged: false });
  mkdirSync(folder, { recursive: true });
  const item = { id: "oak", size: "high", wild: true, rare: false };
  for (const name of ["trees", "shrubs"]) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(item));
  const api = completeApi(defineApi({ base: "/garden", collections: { trees, shrubs } }));
  source = siteOf(await planOf(folder, api));
  page = text(referenceStart(source));
});

afterAll(() => rmSync(folder, { recursive: true }));

const text = (html: unknown): string =>
  String(html)
    .replace(/<a href="#[^"]*">(<code>.*?)<\/a>/g, "$1")
    .replace(/<\/?code>/g, "`");

it("tells how each filter can be sent", () => {
  expect([...page.matchAll(/Can(?:not)? be combined with .*?\./g)].map(([sentence]) => sentence)).toEqual([
    "Can be combined with `wild`.",
    "Can be combined with `size`.",
    "Cannot be combined with other filters.",
  ]);
  expect(page).toContain("rare cannot be combined with other filters.");
  expect(page).toContain("Repeat the filters with every cursor");
});

it("names the values of an enum or boolean, because items may not have all of them", () => {
  expect(page).toContain("Returns only the items with this `size`: low or high.");
  expect(page).toContain("Returns only the items with this `wild`: false or true.");
});

it("has one form for each list, with the filters that can be sent together", () => {
  const forms = [...page.matchAll(/<form class="console"[^>]*>[\s\S]*?<\/form>/g)].map(String);
  expect(forms.length).toBe(2);
  expect(forms[0]).toContain(
    'data-combinations="size wild rare size,wild" data-preset="size=high&amp;wild=true&amp;limit=2"',
  );
  const names = forms.map((form) => [...form.matchAll(/ name="(\w+)"/g)].map(([, name]) => name));
  expect(names).toEqual([["size", "wild", "rare", "limit"], ["size"]]);
  expect(forms[1]).toContain('<select name="size">\n<option value="" disabled selected>any</option>');
});

it("has no version if the base has none", () => {
  expect(page).toContain("Every path starts with `/garden`.");
  expect(page).not.toContain("The version is part of every path");
});

it("is in OpenAPI, with both errors of a parameter", () => {
  const { info, paths } = JSON.parse(JSON.stringify(openapi(source)));
  expect(info.version).toBe("1");
  const { parameters, responses } = paths["/garden/trees"].get;
  const { description } = parameters.find(({ name }: { name: string }) => name === "wild");
  expect(description).toContain("Can be combined with `size`.");
  const examples = responses["400"].content["application/json"].examples;
  expect(Object.keys(examples)).toEqual([
    "invalid_limit",
    "invalid_size",
    "invalid_wild",
    "invalid_rare",
    "together_rare",
    "invalid_cursor",
  ]);
});

const groups = defineCollection({
  purpose: "Groups.",
  schema: z.strictObject({ key: z.string(), name: z.string() }),
  key: "key",
});
const icons = defineCollection({
  purpose: "Icons.",
  noun: { one: "icon", many: "icons" },
  schema: z.strictObject({ id: z.string(), group: referenceTo("groups"), is_new: z.boolean() }),
  key: "id",
  filters: { group: "group", new: "is_new", letter: ({ id }) => id[0] },
  together: [["group", "letter"]],
});

const counted = (value: string, count: number, name?: string) => ({ value, count, ...(name && { name }) });

it("lists the values of filters with their counts and names, and errors name it", async () => {
  const content = path.join(folder, "icons");
  mkdirSync(content);
  writeFileSync(path.join(content, "api.yaml"), "page_sizes: [10, 100]\n");
  writeFileSync(path.join(content, "groups.json"), '[{"key":"a","name":"All"},{"key":"b","name":"Both"}]');
  const items = ["cursor", "cat", "item"].map((id) => ({ id, group: "b", is_new: id === "cat" }));
  writeFileSync(path.join(content, "icons.json"), JSON.stringify(items));
  const plan = await planOf(content, completeApi(defineApi({ collections: { groups, icons } })));
  const read = (file: string) => {
    const found = plan.files.find(`api/v1/${file}`);
    return found && JSON.parse(bytesOf(found).toString());
  };
  expect(read("filters/icons.json")).toEqual({
    object: "filters",
    total: 3,
    filters: [
      { param: "group", values: [counted("a", 0, "All"), counted("b", 3, "Both")] },
      { param: "new", values: [counted("false", 2), counted("true", 1)] },
      { param: "letter", values: [counted("c", 2), counted("i", 1)] },
    ],
    together: [["group", "letter"]],
    combinations: [
      {
        params: ["group", "letter"],
        counts: [
          { values: ["b", "c"], count: 2 },
          { values: ["b", "i"], count: 1 },
        ],
      },
    ],
    page_sizes: [10, 100],
  });
  const messageOf = (param: string) => read(`errors/icons/invalid_${param}.json`).message;
  expect(messageOf("group")).toBe("group must be the key of an item of groups listed at /api/v1/groups.");
  expect(messageOf("new")).toBe("new must be false or true.");
  expect(messageOf("letter")).toBe(
    "letter must be the letter of an icon: one of the values listed at /api/v1/filters/icons.json.",
  );
  // Keys and values may be words that paths have.
  expect(read("icons/letter/c.json").data).toHaveLength(2);
});

it("describes the values of references that lead nowhere beside the keys", async () => {
  const below = path.join(folder, "open");
  mkdirSync(below);
  const makers = defineCollection({
    purpose: "M.",
    schema: z.strictObject({ id: z.int(), name: z.string() }),
    key: "id",
  });
  const parts = defineCollection({
    purpose: "P.",
    schema: z.strictObject({ id: slug, maker: referenceTo<number>("makers", { missing: "warn" }) }),
    key: "id",
    filters: { maker: "maker" },
  });
  writeFileSync(path.join(below, "makers.csv"), "id,name\n2,Two\n");
  writeFileSync(path.join(below, "parts.csv"), "id,maker\na,2\nb,9\n");
  const open = siteOf(await planOf(below, completeApi(defineApi({ collections: { makers, parts } }))));
  const document = filterDocuments(open).find(({ path: of }) => of.endsWith("/parts.json"));
  expect(document && JSON.parse(bytesOf(document).toString()).filters).toEqual([
    {
      param: "maker",
      values: [
        { value: "2", count: 1, name: "Two" },
        { value: "9", count: 1 },
      ],
    },
  ]);
  expect(text(referenceStart(open))).toContain('<a href="/api/v1/parts?maker=9">`9`</a>');
});
