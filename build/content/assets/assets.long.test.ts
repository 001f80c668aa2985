// Files beside the data in a folder that is built again and again, while they change.
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { image } from "../../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { pictures } from "../../../test/content/pictures.ts";
import { contentsOf, stateOf, temporaryFolder } from "../../../test/output/folder.ts";
import { built, type TestBuildOptions } from "../../../test/plan.ts";
import { build } from "../../build.ts";
import { completeApi } from "../../declaration/complete.ts";
import { MachineError } from "../../files/machine-error.ts";
import { openLog } from "../../messages.ts";

const photos = defineCollection({
  purpose: "Photos.",
  schema: z.strictObject({ id: z.string(), photo: image() }),
  key: "id",
});
const api = completeApi(defineApi({ base: "/v3", collections: { photos } }));

/** Content with two photos in a folder. */
function contentWithPhotos() {
  const folder = temporaryFolder();
  const content = path.join(folder, "content");
  const out = path.join(folder, "dist");
  mkdirSync(path.join(content, "pictures/old"), { recursive: true });
  writeFileSync(path.join(content, "pictures/a.png"), pictures.png);
  writeFileSync(path.join(content, "pictures/old/b.jpg"), pictures.jpeg);
  const write = (items: readonly object[]) => writeFileSync(path.join(content, "photos.json"), JSON.stringify(items));
  write(bothPhotos);
  const options: TestBuildOptions = { api, content, out };
  return { content, out, options, write };
}

const bothPhotos = [
  { id: "a", photo: "pictures/a.png" },
  { id: "b", photo: "pictures/old/b.jpg" },
];

/** The same picture with another byte at its end, which has another digest. */
const changedPng = Buffer.concat([pictures.png.slice(0, -1), Uint8Array.of(0)]);

const urlsIn = (out: string): readonly string[] =>
  JSON.parse(readFileSync(path.join(out, "v3/photos.json"), "utf8")).data.map(
    ({ photo }: { readonly photo: { readonly url: string } }) => photo.url,
  );

describe("a file that changes between the reading and the writing of a build", () => {
  it.each<readonly [change: string, apply: (file: string) => void]>([
    ["is written", (file) => writeFileSync(file, changedPng)],
    ["grows", (file) => appendFileSync(file, "more")],
    ["shrinks", (file) => truncateSync(file, 1)],
    ["is written with the same bytes", (file) => writeFileSync(file, pictures.png)],
    [
      "is replaced",
      (file) => {
        writeFileSync(`${file}.new`, changedPng);
        renameSync(`${file}.new`, file);
      },
    ],
    ["is removed", (file) => rmSync(file)],
  ])("ends the build and leaves the output untouched, if it %s", async (_, apply) => {
    const { content, out, options, write } = contentWithPhotos();
    write(bothPhotos.slice(1));
    await built(options);
    const before = stateOf(out);
    write(bothPhotos);
    const building = build(
      { apis: [options.api], deployment: undefined, hosts: [], today: "2026-01-01", ...options },
      openLog(),
      {
        onWait: () => undefined,
        onRead: () => Promise.resolve(),
        onPlan: () => apply(path.join(content, "pictures/a.png")),
        onChange: () => undefined,
      },
    );
    await expect(building).rejects.toThrow(MachineError);
    await expect(building).rejects.toThrow("pictures/a.png has changed while it was read.");
    expect(stateOf(out)).toEqual(before);
    // The next build succeeds, unless the file is gone.
    writeFileSync(path.join(content, "pictures/a.png"), changedPng);
    await built(options);
    expect(readFileSync(path.join(out, "v3/files/pictures/a.png"))).toEqual(changedPng);
  });
});

it("a build of the same content keeps the files, times and all", async () => {
  const { out, options } = contentWithPhotos();
  await built(options);
  const before = stateOf(out);
  await built(options);
  expect(stateOf(out)).toEqual(before);
});

it("a build after a change writes the changed file alone, under the same path and another url", async () => {
  const { content, out, options } = contentWithPhotos();
  await built(options);
  const inodeOf = (file: string) => lstatSync(path.join(out, file)).ino;
  const kept = inodeOf("v3/files/pictures/old/b.jpg");
  const urls = urlsIn(out);
  writeFileSync(path.join(content, "pictures/a.png"), changedPng);
  await built(options);
  expect(readFileSync(path.join(out, "v3/files/pictures/a.png"))).toEqual(changedPng);
  expect(inodeOf("v3/files/pictures/old/b.jpg")).toBe(kept);
  const [a = "", b] = urlsIn(out);
  expect(a).toMatch(/^\/v3\/files\/pictures\/a\.png\?v=[0-9a-f]{16}$/);
  expect(a).not.toBe(urls[0]);
  expect(b).toBe(urls[1]);
});

it("a build removes the files that no item names any more, and their folders", async () => {
  const { out, options, write } = contentWithPhotos();
  await built(options);
  const published = () => Object.keys(contentsOf(path.join(out, "v3/files")));
  expect(published()).toEqual(["pictures/", "pictures/a.png", "pictures/old/", "pictures/old/b.jpg"]);
  write(bothPhotos.slice(0, 1));
  await built(options);
  expect(published()).toEqual(["pictures/", "pictures/a.png"]);
});
