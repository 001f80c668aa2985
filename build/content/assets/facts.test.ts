// What a transform learns of the files beside the data.
import { expect, it } from "vitest";
import * as z from "zod";
import { type Collection, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { images } from "../../../src/edge-network/index.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { compileContent, lineOf, programOfTests } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { compileContents } from "../content.ts";
import type { FoundFile, UnreadableReason } from "../files.ts";
import { allItems } from "../table/items.ts";
import type { Measurements } from "./assets.ts";

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

it("fill in the images of the Edge Network, in the order of the schema", () => {
  const fields = { created_at: "2026-01-01T00:00:00Z", status: "ready" };
  const png = { content_type: "image/png", bytes: 104, width: 3, height: 2 };
  const tree = {
    "photos/a.json": JSON.stringify([
      { source: "one.png", id: "med_a", ...fields },
      { id: "med_b", source: "/other/two.jpg", ...fields, width: 2 },
      { id: "med_c", ...fields, ...png },
    ]),
    "photos/b.csv": `id,source,content_type,bytes,width,height,created_at,status
med_d,one.png,,,,,${fields.created_at},ready
med_e,,image/png,104,3,2,${fields.created_at},ready
`,
    "photos/one.png": pictures.png,
    "other/two.jpg": pictures.turned,
  };
  const { items, messages } = compile(tree, {}, images);
  expect(messages).toEqual([]);
  const { created_at, status } = fields;
  const jpeg = { content_type: "image/jpeg", bytes: 957, width: 2, height: 3 };
  expect(items.map((item) => JSON.stringify(item))).toEqual(
    [png, jpeg, png, png, png].map((facts, index) =>
      JSON.stringify({ id: `med_${"abcde"[index]}`, created_at, ...facts, status }),
    ),
  );
});

it("refuse an image of the Edge Network that contradicts them", () => {
  const item = { id: "med_a", source: "a.png", created_at: "2026-01-01T00:00:00Z", status: "ready", width: 9 };
  const { messages } = compile({ "photos/a.json": JSON.stringify(item), "photos/a.png": pictures.png }, {}, images);
  expect(messages).toEqual([
    expect.stringContaining(
      "photos/a.json:1:1 not-made The transform of photos fails: width is 9, but 3 in a.png. Leave width out (",
    ),
  ]);
});

it("are measured again only for a file that has changed since", () => {
  const api = completeApi(defineApi({ collections: { photos } }), programOfTests);
  const measurements: Measurements = new Map();
  const reads: string[] = [];
  const read = (tree: Tree): void => {
    const { files, unreadable } = discovered({ "albums/a.csv": "id,path\na,one.png\nb,two.jpg\n", ...tree });
    const counted = files.map((found): FoundFile => {
      const head = (length: number) => {
        reads.push(found.file);
        return found.stored().head(length);
      };
      return { ...found, stored: () => ({ ...found.stored(), head }) };
    });
    compileContents({ files: counted, unreadable }, [api], openLog(), { measurements });
  };
  read({ "albums/one.png": pictures.png, "albums/two.jpg": pictures.turned });
  read({ "albums/one.png": pictures.png, "albums/two.jpg": pictures.jpeg });
  expect(reads).toEqual(["albums/one.png", "albums/two.jpg", "albums/two.jpg"]);
});
