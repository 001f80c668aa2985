import { describe, expect, it } from "vitest";
import * as z from "zod";
import { file } from "../../src/declare/assets.ts";
import {
  type Collection,
  defineApi,
  defineCollection,
  type FileOptions,
  type Transform,
} from "../../src/declare/declare.ts";
import { label, slug } from "../../src/declare/forms.ts";
import { reference } from "../../src/declare/marks.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { compileContent, compiledWithErrors, lineOf } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { openLog } from "../messages.ts";
import { allItems } from "./table/items.ts";

type Files = string | FileOptions | readonly (string | FileOptions)[];

const place = z.strictObject({
  id: slug,
  name: label.optional(),
  size: z.number().nullable().optional(),
  open: z.boolean().optional(),
});

const places = (files?: Files, more: { readonly transform?: Transform } = {}): Collection =>
  defineCollection({
    purpose: "Places.",
    noun: { one: "place", many: "places" },
    schema: place,
    key: "id",
    ...(files === undefined ? {} : { files }),
    ...more,
  });

function compile(collection: Collection, tree: Tree) {
  const api = completeApi(defineApi({ collections: { places: collection } }));
  const { content, errors } = compiledWithErrors(discovered(tree), api);
  return { items: allItems(content.items.get("places")), errors: errors.map(lineOf) };
}

const itemsOf = (collection: Collection, tree: Tree) => {
  const { items, errors } = compile(collection, tree);
  expect(errors).toEqual([]);
  return items;
};

const errorsOf = (collection: Collection, tree: Tree) => compile(collection, tree).errors;

describe("the items of a file", () => {
  it("are the members of a list to which a path leads, in JSON, YAML and Markdown", () => {
    const items = [{ id: "a" }, { id: "b" }];
    expect(
      itemsOf(places({ match: "x.json", items: "data.places" }), {
        "x.json": JSON.stringify({ data: { places: items } }),
      }),
    ).toEqual(items);
    expect(
      itemsOf(places({ match: "x.geojson", items: "features" }), {
        "x.geojson": JSON.stringify({ type: "x", features: items }),
      }),
    ).toEqual(items);
    expect(itemsOf(places({ match: "x.yaml", items: "places" }), { "x.yaml": "places:\n- id: a\n- id: b\n" })).toEqual(
      items,
    );
    expect(
      itemsOf(places({ match: "x.md", items: "places" }), { "x.md": "---\nplaces:\n- id: a\n- id: b\n---\nText.\n" }),
    ).toEqual(items);
  });

  it("are the members of an object, whose names are a field, read as its type", () => {
    const numbered = defineCollection({
      purpose: "Numbers.",
      schema: z.strictObject({ number: z.int(), name: label }),
      key: "number",
      files: { match: "x.json", items: "*", memberName: "number" },
    });
    expect(itemsOf(numbered, { "x.json": '{"20":{"name":"B"},"3":{"name":"A","number":3}}' })).toEqual([
      { number: 3, name: "A" },
      { number: 20, name: "B" },
    ]);
  });

  it("have their places, and faults show them", () => {
    const collection = places({ match: "x.json", items: "places.*", memberName: "id" });
    const text = '{"more": 1, "places": {"a": {"size": "x"},\n "b": {"id": "c"}, "B": {}, "b-2": {"nme": "N"}}}';
    expect(errorsOf(collection, { "x.json": text })).toEqual([
      'x.json:1:38 wrong-type size must be a number, or null, but is "x".',
      'x.json:2:14 wrong-collection The place says id "c", but its name says "b". Rename the place, or leave its id out.',
      'x.json:2:25 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "B". Write "b".',
      expect.stringMatching(/^x\.json:2:37 unknown-field /),
    ]);
  });

  it("keep a field __proto__, which is a fault like another one", () => {
    const collection = places({ match: "x.json", items: "*", memberName: "id" });
    expect(errorsOf(collection, { "x.json": '{"a": {"__proto__": 1}}' })).toEqual([
      expect.stringMatching(/^x\.json:1:8 unknown-field A place has no field "__proto__"\./),
    ]);
  });

  it("are found at their places when they are named twice", () => {
    const collection = places({ match: "*.json", items: "*", memberName: "id" });
    const tree = { "x.json": '{"a": {},\n"b": {}}', "y.json": '{"c": {}, "b": {}}' };
    expect(errorsOf(collection, tree)).toEqual([
      'y.json:1:16 not-unique The id "b" is taken by another place, at x.json:2:6. Change one of them; case makes no difference.',
    ]);
  });

  it.each([
    [
      "features",
      '{"feature": []}',
      '1:1 no-items The option items names "features", which is not a member here. Did you mean "feature"?',
    ],
    [
      "data.places",
      '{"data": {"x": 1}}',
      '1:10 no-items The option items names "places", which is not a member here. The members are x.',
    ],
    ["features", "[1]", "1:1 no-items The option items names members, but this is a list."],
    ["data.*", '{"data": 5}', "1:10 no-items The option items names members, but this is no object."],
  ])("that %s names and that are not there are a fault: %s", (items, text, fault) => {
    expect(errorsOf(places({ match: "x.json", items }), { "x.json": text })).toEqual([`x.json:${fault}`]);
  });

  it("are its lines where it has lines", () => {
    expect(errorsOf(places({ match: "x.*", items: "a" }), { "x.csv": "id\na\n" })).toEqual([
      "x.csv:1:1 no-items The option items names members of an object, but each line of this file is an item. Give this file an entry of its own in the option files.",
    ]);
  });

  it("are told to a transform by their names, and a transform may return several", () => {
    const collection = places(
      { match: "x.json", items: "*" },
      {
        transform: ({ rooms }, { member }) =>
          Array.isArray(rooms) ? rooms.map((room) => ({ ...room, name: member })) : { id: "none", name: member },
      },
    );
    const text = '{"A": {"rooms": [{"id": "a1"}, {"id": "a2"}]}, "B": {}}';
    expect(itemsOf(collection, { "x.json": text })).toEqual([
      { id: "a1", name: "A" },
      { id: "a2", name: "A" },
      { id: "none", name: "B" },
    ]);
  });

  it("have no name if they are no members of an object", () => {
    const transform: Transform = (_, { member }) => ({ id: "a", name: member ?? "none" });
    const tree = { "x.json": '{"data": {"place": {}}}', "y.json": '{"data": {"place": [{}]}}' };
    for (const match of ["x.json", "y.json"]) {
      const { [match]: text = "" } = tree as Tree;
      expect(itemsOf(places({ match, items: "data.place" }, { transform }), { [match]: text })).toEqual([
        { id: "a", name: "none" },
      ]);
    }
  });

  it("have the places of the parts that a transform returns as they are", () => {
    const collection = places("x.json", { transform: ({ rooms }) => (Array.isArray(rooms) ? rooms : []) });
    expect(errorsOf(collection, { "x.json": '{"rooms": [{"id": "a"},\n {"id": "b", "size": "x"}]}' })).toEqual([
      'x.json:2:22 wrong-type size must be a number, or null, but is "x".',
    ]);
  });
});

