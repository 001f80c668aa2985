// Items that name files beside the data.
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { file, image } from "../../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { fieldOf } from "../../../src/model/fields.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { sha256 } from "../../files/sha256.ts";
import { openLog } from "../../messages.ts";
import { allItems } from "../table/items.ts";

const objects = defineCollection({
  purpose: "Objects.",
  noun: { one: "object", many: "objects" },
  schema: z.strictObject({
    id: slug,
    photo: image({ max: "1kB" }).nullable(),
    manuals: z.array(z.strictObject({ title: z.string(), file: file() })).optional(),
    raw: file({ types: ["text/*", "application/xml"] }).optional(),
  }),
  key: "id",
  files: "things/*.ndjson",
});

const views = defineCollection({
  purpose: "Views.",
  schema: z.strictObject({ id: slug, photo: image() }),
  key: "id",
  ...from(objects, ({ id, photo }) => (photo === null ? [] : [{ id, photo }])),
});

const drafts = defineCollection({
  purpose: "Drafts.",
  schema: z.strictObject({ id: slug, photo: image() }),
  key: "id",
  published: false,
});

const declared = defineApi({ base: "/v2", collections: { objects, views, drafts } });

function compile(lines: readonly object[], tree: Tree) {
  const log = openLog();
  const all = { "things/a.ndjson": lines.map((line) => JSON.stringify(line)).join("\n"), "drafts.json": "[]", ...tree };
  const content = compileContent(discovered(all), completeApi(declared), log);
  const itemsOf = (name: string) => allItems(content.items.get(name));
  const filesOf = (name: string) => [...(content.assets?.get(name)?.keys() ?? [])];
  return { itemsOf, filesOf, messages: log.messages().shown.map(lineOf) };
}

const urlOf = (name: string, bytes: string | Uint8Array) => `/v2/files/${name}?v=${sha256(bytes).slice(0, 16)}`;

it("answers the address of a file and what is known of it", () => {
  const pdf = "%PDF-1.7";
  const { itemsOf, filesOf, messages } = compile(
    [
      {
        id: "a",
        photo: "/photos/a.png",
        manuals: [
          { title: "One", file: "one.pdf" },
          { title: "Two", file: "./one.pdf" },
        ],
      },
      { id: "b", photo: "../photos/b.jpg", raw: "data.csv" },
      { id: "c", photo: null },
    ],
    { "photos/a.png": pictures.png, "photos/b.jpg": pictures.turned, "things/one.pdf": pdf, "things/data.csv": "a,b" },
  );
  expect(messages).toEqual([]);
  const photos = {
    a: { url: urlOf("photos/a.png", pictures.png), content_type: "image/png", bytes: 104, width: 3, height: 2 },
    b: { url: urlOf("photos/b.jpg", pictures.turned), content_type: "image/jpeg", bytes: 957, width: 2, height: 3 },
  };
  const manual = { url: urlOf("things/one.pdf", pdf), content_type: "application/pdf", bytes: 8 };
  expect(itemsOf("objects")).toEqual([
    {
      id: "a",
      photo: photos.a,
      manuals: [
        { title: "One", file: manual },
        { title: "Two", file: manual },
      ],
    },
    { id: "b", photo: photos.b, raw: { url: urlOf("things/data.csv", "a,b"), content_type: "text/csv", bytes: 3 } },
    { id: "c", photo: null },
  ]);
  expect(itemsOf("views")).toEqual([
    { id: "a", photo: photos.a },
    { id: "b", photo: photos.b },
  ]);
  expect(filesOf("objects")).toEqual(["photos/a.png", "things/one.pdf", "photos/b.jpg", "things/data.csv"]);
  expect(filesOf("views")).toEqual(["photos/a.png", "photos/b.jpg"]);
});

it("publishes a file below a path of ASCII letters, digits, dots, hyphens and underscores", () => {
  const names = ["Übersicht (1).png", "100%.png", "smørbrød's & more/-a_b .png", "x\u0308~y.png", "ｆull.png"];
  const { itemsOf, filesOf, messages } = compile(
    names.map((name, index) => ({ id: `p${index}`, photo: name })),
    Object.fromEntries(names.map((name) => [`things/${name}`, pictures.png])),
  );
  expect(messages).toEqual([]);
  const published = ["Ubersicht-1.png", "100.png", "smorbrods-more/a_b.png", "x-y.png", "full.png"];
  expect(itemsOf("objects").map(({ photo }) => fieldOf(photo, "url"))).toEqual(
    published.map((name) => urlOf(`things/${name}`, pictures.png)),
  );
  expect(filesOf("objects")).toEqual(names.map((name) => `things/${name.normalize("NFC")}`));
});

