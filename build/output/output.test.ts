import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import {
  contentsOf,
  type Files,
  lay,
  marker,
  options,
  planOf,
  stateOf,
  temporaryFolder,
} from "../../test/output/folder.ts";
import { openOutput } from "./output.ts";

async function publish(out: string, files: Files, beside: Files): Promise<void> {
  const output = await openOutput(out, options);
  try {
    await output.write(planOf(files), planOf(beside, "program/"), () => undefined);
  } finally {
    output.close();
  }
}

const older = { "api/v1/a.json": "1" };
const newer = { "api/v1/a.json": "2" };

it("a file in the place of a folder beside is refused before anything changes", async () => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  await publish(out, older, { "program/b.conf": "old" });
  rmSync(path.join(parent, "dist.hosts/program"), { recursive: true });
  lay(path.join(parent, "dist.hosts"), { program: "theirs" });
  const before = stateOf(parent);
  await expect(publish(out, newer, { "program/b.conf": "new" })).rejects.toThrow("program was not written by");
  expect(stateOf(parent)).toEqual(before);
});

it("a generator that throws for the folder beside leaves both as they are", async () => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  await publish(out, older, { "program/b.conf": "old" });
  const before = stateOf(parent);
  await expect(publish(out, newer, { "program/b.conf": "new", "notes.txt": "not ours" })).rejects.toThrow("notes.txt");
  expect(stateOf(parent)).toEqual(before);
});

it("there is a folder beside from the first build that has files for it, and later builds clear it", async () => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  await publish(out, older, {});
  expect(existsSync(path.join(parent, "dist.hosts"))).toBe(false);
  await publish(out, newer, { "program/b.conf": "new" });
  expect(contentsOf(path.join(parent, "dist.hosts"))).toMatchObject({ "program/b.conf": "new" });
  await publish(out, newer, {});
  expect(contentsOf(path.join(parent, "dist.hosts"))).toEqual({ [marker]: expect.any(String) });
});