describe("a file that is not as its collection expects", () => {
  it("is an item if the schema accepts any fields", () => {
    const words = defineCollection({
      purpose: "Words.",
      schema: z.looseObject({ id: slug }),
      key: "id",
      files: "words/{id}.json",
    });
    expect(itemsOf(words, { "words/a.json": '{"en": {"x": 1}, "de": {"x": 2}}' })).toEqual([
      { en: { x: 1 }, de: { x: 2 }, id: "a" },
    ]);
  });

  const read = "To read it as it is, write files: { match: ";
  it.each([
    ["x.json", '{"a": {"x": 1}, "b": {"x": 2}}', 'items: "*", memberName: "id"'],
    ["x.json", '{"a": {"x": 1, "id": "a"}, "b": {"x": 2}}', 'items: "*"'],
    ["x.json", '{"type": "c", "features": [{"x": 1}]}', 'items: "features"'],
    ["x.csv", "id;size\na;1\n", 'delimiter: ";"'],
    ["x.csv", "id\tsize\na\t1\n", String.raw`delimiter: "\t"`],
    ["x.csv", "berlin-1,2\nparis-2,3\n", 'header: ["…"]'],
    ["x.csv", Uint8Array.of(0x69, 0x64, 0x0a, 0xe4, 0x0a), 'encoding: "windows-1252"'],
    ["x.dat", "id\na\n", 'format: "…"'],
  ])("says which option reads %s", (file, text, option) => {
    expect(errorsOf(places(file), { [file]: text })).toEqual([
      expect.stringContaining(`${read}${JSON.stringify(file)}, ${option} } in the declaration.`),
    ]);
  });

  it("adds the option to those of its entry", () => {
    expect(errorsOf(places({ match: "x.csv", null: ["-"] }), { "x.csv": "id;size\n" })).toEqual([
      expect.stringContaining('To read it as it is, write delimiter: ";" in its entry of the option files.'),
    ]);
  });
});

