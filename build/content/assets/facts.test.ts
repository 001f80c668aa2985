// What a transform learns of the files beside the data, and the fields of items that are facts of such a file.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  type Collection,
  type CollectionDeclaration,
  defineApi,
  defineCollection,
} from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { compileContent, lineOf, programOfTests } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { allItems } from "../catalog.ts";
import type { UnreadableReason } from "../find/discover.ts";

const photos = defineCollection({
  purpose: "Photos.",
  noun: { one: "photo", many: "photos" },
  schema: z.strictObject({
    id: slug,
    content_type: z.string(),
    bytes: z.int(),
    width: z.int().optional(),
    height: z.int().optional(),
  }),
  key: "id",
  files: "albums/*.csv",
  transform: ({ id, path }, { facts }) => ({ id, ...facts(String(path)) }),
});

function compile(
  tree: Tree,
  unreadable: Readonly<Record<string, UnreadableReason>> = {},
  collection: Collection = photos,
) {
  const api = completeApi(defineApi({ collections: { photos: collection } }), programOfTests);
  const log = openLog();
  const content = compileContent(discovered(tree, unreadable), api, log);
  return { items: allItems(content.items.get("photos")), messages: log.messages().shown.map(lineOf) };
}

it("are found relative to the file of the item, or from content/, and count as read", () => {
  const tree = {
    "albums/a.csv": "id,path\na,one.png\nb,../other/two.jpg\nc,/albums/more/../three.pdf\n",
    "albums/one.png": pictures.png,
    "other/two.jpg": pictures.turned,
    "albums/three.pdf": "%PDF",
    "other/four.png": pictures.png,
  };
  const { items, messages } = compile(tree);
  expect(items).toEqual([
    { id: "a", content_type: "image/png", bytes: 104, width: 3, height: 2 },
    { id: "b", content_type: "image/jpeg", bytes: 957, width: 2, height: 3 },
    { id: "c", content_type: "application/pdf", bytes: 4 },
  ]);
  expect(messages).toEqual([
    "other/four.png:1:1 unread-file No collection reads this file. Name it in ignore in api.yaml, or move it out of the content folder.",
  ]);
});

it.each([
  ["on.png", 'There is no file "on.png", which is "albums/on.png" below content/. Did you mean "albums/one.png"?'],
  ["../../x.png", 'The path "../../x.png" leads out of content/.'],
  ["/../x.png", 'The path "/../x.png" leads out of content/.'],
  ["ONE.png", 'There is no file "ONE.png", which is "albums/ONE.png" below content/. Did you mean "albums/one.png"?'],
  ["/link.png", '"/link.png" is a link, and links are not content.'],
  [".", 'There is no file ".", which is "albums" below content/.'],
  ["bad.png", '"albums/bad.png" is damaged: it has no size as image/png. Replace it, or rename it.'],
])("refuse the path %s at the item", (path, problem) => {
  const tree = { "albums/a.csv": `id,path\na,${path}\n`, "albums/one.png": pictures.png, "albums/bad.png": "x" };
  const { messages } = compile(tree, { "link.png": "link" });
  expect(messages.filter((line) => line.startsWith("albums/a.csv"))).toEqual([
    expect.stringContaining(`albums/a.csv:2:1 not-made The transform of photos fails: ${problem.replace(/\.$/, "")}`),
  ]);
});

