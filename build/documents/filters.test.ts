import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { reference } from "../../src/marks.ts";
import { buildForTest } from "../../test/check/built.ts";
import { temporaryFolder } from "../../test/documents/source.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const groups = defineCollection({
  purpose: "Groups.",
  schema: z.strictObject({ key: z.string(), name: z.string() }),
  key: "key",
});
const icons = defineCollection({
  purpose: "Icons.",
  noun: { one: "icon", many: "icons" },
  schema: z.strictObject({ id: z.string(), group: reference("groups"), is_new: z.boolean() }),
  key: "id",
  filters: { group: "group", new: "is_new", letter: ({ id }) => id[0] },
  together: [["group", "letter"]],
});

it("lists the values of filters with their counts and names, and errors name it", async () => {
  const content = path.join(folder, "content");
  mkdirSync(content);
  writeFileSync(path.join(content, "api.yaml"), "page_sizes: [10, 100]\n");
  writeFileSync(path.join(content, "groups.json"), '[{"key":"a","name":"All"},{"key":"b","name":"Both"}]');
  const items = ["cursor", "cat", "item"].map((id) => ({ id, group: "b", is_new: id === "cat" }));
  writeFileSync(path.join(content, "icons.json"), JSON.stringify(items));
  const dist = path.join(folder, "dist");
  await buildForTest(content, dist, [], completeApi(defineApi({ collections: { groups, icons } })));
  const read = (file: string) => JSON.parse(readFileSync(path.join(dist, "api/v1", file), "utf8"));
  expect(read("filters/icons.json")).toEqual({
    object: "filters",
    filters: [
      {
        param: "group",
        values: [
          { value: "a", count: 0, name: "All" },
          { value: "b", count: 3, name: "Both" },
        ],
      },
      {
        param: "new",
        values: [
          { value: "false", count: 2 },
          { value: "true", count: 1 },
        ],
      },
      {
        param: "letter",
        values: [
          { value: "c", count: 2 },
          { value: "i", count: 1 },
        ],
      },
    ],
    together: [["group", "letter"]],
    page_sizes: [10, 100],
  });
  expect(() => read("filters/groups.json")).toThrow("ENOENT");
  const messageOf = (param: string) => read(`errors/icons/invalid_${param}.json`).message;
  expect(messageOf("group")).toBe("group must be the key of an item of groups listed at /api/v1/groups.");
  expect(messageOf("new")).toBe("new must be false or true.");
  expect(messageOf("letter")).toBe(
    "letter must be the letter of an icon: one of the values listed at /api/v1/filters/icons.json.",
  );
  // Keys and values may be words that paths have.
  expect(read("icons/letter/c.json").data).toHaveLength(2);
});