describe("CSV", () => {
  const csv = (options: Omit<FileOptions, "match">, text: string | Uint8Array, file = "x.csv") =>
    itemsOf(places({ match: file, ...options }), { [file]: text });

  it("may have other signs, no header and any ending", () => {
    const items = [
      { id: "a", name: 'A "B', size: 1 },
      { id: "b", name: "C;D", size: 2 },
    ];
    expect(csv({ delimiter: ";", quote: "'" }, "id;name;size\na;A \"B;1\nb;'C;D';2\n")).toEqual(items);
    expect(csv({ delimiter: "|", quote: false, header: ["id", "name", "size"] }, 'a|A "B|1\nb|C;D|2\n')).toEqual(items);
    expect(csv({}, 'id\tname\tsize\na\t"A ""B"\t1\nb\tC;D\t2\n', "x.tsv")).toEqual(items);
    expect(csv({ format: "csv" }, 'id,name,size\na,"A ""B",1\nb,C;D,2\n', "stops.txt")).toEqual(items);
    expect(csv({ format: "csv", header: ["id", "name", "size"] }, 'a,"A ""B",1\nb,C;D,2\n', "x.dat")).toEqual(items);
  });

  it("may have other texts for null, true and false", () => {
    const text = String.raw`id,name,size,open
a,,\N,Y
b,\N,3,N
`;
    expect(csv({ null: [String.raw`\N`], booleans: ["Y", "N"] }, text)).toEqual([
      { id: "a", size: null, open: true },
      { id: "b", size: 3, open: false },
    ]);
  });

  it.each([
    [
      { booleans: ["J", "N"] },
      "open",
      "true",
      'open must be true or false, but is "true". In this file J is true and N is false.',
    ],
    [
      { booleans: ["J", "N"] },
      "open",
      "TRUE",
      'open must be true or false, but is "TRUE". In this file J is true and N is false.',
    ],
    [
      { null: ["-", ""] },
      "size",
      "NA",
      'size must be a number, or null, but is "NA". In this file -, an empty cell is null.',
    ],
    [{ booleans: ["J", "N"] }, "size", "J", 'size must be a number, or null, but is "J".'],
  ])("with %j tells the texts for the field %s", (options, field, cell, fault) => {
    const collection = places({ match: "x.csv", ...options } as FileOptions);
    expect(errorsOf(collection, { "x.csv": `id,${field}\na,${cell}\n` })).toEqual([`x.csv:2:3 wrong-type ${fault}`]);
  });

  it("keeps an empty text that a field accepts, if other texts are null", () => {
    const collection = (options: object) =>
      defineCollection({
        purpose: "Texts.",
        schema: z.strictObject({ id: slug, text: z.string().nullable() }),
        key: "id",
        files: { match: "x.csv", ...options },
      });
    const tree = { "x.csv": "id,text\na,\nb,NA\n" };
    expect(itemsOf(collection({ null: ["NA"] }), tree)).toEqual([
      { id: "a", text: "" },
      { id: "b", text: null },
    ]);
    expect(itemsOf(collection({}), tree)).toEqual([
      { id: "a", text: null },
      { id: "b", text: "NA" },
    ]);
  });

  it("without a header has its faults at their cells", () => {
    const files = { match: "x.csv", header: ["id", "size"], delimiter: ";" };
    expect(errorsOf(places(files), { "x.csv": "a;1\nb;x\nc;1;2\n" })).toEqual([
      'x.csv:2:3 wrong-type size must be a number, or null, but is "x".',
      "x.csv:3:5 syntax This is not valid CSV: this row has 3 cells, but the option header has 2. Separate the cells with semicolons, also empty ones, and put a cell that contains one in quotes.",
    ]);
  });
});

