// Mistakes of authors, each with its whole report: the fault, the repair, and nothing that follows from it.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, type Transform } from "../../src/declare/declare.ts";
import { count, decimal, flag, orNull, slug, time } from "../../src/declare/forms.ts";
import { faultsOf, rightTree, type Tree } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";

const schema = z.strictObject({
  id: slug,
  price: decimal(0, 1000, "a number from 0 to 1000").optional(),
  fresh: flag.optional(),
  grade: z.enum(["Y", "N"]).optional(),
  plu: z.int().optional(),
  few: z.int().min(1).optional(),
  stock: orNull(count).optional(),
  until: orNull(time).optional(),
  body: z.string().optional(),
});

const faultsIn = (tree: Tree, transform?: Transform): readonly string[] => {
  const noun = { one: "price", many: "prices" };
  const given = { purpose: "Prices.", noun, schema, key: "id", ...(transform && { transform }) };
  const prices = defineCollection(given as never);
  return faultsOf(tree, {}, undefined, completeApi(defineApi({ collections: { prices } })));
};

/** The only fault of a field, without its place and code; empty if there is none. */
const faultOf = (field: string, json: string): string => {
  const [fault = "", ...others] = faultsIn({ "prices/a.json": `{"id":"a","${field}":${json}}` });
  expect(others).toEqual([]);
  return fault.replace(/^\S+ \S+ /, "");
};

it.each([
  ["plu", "12345678901234567890", "an integer from -9007199254740991 to 9007199254740991"],
  ["plu", "9007199254740992", "an integer from -9007199254740991 to 9007199254740991"],
  ["plu", "1.5", "an integer"],
  ["few", "12345678901234567890", "an integer from 1 to 9007199254740991"],
  ["few", "0", "an integer of at least 1"],
  ["grade", '"5"', '"Y" or "N"'],
  ["stock", "-1", "an integer from 0 to 9007199254740991, or null"],
  ["stock", "[]", "an integer that is not negative, or null"],
  ["until", '"2026-02-30T00:00:00Z"', "a UTC time to the second, such as 2026-11-20T09:00:00Z, or null"],
  ["price", "1e400", "a number from 0 to 1000"],
  ["price", "9007199254740993", "a number from 0 to 1000"],
])("%s: %s is none of what the form accepts", (field, json, expected) => {
  expect(faultOf(field, json)).toContain(`${field} must be ${expected}, but is `);
});

it.each(["0", "0.10", "0.30000000000000004", "0.1234567890123456789", "10.00E-2", "1e-400", "-0.0"])(
  "a number may be %s in every format",
  (number) => {
    const trees = {
      "prices.json": `{"id":"a","price":${number}}`,
      "prices.ndjson": `{"id":"a","price":${number}}`,
      "prices.yaml": `id: a\nprice: ${number}`,
      "prices.csv": `id,price\na,${number}`,
    };
    for (const [file, text] of Object.entries(trees)) expect(faultsIn({ [file]: text })).toEqual([]);
  },
);

