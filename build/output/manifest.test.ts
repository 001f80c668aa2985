import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import { contentsOf, type Files, lay, planOf, stateOf, temporaryFolder } from "./fixture.ts";
import { intercept } from "./intercept-fixture.ts";
import { openOutput, writeOutput } from "./output.ts";

/** So many that a ledger is worthwhile. */
const files: Files = Object.fromEntries(
  Array.from({ length: 1_200 }, (_, index) => [`api/v1/${index % 7}/${index}.json`, `text ${index}`]),
);

const one = "api/v1/3/3.json";

async function write(out: string, ledgers: string, planned: Files = files): Promise<Change[]> {
  const changes: Change[] = [];
  await writeOutput(
    out,
    { ...planOf(planned), ledgers },
    (change) => changes.push(change),
    () => undefined,
  );
  return changes.filter(({ kind }) => kind !== "kept");
}

/** How many files of the out folder a build reads, and how many folders it lists. */
async function countReads(out: string, ledgers: string): Promise<number> {
  let count = 0;
  await intercept(
    () => write(out, ledgers),
    ["readFileSync", "readdirSync"],
    (_, __, target) => {
      if (target.startsWith(path.join(out, "api"))) count++;
    },
  );
  return count;
}

async function begin() {
  const parent = temporaryFolder();
  const [out, ledgers] = [path.join(parent, "dist"), path.join(parent, "ledgers")];
  await write(out, ledgers);
  const [ledger = ""] = readdirSync(ledgers);
  // Files that are written in the same tick of the file system's clock as the ledger are read once more.
  await sleep(20);
  await write(out, ledgers);
  return { parent, out, ledgers, ledger: path.join(ledgers, ledger) };
}

it("a build over an untouched one reads none of its files and folders, and leaves all as it is", async () => {
  const { parent, out, ledgers } = await begin();
  const before = stateOf(parent).filter(({ name }) => name !== "ledgers/");
  expect(await countReads(out, ledgers)).toBe(0);
  expect(stateOf(parent).filter(({ name }) => name !== "ledgers/")).toEqual(before);
});

it("only files that are others than before are written and removed", async () => {
  const { out, ledgers } = await begin();
  const { [one]: _, ...rest } = files;
  const changes = await write(out, ledgers, { ...rest, "api/v1/0/0.json": "TEXT 0", "api/v1/9/9.json": "new" });
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
    const { out, ledgers } = await begin();
    const before = contentsOf(out);
    tamper(path.join(out, one), out);
    await write(out, ledgers);
    expect(contentsOf(out)).toEqual(before);
  });

  it("that the out folder is an older one, moved back", async () => {
    const { parent, out, ledgers } = await begin();
    renameSync(out, path.join(parent, "older"));
    const newer = { ...files, [one]: "newer" };
    await write(out, ledgers, newer);
    rmSync(out, { recursive: true });
    renameSync(path.join(parent, "older"), out);
    await write(out, ledgers, newer);
    expect(contentsOf(out)[one]).toBe("newer");
  });

  it("and names the files of others", async () => {
    const { out, ledgers } = await begin();
    lay(out, { "robots.txt": "of others" });
    for (const _ of ["noticed", "remembered"]) {
      const { foreign } = await writeOutput(
        out,
        { ...planOf(files), ledgers },
        () => undefined,
        () => undefined,
      );
      expect(foreign).toEqual(["robots.txt"]);
    }
  });
});

/** So many that a second thread is worth its start. */
const many: Files = Object.fromEntries(
  Array.from({ length: 12_000 }, (_, index) => [`api/v1/${index % 7}/${index}.json`, `text ${index}`]),
);

it.each<[string, (out: string, ledgers: string) => unknown]>([
  ["another build comes between", (out, ledgers) => write(out, ledgers, { ...many, [one]: "newer" })],
  ["a file is replaced", (out) => renameSync(path.join(out, "api/v1/4/4.json"), path.join(out, one))],
  ["a file is removed", (out) => rmSync(path.join(out, one))],
  ["nothing happens", () => undefined],
])("what was seen before the build had the lock is not trusted where it may have changed: %s", async (_, meddle) => {
  const parent = temporaryFolder();
  const [out, ledgers] = [path.join(parent, "dist"), path.join(parent, "ledgers")];
  await write(out, ledgers, many);
  await sleep(20);
  const opened = openOutput(out, ledgers);
  try {
    expect(opened?.remains.files.length).toBe(12_001);
    // Every file has been looked at by then, or will be later: the outcome is the same.
    await sleep(500);
    await meddle(out, ledgers);
    const plan = { ...planOf(many), ledgers, opened };
    await writeOutput(
      out,
      plan,
      () => undefined,
      () => undefined,
    );
  } finally {
    await opened?.close();
  }
  expect(contentsOf(out)).toMatchObject(many);
});

it("two threads notice what one does, wherever it is", async () => {
  const parent = temporaryFolder();
  const [out, ledgers] = [path.join(parent, "dist"), path.join(parent, "ledgers")];
  await write(out, ledgers, many);
  await sleep(20);
  await write(out, ledgers, many);
  expect(await write(out, ledgers, many)).toEqual([]);
  const before = contentsOf(out);
  const names = Object.keys(many);
  const tampered = [0, 1, 5_000, 6_000, 7_000, 11_998, 11_999].map((index) => names[index] ?? "");
  for (const [index, file] of tampered.entries()) {
    if (index % 2 === 0) writeFileSync(path.join(out, file), (many[file] ?? "").toUpperCase());
    else rmSync(path.join(out, file));
  }
  const changes = await write(out, ledgers, many);
  expect(changes.map(({ file }) => file)).toEqual(tampered);
  expect(contentsOf(out)).toEqual(before);
});

it.each<[string, (text: string) => string]>([
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, text.length / 2)],
  ["not of this form", (text) => text.replace("ledger 2", "ledger 0")],
  ["of another folder", (text) => text.replace(/^(\["[^"]+",\d+,\d+,)\d+/, "$10")],
  ["of the future", (text) => text.replace(/^(\["[^"]+",\d+,\d+,\d+,)/, "$19")],
  ["not text", () => "\u0000\ufffd[1"],
])("files are compared where the ledger is %s", async (_, spoil) => {
  const { out, ledgers, ledger } = await begin();
  const before = contentsOf(out);
  const text = readFileSync(ledger, "latin1");
  const spoilt = spoil(text);
  expect(spoilt).not.toBe(text);
  writeFileSync(ledger, spoilt, "latin1");
  expect(await countReads(out, ledgers)).toBeGreaterThanOrEqual(1_200);
  expect(contentsOf(out)).toEqual(before);
  expect(await countReads(out, ledgers)).toBeLessThan(1_200);
});

it("a build does without a ledger where none can be kept", async () => {
  const parent = temporaryFolder();
  lay(parent, { ledgers: "a file" });
  await write(path.join(parent, "dist"), path.join(parent, "ledgers"));
  expect(contentsOf(path.join(parent, "dist"))).toMatchObject(files);
});