describe("an encoding", () => {
  it("is read as the Encoding standard says", () => {
    const euro = Uint8Array.of(...Buffer.from("id,name\na,"), 0x80, 0x84, 0xe4, 0x0a);
    expect(itemsOf(places({ match: "x.csv", encoding: "windows-1252" }), { "x.csv": euro })).toEqual([
      { id: "a", name: "€„ä" },
    ]);
    expect(itemsOf(places({ match: "x.csv", encoding: "latin1" }), { "x.csv": euro })).toEqual([
      { id: "a", name: "€„ä" },
    ]);
    const cyrillic = Uint8Array.of(...Buffer.from("- id: a\n  name: "), 0xf0, 0xf2);
    expect(itemsOf(places({ match: "x.yaml", encoding: "koi8-r" }), { "x.yaml": cyrillic })).toEqual([
      { id: "a", name: "ПР" },
    ]);
    const lines = Buffer.from('\ufeff{"id":"a","name":"ä"}\n{"id":"b"}\n', "utf16le");
    expect(itemsOf(places({ match: "x.ndjson", encoding: "utf-16le" }), { "x.ndjson": lines })).toEqual([
      { id: "a", name: "ä" },
      { id: "b" },
    ]);
  });

  it("is recognised by the byte order mark of UTF-16", () => {
    const text = '\ufeff[{"id":"a","name":"ä😀"}]';
    const little = Buffer.from(text, "utf16le");
    expect(itemsOf(places("x.json"), { "x.json": little })).toEqual([{ id: "a", name: "ä😀" }]);
    expect(itemsOf(places("x.json"), { "x.json": Buffer.from(little).swap16() })).toEqual([{ id: "a", name: "ä😀" }]);
  });

  it("refuses bytes that it does not have, at their place", () => {
    const text = Uint8Array.of(...Buffer.from("id,name\na,"), 0xd2, 0x0a);
    expect(errorsOf(places({ match: "x.csv", encoding: "windows-1253" }), { "x.csv": text })).toEqual([
      "x.csv:2:3 invalid-utf8 The file is not text in the encoding windows-1253 from here on. Correct the option encoding, or save the file as UTF-8.",
    ]);
  });

  it("cannot be another than a byte order mark names", () => {
    const half = Buffer.concat([Buffer.from("\ufeffid,name\na,ä", "utf16le"), Buffer.of(0x41)]);
    expect(errorsOf(places({ match: "x.csv", encoding: "windows-1253" }), { "x.csv": half })).toEqual([
      "x.csv:2:4 invalid-utf8 The file is not text in the encoding utf-16le from here on. Save it as UTF-8.",
    ]);
  });
});

describe("files that are not content", () => {
  const warningsOf = (collection: Collection, tree: Tree) => {
    const log = openLog();
    compileContent(discovered(tree), completeApi(defineApi({ collections: { places: collection } })), log);
    return log.messages().shown.map(lineOf);
  };
  const one = { "places/a.yaml": "id: a" };

  it("are those that a glob after ! excludes", () => {
    const tree = { "data/a.yaml": "id: a", "data/draft-b.yaml": "nothing", "data/c.txt": "", "other.csv": "x" };
    expect(warningsOf(places(["data/*", "!data/draft-*", "!**/*.{txt,csv}"]), tree)).toEqual([]);
    expect(warningsOf(places({ match: ["data/*", "!data/draft-*", "!data/*.txt", "!*.csv"] }), tree)).toEqual([]);
  });

  it("are those that api.yaml ignores, and what systems and editors leave", () => {
    const tree = {
      ...one,
      "places/b.yaml~": "",
      "Thumbs.db": "",
      "places/README.md": "x",
      "LICENSE.txt": "",
      "places/LICENSE": "",
      "notes.md": "x",
      "old/a.json": "",
    };
    expect(warningsOf(places(), { ...tree, "api.yaml": 'ignore: ["notes.md", "old/**"]' })).toEqual([]);
    expect(warningsOf(places(), tree).map((line) => line.split(" ")[0])).toEqual(["notes.md:1:1", "old/a.json:1:1"]);
  });

  it("are no data whose name only starts like that of a file for people", () => {
    const tree = {
      "places/LICENSEES.yaml": "id: a",
      "places/LICENSE-MIT.yaml": "id: b",
      "places/READMEs.csv": "id\nc\n",
    };
    expect(itemsOf(places(), tree)).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
    expect(warningsOf(places(), { ...one, "LICENSEES.csv": "id\n" })).toEqual([
      expect.stringMatching(/^LICENSEES\.csv:1:1 unknown-file /),
    ]);
  });

  it.each(["docs/README.md", "docs/*.md", "docs"])("are content if the glob %s matches them", (files) => {
    const collection = places(files, { transform: (_, { name }) => ({ id: name.toLowerCase() }) });
    const tree = { "docs/README.md": "Text.", "docs/LICENSE.md": "Text.", "docs/a.md~": "", "docs/Thumbs.db": "" };
    expect(itemsOf(collection, tree).map(({ id }) => id)).toEqual(
      files === "docs/README.md" ? ["readme"] : ["license", "readme"],
    );
  });

  it("and that nobody reads are one warning, if they are no data", () => {
    expect(warningsOf(places(), { ...one, "b.txt": "" })).toEqual([
      "b.txt:1:1 unread-file No collection reads this file. Name it in ignore in api.yaml, or move it out of the content folder.",
    ]);
    expect(
      warningsOf(places(), { ...one, "places/a.png": "", "places/a.pdf": "", "places/a.docx": "", "b.txt": "" }),
    ).toEqual([
      "b.txt:1:1 unread-file No collection reads this file and 3 others: places/a.docx, places/a.pdf, places/a.png. Name them in ignore in api.yaml, or move them out of the content folder.",
    ]);
  });

  it.each(["places.xml", "places/a.json5", "places/deep/a.xml", "places/list.xlsx", "places/a.txt"])(
    "do not include %s, which is a fault in the place of a collection",
    (file) => {
      expect(errorsOf(places(), { ...one, [file]: "" })).toEqual([
        `${file}:1:1 unknown-file Its name ends with none of .yaml, .yml, .json, .geojson, .jsonc, .ndjson, .jsonl, .csv, .tsv, .md, .markdown, .toml, so it is not content. The formats are yaml, json, jsonc, ndjson, csv, markdown, toml and text. Convert it, or name it in ignore in api.yaml if it holds no places.`,
      ]);
      expect(errorsOf(places(), { ...one, [file]: "", "api.yaml": `ignore: [${file}]` })).toEqual([]);
    },
  );

  it("do not hide a reference that leads nowhere, if they lie among the data", () => {
    const schema = z.strictObject({ id: slug, near: reference("places").optional(), track: file() });
    const collection = (files?: Files) =>
      defineCollection({ purpose: "Places.", schema, key: "id", ...(files !== undefined && { files }) });
    const tree = { "places/a.yaml": "{ id: a, near: b, track: a.txt }", "places/a.txt": "x" };
    for (const files of [undefined, "places/*"]) {
      expect(errorsOf(collection(files), tree)).toEqual([expect.stringMatching(/^places\/a\.yaml:1:16 no-such-item /)]);
    }
  });
});

