// Wherever a build stops, no file is torn, no file exists before the files that it names, and the next build completes the
// work. Each call by which a build changes the disk is in turn the last one of its process, or fails, or finds the lock
// lost.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentsOf,
  endLocks,
  type Files,
  lay,
  marker,
  ours,
  planOf,
  stateOf,
  temporaryFolder,
  write,
} from "../../test/output/folder.ts";
import { type Call, changing, intercept, reading, real } from "../../test/output/intercept.ts";
import { earlyIn } from "../../test/output/publication.ts";
import { rounds, seed } from "../../test/seed.ts";

/** Lets a build make so many changes to the disk and no more, and tears the one it is at. Whether it was stopped. */
async function kill(work: () => Promise<unknown>, changes: number): Promise<boolean> {
  let killed = false;
  const stop = (index: number, call: Call, target: string) => {
    if (index < changes) return;
    if (!killed && (call === "openSync" || call === "writeFileSync")) real.writeFileSync(target, "to");
    if (!killed && call === "rmSync") tearDown(target);
    killed = true;
    throw new Error("killed");
  };
  await intercept(work, changing, stop).catch((error) => {
    if (!killed) throw error;
  });
  return killed;
}

/** Removes the first file or folder that there is to remove, as a killed rmSync does. */
function tearDown(folder: string): void {
  const [first] = real.readdirSync(folder, { withFileTypes: true });
  if (first === undefined) return;
  const full = path.join(folder, first.name);
  if (!first.isDirectory()) real.unlinkSync(full);
  else if (real.readdirSync(full).length > 0) tearDown(full);
  else real.rmdirSync(full);
}

const filesBefore: Files = {
  "api/v1/changes.json": "old",
  "api/v1/changes.xml": "old",
  "api/v1/cursors.json": "old",
  "api/v1/docs/changes.html": "old",
  "api/v1/kept.json": "kept",
  "api/v1/changed.json": "old",
  "api/v1/both/changed.json": "old",
  "api/v1/both/stale.json": "old",
  "api/v1/stale/a.json": "old",
  "api/v1/stale/inner/b.json": "old",
  "api/v1/folder/a.json": "old",
  "api/v1/file.json/a/b.json": "old",
  "entry.html": "old",
  "old/entry.html": "old",
  [marker]: ours("entry.html", "old/entry.html"),
};

const fresh: Files = {
  "api/v1/changes.json": "new",
  "api/v1/changes.xml": "new",
  "api/v1/cursors.json": "new",
  "api/v1/docs/changes.html": "new",
  "api/v1/kept.json": "kept",
  "api/v1/changed.json": "a longer, new text",
  "api/v1/added.json": "new",
  "api/v1/both/changed.json": "new",
  "api/v1/both/added.json": "new",
  "api/v1/new/a.json": "new",
  "api/v1/new/inner/b.json": "new",
  "api/v1/folder": "new",
  "api/v1/file.json": "new",
  "entry.html": "new",
  "new/entry.html": "new",
};

const owned = ["entry.html", "new/entry.html"];

const complete: Files = {
  "dist/": "",
  "dist/api/": "",
  "dist/api/v1/": "",
  "dist/api/v1/both/": "",
  "dist/api/v1/docs/": "",
  "dist/api/v1/new/": "",
  "dist/api/v1/new/inner/": "",
  "dist/new/": "",
  "dist/routing.json": ours(...owned),
  ...Object.fromEntries(Object.entries(fresh).map(([file, text]) => [`dist/${file}`, text])),
};

const claimed = ours("entry.html", "old/entry.html", "new/entry.html");
const texts = new Set(["", claimed, ours(...owned), ...Object.values(filesBefore), ...Object.values(fresh)]);

/** The files before a build into dist, and the least number of changes that the build makes on the disk. */
const starts: readonly [string, (parent: string, out: string) => Promise<void>, number][] = [
  ["no folder", async () => undefined, 15],
  ["an empty folder", async (_, out) => lay(out, { "./": "" }), 15],
  ["an older build", async (_, out) => lay(out, filesBefore), 25],
  [
    "what killed builds have left",
    async (parent, out) => {
      lay(out, filesBefore);
      const work = () =>
        write(out, planOf({ ...fresh, "api/v1/both/more.json": "new", "api/v1/more/a.json": "new" }, ...owned));
      for (const changes of [1, 15, 24, 33]) {
        expect(await kill(work, changes)).toBe(true);
        endLocks(parent);
      }
    },
    25,
  ],
];

/** Builds are stopped at every third call, from one that the seed chooses; in .ci/run at every call. */
const stride = Math.ceil(3 / rounds);
const begins = seed % stride;

const templates = mkdtempSync(path.join(tmpdir(), "stillapi-kill-"));
afterAll(() => rmSync(templates, { recursive: true }));

