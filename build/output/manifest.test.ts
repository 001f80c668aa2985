import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import { contentsOf, type Files, lay, ownership, planOf, stateOf, temporaryFolder, writeOutput } from "./fixture.ts";
import { openOutput } from "./folder.ts";
import { intercept } from "./intercept-fixture.ts";

/** So many that a manifest is worthwhile. */
const files: Files = Object.fromEntries(
  Array.from({ length: 1_200 }, (_, index) => [`api/v1/${index % 7}/${index}.json`, `text ${index}`]),
);

const one = "api/v1/3/3.json";

async function write(out: string, cache: string, planned: Files = files): Promise<Change[]> {
  const changes: Change[] = [];
  await writeOutput(out, planOf(planned), (change) => changes.push(change), { cache });
  return changes.filter(({ kind }) => kind !== "kept");
}

/** How many files of the out folder a build reads, and how many folders it lists. */
async function countReads(out: string, cache: string): Promise<number> {
  let count = 0;
  await intercept(
    () => write(out, cache),
    ["readFileSync", "readdirSync"],
    (_, __, target) => {
      if (target.startsWith(path.join(out, "api"))) count++;
    },
  );
  return count;
}

async function begin() {
  const parent = temporaryFolder();
  const [out, cache] = [path.join(parent, "dist"), path.join(parent, "manifests")];
  await write(out, cache);
  const [manifest = ""] = readdirSync(cache);
  // Files that are written in the same tick of the file system's clock as the manifest are read once more.
  await sleep(20);
  await write(out, cache);
  return { parent, out, cache, manifest: path.join(cache, manifest) };
}

it("a build over an untouched one reads none of its files and folders, and leaves all as it is", async () => {
  const { parent, out, cache } = await begin();
  const before = stateOf(parent).filter(({ name }) => name !== "manifests/");
  expect(await countReads(out, cache)).toBe(0);
  expect(stateOf(parent).filter(({ name }) => name !== "manifests/")).toEqual(before);
});

it("only files that differ from before are written and removed", async () => {
  const { out, cache } = await begin();
  const { [one]: _, ...rest } = files;
  const changes = await write(out, cache, { ...rest, "api/v1/0/0.json": "TEXT 0", "api/v1/9/9.json": "new" });
  expect(changes.map(({ kind, file }) => `${kind} ${file}`).sort()).toEqual([
    `removed ${one}`,
    "written api/v1/0/0.json",
    "written api/v1/9/9.json",
  ]);
});

describe("notices", () => {
  const text = files[one] ?? "";
  it.each<[string, (file: string, out: string) => void]>([
    ["another text", (file) => writeFileSync(file, "another text")],
    [
      "another text of the same length and time",
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, text.toUpperCase());
        utimesSync(file, atime, mtime);
      },
    ],
    ["that it is missing", (file) => rmSync(file)],
    ["that its folder is missing", (file) => rmSync(path.dirname(file), { recursive: true })],
    ["that it is another file", (file, out) => renameSync(path.join(out, "api/v1/4/4.json"), file)],
    [
      "that its folder is another one",
      (file) => {
        const folder = path.dirname(file);
        renameSync(folder, `${folder}-old`);
        lay(folder, { "3.json": text.toUpperCase() });
      },
    ],
    ["a file that is not planned", (_, out) => lay(out, { "api/v1/more.json": "more" })],
  ])("%s", async (_, tamper) => {
    const { out, cache } = await begin();
    const before = contentsOf(out);
    tamper(path.join(out, one), out);
    await write(out, cache);
    expect(contentsOf(out)).toEqual(before);
  });

  it("that the out folder is an older one, moved back", async () => {
    const { parent, out, cache } = await begin();
    renameSync(out, path.join(parent, "older"));
    const newer = { ...files, [one]: "newer" };
    await write(out, cache, newer);
    rmSync(out, { recursive: true });
    renameSync(path.join(parent, "older"), out);
    await write(out, cache, newer);
    expect(contentsOf(out)[one]).toBe("newer");
  });

  it("and names files that the program did not write", async () => {
    const { out, cache } = await begin();
    lay(out, { "robots.txt": "foreign" });
    for (const _ of ["noticed", "remembered"]) {
      const { foreign } = await writeOutput(out, planOf(files), () => undefined, { cache });
      expect(foreign).toEqual(["robots.txt"]);
    }
  });
});

/** So many that a second thread is worth its start. */
const many: Files = Object.fromEntries(
  Array.from({ length: 12_000 }, (_, index) => [`api/v1/${index % 7}/${index}.json`, `text ${index}`]),
);

