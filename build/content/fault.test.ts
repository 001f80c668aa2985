import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { reference } from "../../src/declare/marks.ts";
import { discovered } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";
import { compileContent } from "./content.ts";

const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({ id: slug, size: z.int(), like: reference("things").nullable() }),
  key: "id",
  files: "*.ndjson",
});
const api = completeApi(defineApi({ collections: { things } }));

const numbers = Array.from({ length: 3_000 }, (_, number) => number);

const linesOf = (item: (number: number) => object): string =>
  numbers.map((number) => JSON.stringify({ id: `a${number}`, size: 1, like: null, ...item(number) })).join("\n");

it.each([
  ["refused values", (number: number) => ({ size: `${number}` }), "wrong-type", { count: 2_000 }],
  ["refused values with two faults each", () => ({ more: 1, extra: 2 }), undefined, { count: 2_500 }],
  [
    "values that are right, between refused ones",
    (n: number) => ({ size: n % 2 ? n : "x" }),
    undefined,
    { count: 500 },
  ],
  ["repeated keys", () => ({ id: "a" }), "not-unique", { code: "not-unique", count: 1_999 }],
  ["unknown references", () => ({ like: "none" }), "no-such-item", { code: "no-such-item", count: 2_000 }],
])("of a file with thousands of %s, the first thousand faults are told", (_, item, code, omitted) => {
  const [, shown, counts] = compileContent(discovered({ "b.ndjson": linesOf(item) }), api);
  expect(counts).toEqual([{ file: "b.ndjson", ...omitted }]);
  expect(shown.length).toBeGreaterThanOrEqual(1_000);
  if (code !== undefined) expect(new Set(shown.map((each) => each.code))).toEqual(new Set([code]));
});

it("a file with thousands of faults hides none of another file, nor a reference to its items", () => {
  const tree = {
    "a.ndjson": linesOf(() => ({ size: "x" })),
    "b.ndjson": JSON.stringify({ id: "b", size: 1, like: "a2999" }),
    "c.ndjson": JSON.stringify({ id: "c", size: "x", like: "a3000" }),
  };
  const [, shown] = compileContent(discovered(tree), api);
  const others = shown.filter(({ file }) => file !== "a.ndjson").map(({ file, code }) => `${file} ${code}`);
  expect(others).toEqual(["c.ndjson wrong-type", "c.ndjson no-such-item"]);
});
