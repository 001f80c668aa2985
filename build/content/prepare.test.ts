import { describe, expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { count, label, slug } from "../../src/forms.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { allItems } from "./catalog.ts";
import { compileContent } from "./content.ts";

const notes = defineCollection({
  purpose: "Notes.",
  noun: { one: "note", many: "notes" },
  schema: z.strictObject({ id: slug, title: label, size: count.nullable(), done: z.boolean().optional() }),
  key: "id",
});

function compile(tree: Tree) {
  const [{ items }, faults] = compileContent(discovered(tree), completeApi(defineApi({ collections: { notes } })));
  return {
    items: allItems(items.get("notes")),
    faults: faults.map(
      ({ file, line, column, code, message, hint }) =>
        `${file}:${line}:${column} ${code} ${message}${hint === undefined ? "" : ` ${hint}`}`,
    ),
  };
}

describe("the items of CSV", () => {
  it("have the values that their schema asks for", () => {
    const text = '\ufeffid,title,size,done\r\na,7,8,true\r\nb,"true, or not",,\r\n';
    expect(compile({ "notes.csv": text })).toEqual({
      items: [
        { id: "a", title: "7", size: 8, done: true },
        { id: "b", title: "true, or not", size: null },
      ],
      faults: [],
    });
  });

  it("have their faults at the cell, also behind line breaks in quotes", () => {
    const text = 'id,title,size,done\na,"x\n\ny",1,true\nb,"A ""b""",1.5,no\n"a",,05,TRUE\n';
    expect(compile({ "notes/a.csv": text }).faults).toEqual([
      'notes/a.csv:2:3 wrong-value title must be one line of text, not empty, but is "x\\n\\ny".',
      "notes/a.csv:5:13 wrong-value size must be an integer from 0 to 9007199254740991, or null, but is the number 1.5.",
      'notes/a.csv:5:17 wrong-type done must be true or false, but is "no".',
      'notes/a.csv:6:1 not-unique The id "a" is taken by another note, at notes/a.csv:2:1. Each needs its own; case makes no difference.',
      'notes/a.csv:6:5 wrong-value title must be one line of text, not empty, but is "".',
      'notes/a.csv:6:6 wrong-type size must be an integer from 0 to 9007199254740991, or null, but is "05".',
      'notes/a.csv:6:9 wrong-type done must be true or false, but is "TRUE". Write true.',
    ]);
  });

  it("have the faults of a column once, in the header", () => {
    const text = "id,titel,size,more\na,A,1,2\nb,B,1,2\nc,C,1,2\nd,D,1,2\n";
    expect(compile({ "notes.csv": text }).faults).toEqual([
      'notes.csv:1:4 unknown-field A note has no field "titel". Did you mean "title"?',
      'notes.csv:1:15 unknown-field A note has no field "more". Its fields are id, title, size, done.',
    ]);
    expect(compile({ "notes.csv": "id,size\na,1\nb,2\n" }).faults).toEqual([
      "notes.csv:1:1 missing-field A note must have the field title. Its value must be one line of text, not empty.",
    ]);
  });
});

describe("the item of Markdown", () => {
  it("has its faults in the front matter, and none that follows from them", () => {
    const text = "---\r\nid: a\r\ntitle: [x]\r\nsize: 1.5\r\n---\r\nText\r\n";
    expect(compile({ "notes/a.md": text }).faults).toEqual([
      "notes/a.md:3:8 wrong-type title must be one line of text, not empty, but is a list.",
      "notes/a.md:4:7 wrong-value size must be an integer from 0 to 9007199254740991, or null, but is the number 1.5.",
      'notes/a.md:6:1 unknown-field A note has no field "body", which is the text below the front matter. Remove the text, or add the field to the schema.',
    ]);
  });

  it("is no note beside the files", () => {
    expect(compile({ "notes/README.md": "# How to write notes\n" }).faults).toEqual([
      "notes/README.md:1:1 syntax This is not valid YAML front matter: the file has none. Write the fields between two lines --- at the start of the file, or start its name with a dot.",
    ]);
  });
});