describe("factsOf", () => {
  const schema = z.strictObject({
    id: slug,
    content_type: z.enum(["image/png", "image/jpeg"], "a type of these pictures"),
    bytes: z.int(),
    width: z.int(),
    height: z.int(),
    title: z.string().optional(),
  });
  type Options = Pick<CollectionDeclaration, "files" | "transform">;
  const collectionWith = (options: Options) =>
    defineCollection({
      purpose: "Photos.",
      noun: { one: "photo", many: "photos" },
      schema,
      key: "id",
      factsOf: "source",
      ...options,
    });
  const png = { content_type: "image/png", bytes: 104, width: 3, height: 2 };
  const files = { "albums/one.png": pictures.png, "other/two.jpg": pictures.turned };
  const compiled = (tree: Tree, options?: Options) =>
    compile({ ...files, ...tree }, {}, collectionWith({ files: "albums/*.{json,csv}", ...options }));

  it("fills in what is known of the file that an item names, in the order of the schema", () => {
    const { items, messages } = compiled({
      "albums/a.json": JSON.stringify([
        { source: "one.png", title: "One", id: "a" },
        { id: "b", source: "/other/two.jpg", width: 2 },
        { id: "c", ...png },
      ]),
    });
    expect(messages).toEqual([]);
    expect(items.map((item) => JSON.stringify(item))).toEqual([
      JSON.stringify({ id: "a", ...png, title: "One" }),
      JSON.stringify({ id: "b", content_type: "image/jpeg", bytes: 957, width: 2, height: 3 }),
      JSON.stringify({ id: "c", ...png }),
    ]);
  });

  it("reads rows of CSV with and without a file", () => {
    const csv = "id,source,content_type,bytes,width,height\na,one.png,,,,\nb,,image/png,104,3,2\nc,one.png,,,3,\n";
    const { items, messages } = compiled({
      "albums/a.csv": csv,
      "albums/b.json": '{"id":"d","source":"/other/two.jpg"}',
    });
    expect(messages).toEqual([]);
    expect(items.slice(0, 3)).toEqual(["a", "b", "c"].map((id) => ({ id, ...png })));
  });

  it("fills in the facts of what a transform returns", () => {
    const transform: CollectionDeclaration["transform"] = ({ name, file }) => ({ id: name, source: file });
    const { items } = compiled(
      { "albums/a.json": '{"name":"a","file":"one.png"}', "albums/b.json": '{"name":"b","file":"/other/two.jpg"}' },
      { transform },
    );
    expect(items[0]).toEqual({ id: "a", ...png });
  });

  it("does not publish the file", () => {
    const api = completeApi(defineApi({ collections: { photos: collectionWith({ files: "albums/*.json" }) } }));
    const tree = { ...files, "albums/a.json": '{"id":"a","source":"one.png"}' };
    expect([...(compileContent(discovered(tree), api, openLog()).assets ?? [])]).toEqual([["photos", new Map()]]);
  });

  it.each([
    [
      '{"id":"a","source":"one.png","width":4}',
      '1:38 wrong-value width must be 3, the width of "albums/one.png", but is the number 4. Leave width out, or correct source.',
    ],
    [
      '{"id":"a","source":"one.png","content_type":"image/jpeg"}',
      '1:45 wrong-value content_type must be "image/png", the content_type of "albums/one.png", but is "image/jpeg". Leave content_type out, or correct source.',
    ],
    [
      '{"id":"a","source":"on.png"}',
      '1:20 no-such-file There is no file "on.png", which is "albums/on.png" below content/. Did you mean "albums/one.png"?',
    ],
    [
      '{"id":"a","source":"a.json"}',
      '1:20 wrong-file "albums/a.json" is application/json, which is not a picture. Pictures are PNG, JPEG, WebP, AVIF, GIF and SVG.',
    ],
    [
      '{"id":"a","source":5}',
      '1:20 wrong-type source must be the path of a picture below content/, but is the number 5. Put it in quotes: "5".',
    ],
    [
      '{"id":"a","source":"three.webp"}',
      '1:20 wrong-value content_type must be a type of these pictures, but is "image/webp".',
    ],
  ])("reports %s at its place", (text, message) => {
    const { messages } = compiled({ "albums/a.json": text, "albums/three.webp": pictures.webp });
    expect(messages.filter((line) => line.startsWith("albums/a.json"))).toEqual([`albums/a.json:${message}`]);
  });

  it("suggests the field that names the file", () => {
    const { messages } = compiled({ "albums/a.json": '{"id":"a","sorce":"one.png"}' });
    expect(messages).toContain('albums/a.json:1:11 unknown-field A photo has no field "sorce". Did you mean "source"?');
  });
});
