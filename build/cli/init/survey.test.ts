import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary.ts";
import type { EntryOptions } from "../../declaration/options/files.ts";
import { survey } from "./survey.ts";

const folder = temporaryFolder();

const surveyed = (name: string, text: string | Uint8Array) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return survey(file);
};

it.each<readonly [what: string, name: string, text: string, options: EntryOptions]>([
  ["commas", "a.csv", "id,x\na,1;2\nb,2;3\n", {}],
  ["semicolons and decimal commas", "b.csv", "id;x\na;1,2\nb;2,3\n", { delimiter: ";", decimal: "," }],
  ["decimal commas in quotes", "v.csv", 'id,x\na,"1,25"\nb,3\n', { decimal: "," }],
  ["commas between thousands", "w.csv", 'id,x\na,"1,250"\nb,3\n', {}],
  ["commas and points", "x.csv", "id;x;y\na;1,25;1.5\nb;3;2\n", { delimiter: ";" }],
  ["tabs in .tsv", "c.tsv", "id\tx\na\t1\n", {}],
  ["one column", "d.csv", "id\na\nb\n", {}],
  ["another ending", "e.TXT", "id|x\na|1\n", { format: "csv", delimiter: "|" }],
  ["names of years", "f.csv", "country,2019,2020\nch,1,2\nde,3,4\n", {}],
  ["a first row of numbers", "g.csv", "1,x\n2,y\n", { header: ["column1", "column2"] }],
  [
    "a first row of codes",
    "h.csv",
    "Boeing 717,717,B712\nBoeing 707,707,B703\nAirbus,AB3,A30B\n",
    { header: ["column1", "column2", "column3"] },
  ],
  ["repeated names", "z.csv", "id,x,x\na,1,2\n", {}],
  ["names in capitals", "i.csv", "ID,NAME\nCH,Switzerland\nDE,Germany\n", {}],
  ["NA among numbers", "j.csv", "id,x\na,NA\nb,1\n", { null: ["", "NA"] }],
  ["NA among texts and numbers", "y.csv", "code,x\nNA,NA\n,1\nZA,2\n", { null: ["", "NA"] }],
  ["NA among texts", "k.csv", "code\nNA\nZA\n", {}],
  ["blanks among numbers", "t.csv", "id,x\na, \nb,1\n", { null: ["", " "] }],
  ["blanks among texts", "u.csv", "id,x\na, \nb,c\n", {}],
  ["true and false", "l.csv", "id,x,y\na,true,Y\nb,false,N\n", {}],
  [
    "words of spreadsheets for true and false",
    "z.csv",
    "id;x\na;TRUE\nb;FALSE\n;\n",
    { delimiter: ";", booleans: ["TRUE", "FALSE"] },
  ],
  ["yes and no", "m.csv", "id,x\na,yes\nb,no\n", { booleans: ["yes", "no"] }],
  ["JSON without an ending", "n", '[{"id":1}]', { format: "json" }],
  ["NDJSON that is called JSON", "o.json", '{"id":1}\n{"id":2}\n', { format: "ndjson" }],
  ["a list in a list of members", "q.json", '{"meta":{},"data":{"nodes":[{"id":1}]}}', { items: "data.nodes" }],
  [
    "a map in a member",
    "r.yaml",
    "all:\n  a: { x: 1 }\n  b: { x: 2 }\nversion: 1\n",
    { items: "all.*", memberName: "id" },
  ],
  ["one item", "s.json", '{"id":"a","name":{"en":"A"},"size":{"x":1}}', {}],
])("finds %s", (_, name, text, options) => {
  expect(surveyed(name, text).options).toEqual(options);
});

it("names what is beside the items", () => {
  expect(surveyed("beside.json", '{"a":1,"data":{"b":[],"nodes":[{"id":1}]},"c":[{"id":2}]}')).toMatchObject({
    options: { items: "data.nodes" },
    besides: ["a", "c", "data.b"],
  });
});

it.each<readonly [what: string, texts: readonly [string, string], options: EntryOptions]>([
  ["lists, if they are alike beside these", ['{"v":1,"l":[{"id":"a"}]}', '{"v":1,"l":[{"id":"b"}]}'], { items: "l" }],
  ["items, if they differ beside a list", ['{"n":"a","l":[{"id":"a"}]}', '{"n":"b","l":[{"id":"b"}]}'], {}],
  ["items, if one has no list", ['{"l":[{"id":"a"}]}', '{"n":"b"}'], {}],
  ["JSON with comments, if one has a comment", ['{"n":"a"}', '{"n":"b"} // b'], { format: "jsonc" }],
])("takes files of one name for %s", (_, texts, options) => {
  const below = mkdtempSync(path.join(folder, "names-"));
  const files = texts.map((text, index) => {
    mkdirSync(path.join(below, String(index)));
    writeFileSync(path.join(below, String(index), "data.json"), text);
    return `${index}/data.json`;
  });
  expect(survey(below, files).options).toEqual(options);
});

it("takes NA for null among numbers, and for a text among texts", () => {
  expect(surveyed("namibia.csv", "code,x\nNA,NA\n,1\nZA,2\n").items).toEqual([
    { code: "NA", x: null },
    { code: "", x: 1 },
    { code: "ZA", x: 2 },
  ]);
});

it("takes the names of members for a field, unless the items have them", () => {
  const named = surveyed("named.json", '{"a":{"x":1},"b":{"x":2}}');
  expect(named.items[0]).toEqual({ id: "a", x: 1 });
  expect(named.options).toEqual({ items: "*", memberName: "id" });
  expect(surveyed("same.json", '{"a":{"code":"a"},"b":{"code":"b"}}').options).toEqual({ items: "*" });
});

it("takes the longest of several lists", () => {
  const { options, items } = surveyed("lists.json", '{"a":[{"id":1}],"b":[{"id":1},{"id":2}]}');
  expect({ options, count: items.length }).toEqual({ options: { items: "b" }, count: 2 });
});

it("reads windows-1252 with its signs", () => {
  const { options, items } = surveyed("euro.csv", new Uint8Array([0x69, 0x64, 0x0a, 0x80, 0x0a]));
  expect({ options, items }).toEqual({ options: { encoding: "windows-1252" }, items: [{ id: "€" }] });
});

it("takes no codes and versions for numbers", () => {
  const { items } = surveyed("codes.csv", 'a,b,c,version,price\n1e5,007,"1,250",3.10,3.10\n22,08,"999",3.9,3.95\n');
  expect(items).toEqual([
    { a: "1e5", b: "007", c: "1,250", version: "3.10", price: 3.1 },
    { a: "22", b: "08", c: "999", version: "3.9", price: 3.95 },
  ]);
});

it("does not take quotes for characters if they are around whole cells", () => {
  const text = String.raw`id,name
1,"a \"b\" c"
2,"d"
`;
  expect(() => surveyed("escaped.csv", text)).toThrow(
    "escaped.csv:2:8 This is not valid CSV: a part of this cell is outside its quotes.",
  );
});

it("gives the cells of a column the type that all of them have", () => {
  const { items } = surveyed("cells.csv", "id,whole,decimal,text,flag\n01,1,1.5,1,true\n02,,2,x,false\n");
  expect(items).toEqual([
    { id: "01", whole: 1, decimal: 1.5, text: "1", flag: true },
    { id: "02", whole: null, decimal: 2, text: "x", flag: false },
  ]);
});
