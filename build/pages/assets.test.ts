// Which files beside the data are published, and at which entries of the routing table.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { file, image } from "../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { pictures } from "../../test/content/pictures.ts";
import { compiled, errorsIn } from "../../test/plan.ts";
import { planContents } from "../build.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";
import { openLog } from "../messages.ts";
import { assetFilesOf } from "./assets.ts";

const schema = z.strictObject({
  id: z.string(),
  photo: image().nullable(),
  papers: z.array(file({ types: ["application/*", "text/*", "application/octet-stream"] })).optional(),
});
const photos = defineCollection({ purpose: "Photos.", key: "id", schema });
const others = defineCollection({ purpose: "Others.", key: "id", schema });

const collections = { photos, others };

type Declared = Parameters<typeof defineApi<typeof collections, Readonly<Record<never, never>>>>[0];
type Options = Pick<Declared, "files" | "outputs">;

const apiWith = (options: Options) => completeApi(defineApi({ base: "/v3", collections, ...options }));

const items = {
  photos: [
    { id: "a", photo: "a.png" },
    { id: "b", photo: "2026/b.png", papers: ["2026/b.txt", "a.tar.gz", "LICENSE"] },
    { id: "c", photo: "2026/07/c.PNG" },
    { id: "d", photo: "2026/a.b-c_d.png" },
  ],
  others: [
    { id: "a", photo: "a.png" },
    { id: "e", photo: "2025/e.png" },
  ],
};

const tree: Tree = {
  "photos.json": JSON.stringify(items.photos),
  "others.json": JSON.stringify(items.others),
  "a.png": pictures.png,
  "2026/b.png": pictures.png,
  "2026/07/c.PNG": pictures.png,
  "2026/a.b-c_d.png": pictures.png,
  "2025/e.png": pictures.png,
  "2026/b.txt": "b",
  "a.tar.gz": "gz",
  LICENSE: "MIT",
  "2026/unnamed.png": pictures.png,
};

/** The paths of the published files by entry of the routing table. */
function published(operations: readonly string[], options: Options = {}) {
  const catalog = compiled(discovered(tree), apiWith(options));
  const groups = assetFilesOf(catalog, { name: "edge", operations, documents: new Map() });
  return { groups, files: groups.map(({ route, all }) => [route.path, [...all()].map((one) => one.file)]) };
}

it("has an entry for each ending and depth, with the files that items name, each once", () => {
  const { files } = published(["photos", "others"]);
  expect(files).toEqual([
    ["/v3/files/{part1}/{part2}.png", ["v3/files/2025/e.png", "v3/files/2026/a.b-c_d.png", "v3/files/2026/b.png"]],
    ["/v3/files/{part1}/{part2}/{part3}.PNG", ["v3/files/2026/07/c.PNG"]],
    ["/v3/files/{part1}/{part2}.txt", ["v3/files/2026/b.txt"]],
    ["/v3/files/{part1}", ["v3/files/LICENSE"]],
    ["/v3/files/{part1}.png", ["v3/files/a.png"]],
    ["/v3/files/{part1}.gz", ["v3/files/a.tar.gz"]],
  ]);
});

it("has the type of the ending, texts as UTF-8, and the Cache-Control of the API", () => {
  const headersWith = (options: Options) =>
    published(["photos"], options).groups.map(({ route: { contentType, cacheControl } }) => ({
      contentType,
      cacheControl,
    }));
  const cacheControl = "no-store";
  expect(headersWith({ files: { cache: cacheControl } })).toEqual(
    [
      "image/png",
      "image/png",
      "text/plain; charset=utf-8",
      "application/octet-stream",
      "image/png",
      "application/gzip",
    ].map((contentType) => ({ contentType, cacheControl })),
  );
  expect(new Set(headersWith({}).map((headers) => headers.cacheControl))).toEqual(new Set(["public, max-age=86400"]));
});

it("has a policy with which an SVG runs nothing", () => {
  const files = { "a.svg": pictures.scripted, "B.SVG": pictures.svg, "c.png": pictures.png };
  const items = Object.keys(files).map((photo) => ({ id: photo, photo }));
  const catalog = compiled(
    discovered({ "photos.json": JSON.stringify(items), "others.json": "[]", ...files }),
    apiWith({}),
  );
  const groups = assetFilesOf(catalog, { name: "edge", operations: ["photos"], documents: new Map() });
  const policy = {
    "Content-Security-Policy": "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox",
  };
  expect(groups.map(({ route: { path, headers } }) => [path, headers])).toEqual([
    ["/v3/files/{part1}.SVG", policy],
    ["/v3/files/{part1}.svg", policy],
    ["/v3/files/{part1}.png", undefined],
  ]);
});

it("publishes only what the collections of the deployment name", () => {
  expect(published(["others"]).files).toEqual([
    ["/v3/files/{part1}/{part2}.png", ["v3/files/2025/e.png"]],
    ["/v3/files/{part1}.png", ["v3/files/a.png"]],
  ]);
  expect(published([]).files).toEqual([]);
});

it("finds a file by its path, and sums lengths and folders", () => {
  const { groups } = published(["photos", "others"]);
  const [group] = groups;
  const found = group?.find("v3/files/2026/b.png");
  expect(bytesOf(found ?? expect.fail())).toEqual(Buffer.from(pictures.png));
  expect(found?.length).toBe(pictures.png.length);
  expect(group?.find("v3/files/2026/unnamed.png")).toBeUndefined();
  expect(group).toMatchObject({ files: 3, bytes: 3 * pictures.png.length });
});

/** The errors of a plan for a deployment with all collections. */
async function faultsWith(outputs: NonNullable<Options["outputs"]>): Promise<readonly string[]> {
  const log = openLog();
  const content = compiled(discovered(tree), apiWith({ outputs }));
  await planContents([content], { content: "content", deployment: undefined, hosts: [], today: "2026-01-01" }, log);
  return errorsIn(log);
}

describe("an output at the address of a file beside the data is a fault", () => {
  it.each<readonly [path: string, text: string]>([
    ["files/a.png", "has a file at /v3/files/a.png, where the API has one already. Change its path."],
    ["files/A.PNG", "has a file at /v3/files/A.PNG, where the API has one already. Change its path."],
    ["files/2026", "has a file at /v3/files/2026, which is the folder of other files. Change its path."],
  ])("%s", async (path, text) => {
    const faults = await faultsWith({ [path]: { type: "text/plain", render: () => "x" } });
    expect(faults).toEqual([expect.stringContaining(`not-unique The output /v3/${path} ${text}`)]);
  });

  it("but not beside it", async () => {
    expect(await faultsWith({ "files/2026.txt": { render: () => "x" } })).toEqual([]);
  });

  it("also if it has files below it", async () => {
    const faults = await faultsWith({ "files/a.png/{id}.txt": { each: "photos", render: () => "x" } });
    expect(faults).toEqual([
      expect.stringContaining("The output /v3/files/a.png/{id}.txt has files below /v3/files/a.png, which is a file"),
    ]);
  });
});
