import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../src/declare.ts";
import { slug } from "../../src/forms.ts";
import { faultsOf } from "../../test/content/folder.ts";

const faultsIn = (items: readonly object[], declaration: Pick<CollectionDeclaration, "schema" | "key" | "item">) => {
  const things = defineCollection({ purpose: "Things.", ...(declaration as object) } as never);
  const api = completeApi(defineApi({ collections: { things } }));
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join("");
  return faultsOf({ "things.ndjson": text }, [], undefined, api).map((line) => line.replace(/^\S+:(\d+):\d+ /, "$1 "));
};

const part = "must be a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ ~ -, and no dot at the start";

it.each(["[x]", "[1]", "{}"])("refuses another name that is no part of a path, such as the text %s", (alias) => {
  const schema = z.strictObject({ id: slug, alias: z.string() });
  expect(faultsIn([{ id: "a", alias }], { schema, key: "id", item: { aliases: "alias" } })).toEqual([
    `1 wrong-value alias ${part}, but is "${alias}".`,
  ]);
});

it("accepts a key whose name starts with a hyphen", () => {
  expect(faultsIn([{ "-id": "b" }, { "-id": "a" }], { schema: z.strictObject({ "-id": slug }), key: "-id" })).toEqual(
    [],
  );
});

it.each(["", "a".repeat(300)])("refuses a key that no file can have as its name: %j", (id) => {
  const schema = z.strictObject({ id: z.string().regex(/^[a-z]*$/) });
  expect(faultsIn([{ id }, { id: "a" }], { schema, key: "id" })).toEqual([
    expect.stringContaining(
      "1 wrong-value id must be a key of 1 to 200 characters, for it is the name of a file, but is ",
    ),
  ]);
});

it.each<[string, z.ZodType, string]>([
  ["async", z.string().refine(async () => true), "A check of the schema is async, but items are checked at once."],
  [
    "a failing one",
    z.string().refine(() => {
      throw new Error("No service.");
    }),
    "A check of the schema fails: No service.",
  ],
])("reports a check of the declaration at the item if it is %s", (_, v, message) => {
  expect(faultsIn([{ id: "a", v: "x" }], { schema: z.strictObject({ id: slug, v }), key: "id" })).toEqual([
    expect.stringContaining(`1 not-made ${message}`),
  ]);
});

it.each([
  ["http://a\nb", "http://ab"],
  [" http://a ", "http://a"],
])("refuses a value that its schema would change: %j", (url, published) => {
  expect(faultsIn([{ id: "a", url }], { schema: z.strictObject({ id: slug, url: z.url() }), key: "id" })).toEqual([
    `1 wrong-value url must be written as it is published: "${published}", but is ${JSON.stringify(url)}.`,
  ]);
});
