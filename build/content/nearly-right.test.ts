// Mistakes of authors, each with its whole report: the fault, the repair, and nothing that follows from it.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { completeApi, noProgram } from "../../src/complete-api.ts";
import type { Transform } from "../../src/declare.ts";
import { type Collection, defineApi, defineCollection } from "../../src/declare.ts";
import { count, decimal, flag, slug } from "../../src/forms.ts";
import { faultsOf, type Tree } from "../../test/content/folder.ts";
import { DeclarationError } from "../diagnostics.ts";

const faultsIn = (collections: Readonly<Record<string, Collection>>, tree: Tree): readonly string[] =>
  faultsOf(tree, [], undefined, completeApi(defineApi({ collections }), { ...noProgram, today: () => "2026-11-20" }));

const schema = z.strictObject({
  id: slug,
  price: decimal(0, 1000, "a number from 0 to 1000"),
  stock: count.optional(),
  fresh: flag.optional(),
  grade: z.enum(["Y", "N"]).optional(),
  since: z.iso.date().optional(),
  plu: z.int().optional(),
  few: z.int().min(1).optional(),
});

const prices = defineCollection({
  purpose: "Prices.",
  noun: { one: "price", many: "prices" },
  schema,
  key: "id",
});

const faultsOfCsv = (text: string) => faultsIn({ prices }, { "prices.csv": text });
const faultOf = (field: string, json: string): string | undefined => {
  const item = JSON.stringify({ id: "a", price: 1 }).replace(/\}$/, `,"${field}":${json}}`);
  const [fault = "", ...others] = faultsIn({ prices }, { "prices/a.json": item });
  expect(others).toEqual([]);
  return fault.replace(/^\S+ \S+ /, "");
};
/** The report of a cell, without the place and the code. */
const faultOfCell = (field: string, cell: string): string => {
  const [fault = "", ...others] = faultsOfCsv(
    field === "price" ? `id,price\na,${cell}\n` : `id,price,${field}\na,1,${cell}\n`,
  );
  expect(others).toEqual([]);
  return fault.replace(/^\S+ \S+ /, "");
};

describe("the header of CSV", () => {
  it.each([
    [
      "foo,bar",
      [
        "prices.csv:1:1 missing-field A price must have the field id. Its value must be lowercase letters and digits, joined by single hyphens.",
        "prices.csv:1:1 missing-field A price must have the field price. Its value must be a number from 0 to 1000.",
        'prices.csv:1:1 unknown-field A price has no field "foo". Its fields are id, price, stock, fresh, grade, since, plu, few.',
        'prices.csv:1:5 unknown-field A price has no field "bar". Its fields are id, price, stock, fresh, grade, since, plu, few.',
      ],
    ],
    ["id,prise\n", ['prices.csv:1:4 unknown-field A price has no field "prise". Did you mean "price"?']],
    [
      "id,prise\na\n",
      [
        'prices.csv:1:4 unknown-field A price has no field "prise". Did you mean "price"?',
        "prices.csv:2:1 syntax This is not valid CSV: this row has 1 cell, but the header has 2. Write a comma for each empty cell.",
      ],
    ],
    ["id,price,grade\n", []],
    ["id,price\n", []],
  ])("is checked without a right row: %j", (text, faults) => {
    expect(faultsOfCsv(text)).toEqual(faults);
  });

  it("may be [], which is no column of the collection", () => {
    expect(faultsOfCsv("[]")).toContainEqual(expect.stringContaining('1:1 unknown-field A price has no field "[]".'));
  });

  it("needs no column that the path of the file gives", () => {
    const inFolders = defineCollection({
      purpose: "Prices.",
      noun: { one: "price", many: "prices" },
      schema: z.strictObject({ shop: slug, id: slug }),
      key: ["shop", "id"],
      files: "shops/{shop}.csv",
    });
    expect(faultsIn({ prices: inFolders }, { "shops/a.csv": "id\n", "shops/b.csv": "id,x\n" })).toEqual([
      'shops/b.csv:1:4 unknown-field A price has no field "x". Its fields are shop, id.',
    ]);
  });

  it.each([
    ["id;price;grade\na;1,5;Y\n", "semicolons"],
    ["id;price\na;1\n", "semicolons"],
    ['"id";"price"\n"a";"1"\n', "semicolons"],
    ['id;price\n"a";1,"5"\n', "semicolons"],
    ["\nid\tprice\na\t1,5\n", "tabs"],
  ])("has commas between its columns: %j", (text, marks) => {
    expect(faultsOfCsv(text)).toEqual([
      `prices.csv:${text.startsWith("\n") ? 2 : 1}:1 syntax This is not valid CSV: ${marks} separate the columns. Separate the cells with commas, not ${marks}, and put a cell that contains a comma in quotes.`,
    ]);
  });

  it("may have semicolons in a quoted name", () => {
    expect(faultsOfCsv('"id;\nx",price\n')).toEqual([
      expect.stringContaining("1:1 missing-field A price must have the field id."),
      expect.stringContaining('1:1 unknown-field A price has no field "id;\\nx".'),
    ]);
  });

  it.each([
    ["id,price,grade\na,1,5,Y\n", "2:7 syntax This is not valid CSV: this row has 4 cells, but the header has 3."],
    ["id,price,grade\nA a,Y\n", "2:1 syntax This is not valid CSV: this row has 2 cells, but the header has 3."],
  ])("has as many cells as a row, whose values are not checked if it has not: %j", (text, start) => {
    expect(faultsOfCsv(text)).toEqual([expect.stringContaining(`prices.csv:${start}`)]);
  });
});

