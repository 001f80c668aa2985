import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type Sample, writeSample } from "../../test/check/sample.ts";
import { buildHere, differences, runBuild, usePublishedProgram } from "../../test/output/cli.ts";
import { contentsOf, type Files, mount, planOf, stateOf, temporaryFolder, write } from "../../test/output/folder.ts";

usePublishedProgram();

const blockSize = 4096;

/** Fills a file system with one file, up to some free blocks. */
function fill(file: string, free: number): void {
  const descriptor = openSync(file, "w");
  let size = 0;
  // A block at a time takes the last blocks, which a large write leaves.
  for (const chunk of [Buffer.alloc(1 << 20), Buffer.alloc(blockSize)]) {
    try {
      for (;;) size += writeSync(descriptor, chunk);
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
  closeSync(descriptor);
  truncateSync(file, Math.max(0, size - free * blockSize));
}

const sampleB: Sample = { count: 50, pageSizes: [1, 10, 100] };

/** Its output in an empty folder. */
let cleanB: Files = {};

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-full-disk-"));
  writeSample(path.join(folder, "b"), sampleB);
  await buildHere(path.join(folder, "b"), path.join(folder, "dist"));
  cleanB = contentsOf(path.join(folder, "dist"));
  rmSync(folder, { recursive: true });
});

it.for([
  ["no space", 0, "dist"],
  ["space for many files", 400, "dist"],
  ["space for some files in the out folder's own file system", 100, ""],
] as const)("a build with %s ends with 2, says so and changes nothing", async ([, free, name], { skip }) => {
  const disk = temporaryFolder();
  const contents = temporaryFolder();
  mount(skip, disk, "-t", "tmpfs", "-o", "size=32m", "tmpfs");
  const out = path.join(disk, name);
  const a = path.join(contents, "a");
  const b = path.join(contents, "b");
  writeSample(a, { count: 150, pageSizes: [100] });
  writeSample(b, sampleB);
  await buildHere(a, out);
  fill(path.join(disk, "filler"), free);
  const before = stateOf(disk);
  expect(await runBuild(b, out)).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^✗ No space left on device(?:: .+)?\.\n$/),
  });
  expect(stateOf(disk)).toEqual(before);

  unlinkSync(path.join(disk, "filler"));
  await buildHere(b, out);
  expect(differences(contentsOf(out), cleanB)).toEqual([]);
});

it("a build is done or changes nothing where moving files takes the last blocks", async ({ skip }) => {
  const disk = temporaryFolder();
  const image = path.join(temporaryFolder(), "image");
  writeFileSync(image, "");
  truncateSync(image, 16 << 20);
  const { error, stderr } = spawnSync("mkfs.ext4", ["-q", "-m", "0", "-b", "4096", image], { encoding: "utf8" });
  if (error !== undefined) skip(`there is no mkfs.ext4: ${error.message}`);
  expect(stderr).toBe("");
  mount(skip, disk, "-o", "loop", image);
  const files = (count: number, text: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`api/v1/an-entry-that-takes-space-${index}.json`, text]),
    );
  const filesBefore = files(10, "old");
  const fresh = files(500, "new");
  const out = path.join(disk, "dist");
  const outcomes: string[] = [];
  // The folder that the files are moved into takes some seven blocks.
  for (let free = 500; free < 560; free += 4) {
    await write(out, planOf(filesBefore));
    fill(path.join(disk, "filler"), free);
    const before = stateOf(out);
    try {
      await write(out, planOf(fresh));
      outcomes.push("done");
    } catch (failure) {
      expect(failure).toMatchObject({ code: "ENOSPC" });
      expect(stateOf(out)).toEqual(before);
      outcomes.push("refused");
    }
    unlinkSync(path.join(disk, "filler"));
  }
  expect([outcomes.at(0), outcomes.at(-1)]).toEqual(["refused", "done"]);
});