describe("a file that a field cannot have is a fault at its place", () => {
  const tree: Tree = {
    "things/фото.png": pictures.png,
    [`things/${"x".repeat(97)}.png`]: pictures.png,
    "things/ b.php": "<?php",
    "things/b.php": "<?php",
    "things/c.png": pictures.jpeg,
    "things/d.html": "<p>",
    "things/e.bin": "x",
    "things/f.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2">${" ".repeat(2_000)}</svg>`,
    "things/g.png": pictures.png,
    "things/G.png": pictures.png,
    "things/h.pdf": "%PDF",
    "things/i.tiff": "II*",
    "things/m.js": "alert(1)",
    "things/k.svg": Buffer.from('\ufeff<svg width="3" height="2"/>', "utf16le"),
  };

  it.each([
    ["photo", "none.png", 'no-such-file There is no file "none.png", which is "things/none.png" below content/.'],
    ["photo", "../../x.png", 'no-such-file The path "../../x.png" leads out of content/.'],
    ["photo", "", "no-such-file The name of the file is empty. Write a name, or null if the field accepts it."],
    ["photo", 5, "wrong-type photo must be the path of a picture below content/, but is the number 5."],
    ["photo", ["g.png"], "wrong-type photo must be the path of a picture below content/, but is a list."],
    [
      "photo",
      { url: "/v2/files/things/g.png" },
      "wrong-type photo must be the path of a picture below content/, but is an object.",
    ],
    [
      "photo",
      "фото.png",
      'wrong-file "things/фото.png" cannot be in a path: the parts of its name need a Latin letter or a digit, and at most 100 characters.',
    ],
    ["photo", `${"x".repeat(97)}.png`, "and at most 100 characters."],
    ["file", " b.php", 'wrong-file "things/ b.php" has a name that hosts run, read or hide.'],
    ["photo", "c.png", 'wrong-file "things/c.png" is image/jpeg by its content, but image/png by its name.'],
    ["photo", "f.svg", 'wrong-file "things/f.svg" has 2.07 kB, and the field accepts at most 1kB.'],
    ["photo", "h.pdf", 'wrong-file "things/h.pdf" is application/pdf, which is not a picture.'],
    ["photo", "i.tiff", 'wrong-file "things/i.tiff" is image/tiff, which is not a picture.'],
    ["photo", "k.svg", 'wrong-file "things/k.svg" is damaged: it has no size as image/svg+xml.'],
    ["raw", "m.js", 'wrong-file "things/m.js" is text/javascript, which may do harm on the origin of the API.'],
    ["raw", "h.pdf", 'wrong-file "things/h.pdf" is application/pdf, and the field accepts text/*, application/xml.'],
    ["file", "b.php", 'wrong-file "things/b.php" has a name that hosts run, read or hide.'],
    ["file", "d.html", 'wrong-file "things/d.html" is HTML, which some hosts also answer at other paths.'],
    [
      "file",
      "e.bin",
      'wrong-file "things/e.bin" is application/octet-stream, which may do harm on the origin of the API.',
    ],
  ])("%s: %j", (field, written, fault) => {
    const item = {
      id: "a",
      photo: null,
      ...(field === "file" ? { manuals: [{ title: "x", file: written }] } : { [field]: written }),
    };
    const { messages } = compile([item], tree);
    // No warning that nothing names the files: the item may.
    expect(messages).toEqual([expect.stringMatching(/^things\/a\.ndjson:1:\d+ /)]);
    expect(messages[0]?.replace(/^\S+ /, "")).toContain(fault);
  });

  it.each([
    [
      "https://example.com/a.png",
      'There is no file "https://example.com/a.png", which is "things/https:/example.com/a.png" below content/. An address is a field of its own, such as z.url().',
    ],
    [
      ".a.png",
      'There is no file ".a.png", which is "things/.a.png" below content/. Files and folders whose names start with a dot are ignored.',
    ],
    ["A.PNG", 'There is no file "A.PNG", which is "things/A.PNG" below content/. Did you mean "things/a.png"?'],
  ])("and %j says what it is", (photo, fault) => {
    // Among so many files, only another case is a slip.
    const others = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`things/${index}/README`, ""]));
    const { messages } = compile([{ id: "a", photo }], { ...others, "things/a.png": pictures.png });
    expect(messages).toEqual([`things/a.ndjson:1:19 no-such-file ${fault}`]);
  });

  it("may be written in another Unicode form than its name", () => {
    const composed = "Zürich.png";
    const { messages } = compile([{ id: "a", photo: composed.normalize("NFD") }], {
      [`things/${composed}`]: pictures.png,
    });
    expect(messages).toEqual([]);
  });

  it("also if its folder and another one differ only in case", () => {
    const { messages } = compile(
      [
        { id: "a", photo: "p/a.png" },
        { id: "b", photo: "P/b.png" },
        { id: "c", photo: "p/c.png" },
      ],
      { "things/p/a.png": pictures.png, "things/P/b.png": pictures.png, "things/p/c.png": pictures.png },
    );
    expect(messages).toEqual([
      'things/a.ndjson:2:19 wrong-file "things/P/b.png" is in a folder whose name and "things/p" are the same in paths, which may ignore case. Rename one of them.',
    ]);
  });

  it("also if its published path is that of another one", () => {
    const { messages } = compile(
      [
        { id: "a", photo: "my photos/g 1.png" },
        { id: "b", photo: "my photos/G-1.png" },
        { id: "c", photo: "My-photos/x.png" },
      ],
      {
        "things/my photos/g 1.png": pictures.png,
        "things/my photos/G-1.png": pictures.png,
        "things/My-photos/x.png": pictures.png,
      },
    );
    expect(messages).toEqual([
      'things/a.ndjson:2:19 wrong-file "things/my photos/G-1.png" and "things/my photos/g 1.png" are the same in paths, which may ignore case. Rename one of them.',
      'things/a.ndjson:3:19 wrong-file "things/My-photos/x.png" is in a folder whose name and "things/my photos" are the same in paths, which may ignore case. Rename one of them.',
    ]);
  });

  it("also if its name and another one differ only in case", () => {
    const { messages } = compile(
      [
        { id: "a", photo: "g.png" },
        { id: "b", photo: "G.png" },
      ],
      { "things/g.png": pictures.png, "things/G.png": pictures.png },
    );
    expect(messages).toEqual([
      'things/a.ndjson:2:19 wrong-file "things/G.png" and "things/g.png" are the same in paths, which may ignore case. Rename one of them.',
    ]);
  });
});

it("warns once of a photo that says where it was taken", () => {
  const { messages } = compile(
    [
      { id: "a", photo: "a.jpg" },
      { id: "b", photo: "a.jpg" },
    ],
    { "things/a.jpg": pictures.placed },
  );
  expect(messages).toEqual([
    'things/a.ndjson:1:19 photo-position "things/a.jpg" contains the position at which it was taken. Remove the position from its EXIF data, unless you want to publish it.',
  ]);
});

it("takes a picture as a file, without its width and height", () => {
  const { itemsOf, messages } = compile([{ id: "a", photo: "a.png", manuals: [{ title: "x", file: "a.png" }] }], {
    "things/a.png": pictures.png,
  });
  expect(messages).toEqual([]);
  const url = urlOf("things/a.png", pictures.png);
  expect(itemsOf("objects")).toMatchObject([
    { photo: { url, width: 3 }, manuals: [{ title: "x", file: { url, content_type: "image/png", bytes: 104 } }] },
  ]);
});

it("refuses what answers have in place of a path, whatever came before", () => {
  const photo = {
    url: urlOf("things/a.png", pictures.png),
    content_type: "image/png",
    bytes: 104,
    width: 3,
    height: 2,
  };
  const { messages } = compile(
    [
      { id: "a", photo: "a.png" },
      { id: "b", photo },
    ],
    { "things/a.png": pictures.png },
  );
  expect(messages).toEqual([
    expect.stringMatching(/^things\/a\.ndjson:2:19 wrong-type photo must be the path of a picture/),
  ]);
});

it("does not publish the files of a collection that is not published", () => {
  const { filesOf, messages } = compile([], {
    "drafts.json": '{"id":"a","photo":"a.png"}',
    "a.png": pictures.png,
    "things/a.ndjson": "",
  });
  expect(messages.filter((line) => !line.includes("empty-file"))).toEqual([]);
  expect(filesOf("objects")).toEqual([]);
});

it("has the types of answers", () => {
  type Photo = NonNullable<(typeof views)["types"]>["item"]["photo"];
  expectTypeOf<Photo>().toEqualTypeOf<{
    url: string;
    content_type: string;
    bytes: number;
    width: number;
    height: number;
  }>();
});