/** Begins from a copy of `template`, which `start` has made. */
function begin(template: string) {
  const parent = temporaryFolder();
  cpSync(template, parent, { recursive: true });
  endLocks(parent);
  const out = path.join(parent, "dist");
  return { parent, out, build: () => write(out, planOf(fresh, ...owned)) };
}

/** The files of the out folder, without staging folders. */
const filesOf = (parent: string): Files =>
  Object.fromEntries(Object.entries(contentsOf(parent)).filter(([name]) => /^dist\/.*[^/]$/.test(name)));

const withoutDist = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name.slice("dist/".length), text]));

const ownerForm = /(?<=[\d.]-)[0-9a-f]{8}(?=-)/;

/** The owners of all staging folders. */
const ownersOf = (parent: string): Set<string> =>
  new Set(Object.keys(contentsOf(parent)).flatMap((name) => ownerForm.exec(name) ?? []));

/** Files that are not whole. */
const faultyFiles = (parent: string): readonly (readonly [string, string])[] =>
  Object.entries(filesOf(parent)).filter(([, text]) => !texts.has(text));

async function expectNextBuildToBeComplete(parent: string, build: () => Promise<unknown>): Promise<void> {
  endLocks(parent);
  await build();
  expect(contentsOf(parent)).toEqual(complete);
}

describe.each(starts)("over %s", { timeout: 600_000 }, (name, start, least) => {
  const template = path.join(templates, name);

  beforeAll(async () => {
    mkdirSync(template);
    await start(template, path.join(template, "dist"));
  });

  it("a kill at any moment leaves every file whole, and the next build puts all right", async () => {
    for (let changes = begins; ; changes += stride) {
      const { parent, build } = begin(template);
      const before = withoutDist(filesOf(parent));
      const killed = await kill(build, changes);
      expect(faultyFiles(parent)).toEqual([]);
      expect({ changes, early: earlyIn(withoutDist(filesOf(parent)), before, fresh) }).toEqual({ changes, early: [] });
      await expectNextBuildToBeComplete(parent, build);
      if (killed) continue;
      expect(changes).toBeGreaterThanOrEqual(least);
      break;
    }
  });

  // Without renames across folders, builds stage inside of the out folder.
  it.each(name === "an older build" ? ["ENOSPC", "EXDEV"] : ["ENOSPC"])(
    "a call that fails with %s leaves every file whole, and if it was to make something, all as it was",
    async (code) => {
      for (let calls = begins; ; calls += stride) {
        const { parent, build } = begin(template);
        const state = () => stateOf(parent).filter(({ name }) => name.startsWith("dist"));
        const before = state();
        const owners = ownersOf(parent);
        const failure = Object.assign(new Error(`${code}: injected`), { code, syscall: "test" });
        let failed: Call | undefined;
        const fail = (index: number, call: Call) => {
          if (index !== calls) return;
          failed = call;
          throw failure;
        };
        let outcome: unknown = "built";
        await intercept(build, [...changing, ...reading], fail).catch((error) => {
          outcome = error;
        });
        if (outcome !== "built") expect(outcome).toBe(failure);
        expect(faultyFiles(parent)).toEqual([]);
        if (failed === "mkdirSync" || failed === "openSync" || failed === "writeFileSync") {
          expect(state()).toEqual(before);
          expect([...ownersOf(parent)].filter((owner) => !owners.has(owner))).toEqual([]);
        }
        await expectNextBuildToBeComplete(parent, build);
        if (failed !== undefined) continue;
        expect(outcome).toBe("built");
        expect(calls).toBeGreaterThanOrEqual(least);
        break;
      }
    },
  );

  it("a build that has lost the lock moves nothing more, and says so", async () => {
    for (let changes = begins; ; changes += stride) {
      const { parent, build } = begin(template);
      const staging = path.join(parent, ".dist.staging");
      const owners = ownersOf(parent);
      let reached = false;
      let files: Files | undefined;
      const lose = (index: number) => {
        if (index !== changes) return;
        reached = true;
        const [owner] = real.existsSync(staging) ? real.readdirSync(staging) : [];
        if (owner === undefined || owners.has(ownerForm.exec(owner)?.[0] ?? "")) return;
        real.rmSync(staging, { recursive: true });
        files = filesOf(parent);
      };
      let outcome: unknown = "built";
      await intercept(build, changing, lose).catch((error) => {
        outcome = error instanceof Error ? error.message : error;
      });
      if (files !== undefined) expect(filesOf(parent)).toEqual(files);
      if (outcome !== "built") {
        expect(outcome).toBe("This build stalled for a minute, and another one took over its output folder.");
      }
      await expectNextBuildToBeComplete(parent, build);
      if (!reached) break;
    }
  });
});