describe("ignore", () => {
  const tree: Tree = {
    "places.yaml": "- id: a",
    "keep.txt": "",
    "a.bak": "",
    "drafts/a.csv": "",
    "old/a.csv": "",
    "old/b/c.psd": "",
  };
  const linesOf = (globs: readonly string[]) => {
    const log = openLog();
    const api = completeApi(defineApi({ collections: { places: places() } }));
    const settings = `ignore:\n${globs.map((glob) => `- "${glob}"\n`).join("")}`;
    compileContent(discovered({ ...tree, "api.yaml": settings }), api, log);
    return log.messages().shown.map(lineOf);
  };
  const others = ["drafts/**", "old/**", "*.txt"];

  it("excepts what a glob after ! matches, wherever it is in the list", () => {
    const kept = [
      "keep.txt:1:1 unread-file No collection reads this file. Name it in ignore in api.yaml, or move it out of the content folder.",
    ];
    expect(linesOf(["*", "!places.yaml", "!keep.txt", "*/**"])).toEqual(kept);
    expect(linesOf(["!keep.txt", "!places.yaml", "**"])).toEqual(kept);
  });

  it("is a fault if it leaves nothing of a collection or of the deployments", () => {
    expect(linesOf(["**"])).toEqual([
      "api.yaml:2:1 wrong-value ignore leaves out all files of places. Name fewer files, or except some by a glob after !.",
    ]);
    expect(
      errorsOf(places(), { ...tree, "deployments/edge.yaml": "operations: []", "api.yaml": 'ignore: ["*/**", "*.*"]' }),
    ).toEqual([
      "api.yaml:1:9 wrong-value ignore leaves out all files of deployments, places. Name fewer files, or except some by a glob after !.",
    ]);
  });

  it.each([
    ["drafts/", 'No file below the content folder matches "drafts/". Write "drafts/**".'],
    ["/old", 'No file below the content folder matches "/old". Write "old".'],
    ["content/old/**", 'No file below the content folder matches "content/old/**". Write "old/**".'],
    ["*.psd", 'No file below the content folder matches "*.psd". Write "**/*.psd".'],
    [
      "nothing",
      'No file below the content folder matches "nothing". Correct it, or remove it. It is relative to the content folder, as in drafts/** and **/*.psd.',
    ],
    [
      "!a.png",
      '"!a.png" excepts no file, because no other glob matches a file that it names. Correct it, or remove it. It is relative to the content folder, as in drafts/** and **/*.psd.',
    ],
    ["!old/", '"!old/" excepts no file, because no other glob matches a file that it names. Write "!old/**".'],
  ])("has a warning for %s, which matches nothing", (glob, sentences) => {
    expect(linesOf([...others, "*.bak", glob]).filter((line) => line.includes("idle-glob"))).toEqual([
      `api.yaml:6:3 idle-glob ${sentences}`,
    ]);
  });
});
