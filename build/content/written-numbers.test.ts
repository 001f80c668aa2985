import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { compileContent, lineOf } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { noProgram } from "../declaration/program.ts";
import { openLog } from "../messages.ts";
import { loadToml } from "./formats/toml.ts";

const schema = z.strictObject({
  id: slug,
  latest: z.number().optional(),
  count: z.int().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  tags: z.array(z.number()).optional(),
  prices: z.record(z.string(), z.number()).optional(),
  name: z.string().optional(),
  more: z.unknown().optional(),
});
const purpose = "Things.";
const things = defineCollection({ purpose, schema, key: "id" });
const withCommas = defineCollection({
  purpose,
  schema,
  key: "id",
  files: { match: "things.csv", delimiter: ";", decimal: "," },
});
const made = defineCollection({
  purpose,
  schema,
  key: "id",
  transform: ({ version, ...raw }) => ({ ...raw, ...(version !== undefined && { name: String(version) }) }),
});

function messagesOf(tree: Tree, collection = things) {
  const log = openLog();
  compileContent(discovered(tree), completeApi(defineApi({ collections: { things: collection } }), noProgram), log);
  return log.messages().shown.map(lineOf);
}

const warning = (at: string, field: string, written: string, value: number) =>
  `${inCell(at, field, written, value).slice(0, -1)}, and write "${written}".`;

const inCell = (at: string, field: string, written: string, value: number, right = String(value)) =>
  `${at} altered-number ${field} is the number ${written}, which is published as ${value}. Write ${right}. If ${written} is a version or a code, declare a string.`;

it.each<readonly [expected: readonly string[], tree: Tree]>([
  [[warning("things.yaml:1:20", "latest", "3.10", 3.1)], { "things.yaml": "- { id: a, latest: 3.10 }" }],
  [[warning("things.yaml:1:20", "latest", "1.0", 1)], { "things.yaml": "- { id: a, latest: 1.0 }" }],
  [[warning("things.yaml:2:10", "count", "012", 12)], { "things.yaml": "- id: a\n  count: 012 # twelve\n" }],
  [[warning("things.yaml:3:6", "count", "0x1F", 31)], { "things.yaml": "- id: a\n  count:\n     0x1F\n" }],
  [[warning("things.yaml:1:17", "count", "0o17", 15)], { "things.yaml": "[{id: a, count: 0o17}]" }],
  [
    [warning("things/a.md:2:8", "count", "007", 7)],
    { "things/a.md": "---\ncount: 007\nid: a\n---\nText.".replace("Text.", "") },
  ],
  [[inCell("things.csv:2:3", "latest", "3.10", 3.1)], { "things.csv": "id,latest\na,3.10\nb,3.9\n" }],
  [[warning("things.yaml:1:21", "latest", "3.10", 3.1)], { "things.yaml": '[{"id":"a","latest":3.10}]' }],
  [[warning("things.yaml:1:23", "latest", "3.10", 3.1)], { "things.yaml": "- { id: a, latest: &x 3.10 }" }],
  [[warning("things.yaml:1:28", "latest", "3.10", 3.1)], { "things.yaml": "- { id: a, latest: !!float 3.10 }" }],
  [[warning("things.yaml:3:4", "count", "012", 12)], { "things.yaml": "- id: a\n  count: # twelve\n   012\n" }],
  [[warning("things.yaml:1:26", "more.zip[0]", "012", 12)], { "things.yaml": "- { id: a, more: { zip: [012] } }" }],
  [
    [warning("things.yaml:1:20", "latest", "3.10", 3.1)],
    { "things.yaml": "- { id: a, latest: 3.10 }\n- { id: b, latest: 3.9 }\n- { id: c, latest: 1.20 }" },
  ],
  [[warning("things.yaml:1:20", "tags[1]", "2.0", 2)], { "things.yaml": "- {id: a, tags: [1,2.0,3.0]}" }],
  [
    [warning("things.yaml:1:23", "prices.a", "1.50", 1.5)],
    { "things.yaml": "- {id: a, prices: {a: 1.50, b: 2.5, c: 0.10}}" },
  ],
  [
    [warning("things/a.yaml:1:17", "latest", "1.10", 1.1)],
    { "things/a.yaml": "{id: a, latest: 1.10}", "things/b.yaml": "{id: b, latest: 1.5}" },
  ],
])("warns once of a field with %j", (expected, tree) => {
  expect(messagesOf(tree)).toEqual(expected);
});

it.each<Tree>([
  { "things.yaml": "- { id: a, latest: 12.50 }\n- { id: b, latest: 3.00 }" },
  { "things.csv": "id,latest\na,12.50\nb,3.00\n" },
  { "things/a.yaml": "{id: a, latest: 1.10}", "things/b.yaml": "{id: b, latest: 1.55}" },
  { "things.yaml": "- { id: a, latest: 0.5, count: 0, tags: [0, -1, 1e3, 100, 10] }" },
  { "things.yaml": '- { id: a, either: "3.10", name: version 3.10 }\n- { id: b, name: "012" }' },
  { "things.csv": "id,either\na,3.10\nb,x\n" },
  { "things.json": '[{"id":"a","latest":3.10}]' },
])("does not warn of %j", (tree) => {
  expect(messagesOf(tree)).toEqual([]);
});

it("suggests a number with the sign before decimals that the file has", () => {
  expect(messagesOf({ "things.csv": "id;latest\na;3,10\n" }, withCommas)).toEqual([
    inCell("things.csv:2:3", "latest", "3,10", 3.1, "3,1"),
  ]);
});

it("is no second message about a number in place of a text", () => {
  expect(messagesOf({ "things.yaml": "- { id: a, name: 3.10 }" })).toEqual([
    'things.yaml:1:18 wrong-type name must be a string, but is the number 3.10. Put it in quotes: "3.10".',
  ]);
});

it("warns of a number that only a transform gets", () => {
  expect(messagesOf({ "things.yaml": "- { id: a, version: 3.10 }" }, made)).toEqual([
    warning("things.yaml:1:21", "version", "3.10", 3.1),
  ]);
});

it("warns of a cell that a transform leaves to be read as a number", () => {
  expect(messagesOf({ "things.csv": "id,latest,version\na,3.10,3.10\n" }, made)).toEqual([
    inCell("things.csv:2:3", "latest", "3.10", 3.1),
  ]);
});

it("warns of numbers in TOML, also in front matter", async () => {
  await loadToml();
  expect(
    messagesOf({
      "things/a.toml": 'id = "a"\nlatest = 3.10\n',
      "things/b.toml": 'id="b"\nprices={ x=2.50, y=7 }\n',
      "things/c.md": '+++\nid = "c"\ncount = 0x1F # 1\n+++\n',
    }),
  ).toEqual([
    warning("things/a.toml:2:10", "latest", "3.10", 3.1),
    warning("things/b.toml:2:12", "prices.x", "2.50", 2.5),
    warning("things/c.md:3:9", "count", "0x1F", 31),
  ]);
});
