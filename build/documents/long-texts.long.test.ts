// Texts that are longer than the stack of an expression, in everything that a build makes of them.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { planOf, temporaryFolder } from "../../test/documents/source.ts";
import { completeApi } from "../declaration/complete.ts";
import { tokensOf } from "./frame/code.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const length = 16_000_000;

it.each([
  ["letters", "y".repeat(length)],
  ["emoji", "😀".repeat(length / 2)],
  ["an address", `a@a${".a".repeat(length / 2)}`],
])("documents an item with a text of 16 MB, %s, without giving it as an example", async (_, text) => {
  const things = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ id: z.string(), text: z.string().min(1) }),
    key: "id",
    item: true,
  });
  writeFileSync(path.join(folder, "things.json"), JSON.stringify([{ id: "a", text }]));
  writeFileSync(path.join(folder, "api.yaml"), "page_sizes: [100]\n");
  const { documents } = await planOf(folder, completeApi(defineApi({ collections: { things } })));
  const sizes = new Map(documents.map((document) => [document.path, Buffer.concat([...document.parts()]).length]));
  for (const name of ["openapi.json", "docs/"]) {
    const size = sizes.get(`/api/v1/${name}`) ?? 0;
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThan(1_000_000);
  }
  expect(sizes.get("/api/v1/dumps/things.ndjson")).toBeGreaterThan(length);
});

it.each(["y", '"', "\\", "\n", "😀"])("colours a text of 16 MB of %j", (unit) => {
  const text = JSON.stringify(unit.repeat(16_000_000 / unit.length));
  const tokens = tokensOf(`{"a" : ${text},"b":[1,null]}`).map((token) => [token.kind, token.text]);
  expect(tokens.filter(([, shown]) => shown !== text)).toEqual([
    [undefined, "{"],
    ["k", '"a" :'],
    [undefined, " "],
    [undefined, ","],
    ["k", '"b":'],
    [undefined, "["],
    ["n", "1"],
    [undefined, ","],
    ["l", "null"],
    [undefined, "]}"],
  ]);
  expect(tokens[3]?.[0]).toBe("s");
  expect(tokens[3]?.[1] === text).toBe(true);
});