it("a build notices what is done to files while it holds the lock, before it asks for them", async () => {
  const parent = temporaryFolder();
  const [out, cache] = [path.join(parent, "dist"), path.join(parent, "manifests")];
  await write(out, cache, many);
  await sleep(20);
  const output = await openOutput(out, { ownership, cache, onWait: () => undefined });
  const names = Object.keys(many);
  try {
    // The thread has started by then and is at work, or has not: the outcome is the same.
    writeFileSync(path.join(out, names[11_990] ?? ""), "TEXT");
    await output.write(planOf(many), () => undefined);
  } finally {
    await output.close();
  }
  expect(contentsOf(out)).toMatchObject(many);
});

describe("a process that builds again and again", () => {
  async function openTwice(meddle: (out: string, cache: string) => unknown, planned: Files) {
    const parent = temporaryFolder();
    const [out, cache] = [path.join(parent, "dist"), path.join(parent, "manifests")];
    const changes: Change[] = [];
    const output = await openOutput(out, { ownership, cache, onWait: () => undefined });
    try {
      await output.write(planOf(files), () => undefined);
      await output.unlock();
      await sleep(20);
      await meddle(out, cache);
      await output.lock();
      await output.write(planOf(planned), (change) => changes.push(change));
    } finally {
      await output.close();
    }
    expect(contentsOf(out)).toMatchObject(planned);
    return changes.filter(({ kind }) => kind !== "kept").map(({ kind, file }) => `${kind} ${file}`);
  }

  it.each<[string, (out: string, cache: string) => unknown, Files, readonly string[]]>([
    ["writes nothing where nothing changed", () => undefined, files, []],
    ["writes what changed", () => undefined, { ...files, [one]: "newer" }, [`written ${one}`]],
    [
      "notices a build of another process",
      (out, cache) => write(out, cache, { ...files, [one]: "x" }),
      files,
      [`written ${one}`],
    ],
    ["notices a file that was removed", (out) => rmSync(path.join(out, one)), files, [`written ${one}`]],
    [
      "notices a folder that was removed",
      (out) => rmSync(out, { recursive: true }),
      { [one]: "newer" },
      ["written routing.json", `written ${one}`],
    ],
  ])("%s", async (_, meddle, planned, expected) => {
    expect(await openTwice(meddle, planned)).toEqual(expected);
  });

  it("lets others build while it waits, and writes only with the lock", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const output = await openOutput(out, { ownership, onWait: () => undefined });
    await output.write(planOf(files), () => undefined);
    await output.unlock();
    await writeOutput(out, planOf({ [one]: "newer" }), () => undefined);
    await expect(output.write(planOf(files), () => undefined)).rejects.toThrow("Requires the lock.");
    await output.close();
    expect(contentsOf(out)[one]).toBe("newer");
  });
});

it("two threads notice what one does, wherever it is", async () => {
  const parent = temporaryFolder();
  const [out, cache] = [path.join(parent, "dist"), path.join(parent, "manifests")];
  await write(out, cache, many);
  await sleep(20);
  await write(out, cache, many);
  expect(await write(out, cache, many)).toEqual([]);
  const before = contentsOf(out);
  const names = Object.keys(many);
  const tampered = [0, 1, 5_000, 6_000, 7_000, 11_998, 11_999].map((index) => names[index] ?? "");
  for (const [index, file] of tampered.entries()) {
    if (index % 2 === 0) writeFileSync(path.join(out, file), (many[file] ?? "").toUpperCase());
    else rmSync(path.join(out, file));
  }
  const changes = await write(out, cache, many);
  expect(changes.map(({ file }) => file)).toEqual(tampered);
  expect(contentsOf(out)).toEqual(before);
});

it.each<[string, (text: string) => string]>([
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, text.length / 2)],
  ["not of this form", (text) => text.replace("manifest 3", "manifest 0")],
  ["of another folder", (text) => text.replace(/^(\["[^"]+",\d+,\d+,)\d+/, "$10")],
  ["of the future", (text) => text.replace(/^(\["[^"]+",\d+,\d+,\d+,)/, "$19")],
  ["not text", () => "\u0000\ufffd[1"],
])("files are compared where the manifest is %s", async (_, spoil) => {
  const { out, cache, manifest } = await begin();
  const before = contentsOf(out);
  const text = readFileSync(manifest, "latin1");
  const spoilt = spoil(text);
  expect(spoilt).not.toBe(text);
  writeFileSync(manifest, spoilt, "latin1");
  expect(await countReads(out, cache)).toBeGreaterThanOrEqual(1_200);
  expect(contentsOf(out)).toEqual(before);
  expect(await countReads(out, cache)).toBeLessThan(1_200);
});

it("a build does without a manifest where none can be kept", async () => {
  const parent = temporaryFolder();
  lay(parent, { manifests: "a file" });
  await write(path.join(parent, "dist"), path.join(parent, "manifests"));
  expect(contentsOf(path.join(parent, "dist"))).toMatchObject(files);
});