it.each([
  ["price", '"29.5"', " Leave the quotes out: 29.5."],
  ["price", '"5e-1"', " Leave the quotes out: 5e-1."],
  ["price", '"1,250"', ""],
  ["price", '"010"', ""],
  ["fresh", '"TRUE"', " Leave the quotes out: true."],
  ["grade", '" Y"', ' Write "Y".'],
  ["grade", '"y"', ' Did you mean "Y"?'],
  ["body", "7", ' Put it in quotes: "7".'],
])("the value of %s %s gets the repair%s", (field, json, hint) => {
  expect(/, but is [^.]*(?:\.\d+)?"?\.(.*)$/.exec(faultOf(field, json))?.[1]).toBe(hint);
});

it("the cell of a table gets a repair without quotes", () => {
  expect(faultsIn({ "prices.csv": "id,price\na, 7\n" })).toEqual([
    'prices.csv:2:3 wrong-type price must be a number from 0 to 1000, but is " 7". Write 7.',
  ]);
});

it.each([
  ["7,5", " Write 7.5. If all numbers of a CSV file have commas, set its option decimal."],
  ["1,250", ""],
])("the cell %s of a table may have a decimal comma", (cell, hint) => {
  expect(faultsIn({ "prices.tsv": `id\tprice\na\t${cell}\n` })).toEqual([
    `prices.tsv:2:3 wrong-type price must be a number from 0 to 1000, but is "${cell}".${hint}`,
  ]);
});

it.each([
  ["prices.csv", "Remove it, or write a header: the names of the fields, separated by commas."],
  ["prices.md", "Remove it, or write the fields between two lines ---, and the text below them."],
  ["prices.ndjson", "Remove it, or write its items into it, one a line."],
  ["prices.json", "Remove it, or write its items into it; [] means none."],
])("the empty file %s may get content of its format", (file, hint) => {
  expect(faultsIn({ [file]: " \n" })).toEqual([`${file}:1:1 empty-file The file is empty. ${hint}`]);
});

it.each([
  ["id,prise\na,1\n", ['1:4 unknown-field A price has no field "prise". Did you mean "price"?']],
  ["id,price\na\nA b,1\n", ["2:1 syntax This is not valid CSV", "3:1 wrong-value id must be"]],
  [
    "id;price\na;1\n",
    [
      '1:1 syntax This is not valid CSV: its cells are separated by semicolons, not by commas. To read it as it is, write files: { match: "prices", delimiter: ";" } in the declaration.',
    ],
  ],
  ["id,__proto__,constructor\na,b,c\n", ['1:4 unknown-field A price has no field "__proto__"', "1:14 unknown-field"]],
  [
    "1,Goroka,5282\n2,Madang,20\n",
    [
      "1:1 unknown-field The first row names no field of a price. Does the file have a header? Its first row must name the fields, such as id, price, fresh, grade, plu, few, stock, until, body.",
    ],
  ],
  ["x\n", ["1:1 unknown-field The first row names no field of a price. Does the file have a header?"]],
  ["id,prise\n", ['1:4 unknown-field A price has no field "prise". Did you mean "price"?']],
  ["id,price,x\n\n,,\n", ['1:10 unknown-field A price has no field "x".']],
  ["price\n", ["1:1 missing-field A price must have the field id."]],
  ["id,price\n", []],
  ["ID,Price\na,1\n", ['1:1 unknown-field A price has no field "ID". Did you mean "id"?', "1:4 unknown-field"]],
])("a table is reported at its header and its rows: %j", (text, starts) => {
  expect(faultsIn({ "prices.csv": text })).toEqual(
    starts.map((start) => expect.stringContaining(`prices.csv:${start}`)),
  );
});

it.each([
  ["semicolons", "id;price\na;1\n"],
  ["semicolons and quotes", 'id;price\n"a";"1"\n'],
  ["tabs", "id\tprice\na\t1\n"],
])("a table with %s is a fault whatever a transform would make of it", (_, text) => {
  expect(faultsIn({ "prices.csv": text }, () => ({ id: "a" }))).toEqual([
    expect.stringContaining("prices.csv:1:1 syntax This is not valid CSV: its cells are separated by "),
  ]);
});

it("a column __proto__ is a fault after a transform, too", () => {
  expect(faultsIn({ "prices.csv": "id,__proto__\na,b\n" }, (raw) => raw)).toEqual([
    'prices.csv:1:4 unknown-field A price has no field "__proto__". Its fields are id, price, fresh, grade, plu, few, stock, until, body.',
  ]);
});

it("Markdown without front matter is the text of its item, and a transform gets it apart from the fields", () => {
  const note = { "prices/a.md": "Text." };
  expect(faultsIn(note)).toEqual([expect.stringContaining("prices/a.md:1:1 missing-field A price must have the")]);
  expect(faultsIn(note, (raw, { name, body }) => ({ ...raw, id: name, body }))).toEqual([]);
});

it.each([
  ["\ufeff---\r\nid: a\r\n---\r\nText.\r\n", []],
  ['+++\nid = "a"\n+++\nText.\n', []],
  [
    '{"id": "a", "draft": true}\nText.\n',
    [
      "1:1 syntax This is not valid YAML front matter: it starts with {, not with a line ---. Put the object between two lines ---.",
    ],
  ],
  [
    "\ufeff\r\n---\r\nid: a\r\n---\r\nText.\r\n",
    [
      "2:1 syntax This is not valid YAML front matter: it does not start the file. Remove everything before the line ---. A rule at the start of a text is written as ***.",
    ],
  ],
])("front matter is read, or a fault, and never a text: %j", (text, lines) => {
  const tree = { "prices/a.md": text };
  expect(faultsIn(tree)).toEqual(lines.map((line) => `prices/a.md:${line}`));
  expect(faultsIn(tree, (raw, { name, body }) => ({ id: name, ...raw, body }))).toHaveLength(lines.length);
});

const node = (id: string, pop: string) =>
  `- id: ${id}\n  created_at: 2026-01-01T00:00:00Z\n  pop: ${pop}\n  status: operational\n  capacity: 10G\n`;

describe("a mistake of syntax is reported once, where it is", () => {
  it.each([
    ["nodes.yaml", node("nod_1", '"lhr1') + node("nod_2", "lhr1"), "3:8"],
    ["nodes.yaml", node("nod_1", "lhr1") + node("nod_2", "'lhr1") + node("nod_3", "'lhr1'"), "8:8"],
    ["nodes.yaml", node("nod_1", "lhr1") + node("nod_2", "lhr1").replace("- ", ""), "6:1"],
    ["nodes.yaml", node("nod_1", "lhr1").replace("- ", "-"), "1:6"],
    ["nodes.json", '[\n {"id": "nod_1,\n "pop": "lhr1"}\n]', "2:9"],
  ])("%s %j", (file, text, place) => {
    expect(faultsOf({ ...rightTree, [file]: text })).toEqual([
      expect.stringMatching(new RegExp(`^${file}:${place} syntax This is not valid`)),
    ]);
  });
});
