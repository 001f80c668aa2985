import path from "node:path";
import { expect, it } from "vitest";
import { contentsOf, type Files, lay, ownership, planOf, stateOf, temporaryFolder } from "../../test/output/folder.ts";
import { textFile } from "../file.ts";
import { openPublication } from "./publication.ts";

async function publish(out: string, files: Files, beside: Files): Promise<void> {
  const options = { ownership, beside: ownership, needsBeside: true, onWait: () => undefined };
  const publication = await openPublication(out, options);
  try {
    const besideFiles = Object.entries(beside).map(([file, text]) => textFile(file, text));
    await publication.write({ ...planOf(files), beside: besideFiles }, () => undefined);
  } finally {
    publication.close();
  }
}

const [older, newer] = [{ "api/v1/a.json": "1" }, { "api/v1/a.json": "2" }];

it.each<[string, Files, string]>([
  ["a folder in a file's place", { "program/b.conf/notes.txt": "foreign" }, "program/b.conf is a folder"],
  ["a file in a folder's place", { program: "foreign" }, "program is a file"],
])("%s in the folder beside is refused before anything changes", async (_, obstacle, message) => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  await publish(out, older, {});
  lay(path.join(parent, "dist.hosts"), obstacle);
  const before = stateOf(parent);
  await expect(publish(out, newer, { "program/b.conf": "new" })).rejects.toThrow(message);
  expect(stateOf(parent)).toEqual(before);
});

it("a folder beside with files that the program did not write is refused before anything changes", async () => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  lay(parent, { "dist.hosts/notes.txt": "foreign" });
  await expect(publish(out, newer, { "program/b.conf": "new" })).rejects.toThrow("such as notes.txt");
  expect(contentsOf(parent)).toEqual({ "dist.hosts/": "", "dist.hosts/notes.txt": "foreign" });
});

it("a generator that throws for the folder beside leaves both as they are", async () => {
  const parent = temporaryFolder();
  const out = path.join(parent, "dist");
  await publish(out, older, { "program/b.conf": "old" });
  const before = stateOf(parent);
  await expect(publish(out, newer, { "program/b.conf": "new", "notes.txt": "not ours" })).rejects.toThrow("notes.txt");
  expect(stateOf(parent)).toEqual(before);
});