it.each([
  ["prices.csv", "Remove it, or write a header: the names of the fields, separated by commas."],
  ["prices.md", "Remove it, or write the fields between two lines ---, and the text below them."],
  ["prices.ndjson", "Remove it, or write its items into it, one a line."],
  ["prices.json", "Remove it, or write its items into it; [] means none."],
])("the empty file %s may get content of its format", (file, hint) => {
  expect(faultsIn({ prices }, { [file]: " \n" })).toEqual([`${file}:1:1 empty-file The file is empty. ${hint}`]);
});

describe("Markdown", () => {
  const recipes = (transform?: Transform) =>
    defineCollection({
      purpose: "Recipes.",
      noun: { one: "recipe", many: "recipes" },
      schema: z.strictObject({ id: slug, body: z.string() }),
      key: "id",
      ...(transform && { transform }),
    });
  const withTags = recipes((raw, { name, body }) => {
    const place = { file: "api.config.ts", line: 3, column: 9, endLine: 3, endColumn: 12 };
    if (!Array.isArray(raw["tags"])) throw new DeclarationError({ ...place, code: "throws", message: "no tags" });
    return { id: name, body };
  });

  it.each(["Text.\n", "\n---\ntags: []\n---\nText.\n", "+++\ntags = []\n+++\nText.\n"])(
    "without front matter says so where a transform fails: %j",
    (text) => {
      expect(faultsIn({ recipes: withTags }, { "recipes/a.md": text })).toEqual([
        expect.stringMatching(
          /^recipes\/a\.md:1:1 not-made The transform of recipes fails: no tags \(.*\)\. The file has no front matter: put its fields between two lines ---, the first of which is line 1\.$/,
        ),
      ]);
    },
  );

  it("with front matter has the fault of its transform alone", () => {
    expect(faultsIn({ recipes: withTags }, { "recipes/a.md": "---\nx: 1\n---\nText.\n" })).toEqual([
      expect.stringMatching(/not-made The transform of recipes fails: no tags \([^)]*\)\.$/),
    ]);
  });

  it("whose text is missing asks for the text", () => {
    expect(faultsIn({ recipes: recipes() }, { "recipes/a.md": "---\nid: a\n---\n\n" })).toEqual([
      "recipes/a.md:2:1 missing-field A recipe must have the field body. Write text below the front matter.",
    ]);
    const dropped = recipes((raw) => raw);
    expect(faultsIn({ recipes: dropped }, { "recipes/a.md": "---\nid: a\n---\nText." })).toEqual([
      expect.stringContaining("A recipe must have the field body. Its value must be a text."),
    ]);
  });
});

it.each([
  ["plu", "12345678901234567890", "an integer from -9007199254740991 to 9007199254740991"],
  ["plu", "9007199254740992", "an integer from -9007199254740991 to 9007199254740991"],
  ["plu", "1.5", "an integer"],
  ["few", "12345678901234567890", "an integer from 1 to 9007199254740991"],
  ["few", "0", "an integer of at least 1"],
])("%s: %s has the range of integers if it is beyond it", (field, json, expected) => {
  expect(faultOf(field, json)).toBe(`${field} must be ${expected}, but is the number ${json}.`);
});

describe("api.yaml", () => {
  it("that is unreadable has no other fault", () => {
    const tree = { "api.yaml": "title: [\nlogo: logo.svg\n", "logo.svg": "<svg/>" };
    expect(faultsIn({ prices }, tree)).toEqual([expect.stringMatching(/^api\.yaml:\S+ syntax /)]);
  });

  it("names a logo that exists", () => {
    expect(faultsIn({ prices }, { "api.yaml": "logo: logo.svg\n" })).toEqual([
      "api.yaml:1:7 no-such-file There is no file logo.svg in the content folder. Add it, or leave out logo.",
    ]);
  });

  it("has colours in quotes", () => {
    expect(faultsIn({ prices }, { "api.yaml": "accent: #a33333\n" })).toEqual([
      expect.stringMatching(
        /^api\.yaml:1:9 .*but is empty \(null\)\. In YAML, # starts a comment: put the colour in quotes\.$/,
      ),
    ]);
  });
});

it("a choice of capital letters is no sentence", () => {
  expect(faultOf("grade", '"5"')).toBe('grade must be "Y" or "N", but is "5".');
});

it.each([
  ["2024-02-30", " There is no such day."],
  ["2024-13-01", " There is no such day."],
  ["01.05.2024", ' Write "2024-05-01".'],
  ["1.5.2024", ' Write "2024-05-01".'],
  ["30.02.2024", ""],
  ["2024/05/01", ' Write "2024-05-01".'],
  ["2024-5-1", ' Write "2024-05-01".'],
  ["2024-05-01T10:00:00Z", ' Write "2024-05-01".'],
  ["2024-05-01 10:00", ' Write "2024-05-01".'],
  ["05/01/2024", ""],
  ["soon", ""],
])("the date %s gets a hint: %s", (text, hint) => {
  expect(faultOf("since", JSON.stringify(text))).toBe(
    `since must be a date, such as 2026-11-20, but is "${text}".${hint}`,
  );
});

it.each([
  ["price", '"29,5"', " Leave the quotes out: 29.5."],
  ["price", '"0,125"', " Leave the quotes out: 0.125."],
  ["price", '"1,250"', ""],
  ["price", '"2000,5"', ""],
  ["price", " 7", " Write 7."],
  ["fresh", "true ", " Write true."],
  ["fresh", " FALSE", " Write false."],
  ["grade", " Y", ' Write "Y".'],
  ["grade", "y", ' Did you mean "Y"?'],
])("the cell of %s %j gets the repair%s", (field, cell, hint) => {
  expect(faultOfCell(field, cell)).toMatch(/, but is "[^"]*"\.(.*)$/);
  expect(/, but is "[^"]*"\.(.*)$/.exec(faultOfCell(field, cell))?.[1]).toBe(hint);
});
