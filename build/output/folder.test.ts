import { mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentsOf,
  type Files,
  lay,
  marker,
  mount,
  planOf,
  stateOf,
  temporaryFolder,
  write,
  writeOutput,
} from "../../test/output/folder.ts";
import { textFile } from "../file.ts";
import type { Change } from "./stage.ts";

const api = { "api/": "", "api/v1/": "" };

describe("the out folder", () => {
  it.each([
    ["a plain name", "dist"],
    ["spaces in its name", " with spaces "],
    ["letters of every script", "ünïcödé 中文 🎉"],
    ["what means something in a glob", "[glob]*{a,b}?!(x)"],
    ["what means something on a command line", "--dash"],
    ["what means something in a URL", "%20"],
    ["a backslash in its name", "back\\slash"],
    ["the longest name there is", "x".repeat(255)],
    ["the longest name of wide letters", "🎉".repeat(63)],
  ])("may have %s", async (_, name) => {
    const parent = temporaryFolder();
    const out = path.join(parent, name);
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/b.json": "2" }));
    const { changes } = await write(out, planOf({ "api/v1/a.json": "3" }));
    expect(changes).toEqual(["kept routing.json", "removed api/v1/b.json", "written api/v1/a.json"]);
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "3", [marker]: "ours" });
    expect(readdirSync(parent)).toEqual([name]);
  });

  it("is made with the parents it lacks", async () => {
    const parent = temporaryFolder();
    await write(path.join(parent, "a/b/../c/dist"), planOf({}));
    expect(contentsOf(parent)).toEqual({ "a/": "", "a/c/": "", "a/c/dist/": "", [`a/c/dist/${marker}`]: "ours" });
  });

  it.each<[string, Files]>([
    ["is empty", {}],
    ["holds nothing but empty folders", { "logs/": "", "api/": "" }],
  ])("may be there already if it %s", async (_, before) => {
    const out = temporaryFolder();
    lay(out, before);
    expect(await write(out, planOf({ "api/v1/a.json": "1" }))).toEqual({
      changes: ["written api/v1/a.json", "written routing.json"],
      foreign: [],
    });
    expect(contentsOf(out)).toEqual({ ...before, ...api, "api/v1/a.json": "1", [marker]: "ours" });
  });

  it("may be a link to a folder", async () => {
    const parent = temporaryFolder();
    mkdirSync(path.join(parent, "site"));
    symlinkSync("site", path.join(parent, "dist"));
    await write(path.join(parent, "dist"), planOf({ "api/v1/a.json": "1" }));
    await write(path.join(parent, "dist"), planOf({ "api/v1/a.json": "2" }));
    expect(contentsOf(path.join(parent, "site"))).toEqual({ ...api, "api/v1/a.json": "2", [marker]: "ours" });
    expect(contentsOf(parent)).toMatchObject({ dist: "→ site" });
    expect(readdirSync(parent)).toEqual(["dist", "site"]);
  });

  it.for<[string, (elsewhere: string) => string[]]>([
    ["another file system", () => ["-t", "tmpfs", "tmpfs"]],
    ["another folder of the file system", (elsewhere) => ["--bind", elsewhere]],
  ])("may be the mount point of %s", async ([, args], { skip }) => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    mount(skip, out, ...args(temporaryFolder()));
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/old/b.json": "2" }));
    await write(out, planOf({ "api/v1/a.json": "3" }));
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "3", [marker]: "ours" });
    expect(readdirSync(parent)).toEqual(["dist"]);
  });

  it.each([0, 1])("loses what killed builds left in it when it was a mount point", async (first) => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1" }));
    const left = ["1-0123abcd-elsewhere", "2-0123abcd-elsewhere"];
    for (const folder of [`.staging-${left[1]}`, `.staging/${left[0]}`].slice(first, first + 1)) {
      lay(out, { [`${folder}/single/1`]: "torn" });
      utimesSync(path.join(out, folder), 1, 1);
    }
    await write(out, planOf({ "api/v1/a.json": "1" }));
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", [marker]: "ours" });
  });

  it.each<[string, (parent: string) => void, string]>([
    ["a file", (parent) => lay(parent, { dist: "text" }), "dist is not a folder."],
    [
      "a link that leads nowhere",
      (parent) => symlinkSync("gone", path.join(parent, "dist")),
      "dist is a link to a folder that is not there.",
    ],
    [
      "a folder with files that the program did not write",
      (parent) => lay(parent, { "dist/b/c.txt": "1", "dist/b.txt": "2" }),
      "dist holds files that this program did not write, such as b.txt.",
    ],
    [
      "a folder with nothing but a link",
      (parent) => {
        lay(parent, { "dist/": "" });
        symlinkSync("/", path.join(parent, "dist/root"));
      },
      "dist holds files that this program did not write, such as root.",
    ],
    [
      "a folder with somebody else's routing.json",
      (parent) => lay(parent, { [`dist/${marker}`]: '{"routes":[]}' }),
      "dist holds files that this program did not write, such as routing.json.",
    ],
    [
      "a folder whose routing.json is a link",
      (parent) => {
        lay(parent, { ours: "ours", "dist/": "" });
        symlinkSync("../ours", path.join(parent, "dist", marker));
      },
      "dist holds files that this program did not write, such as routing.json.",
    ],
  ])("is refused and left as it is where it is %s", async (_, prepare, message) => {
    const parent = temporaryFolder();
    prepare(parent);
    const before = stateOf(path.join(parent));
    const out = path.join(parent, "dist");
    await expect(write(out, planOf({ "api/v1/a.json": "1" }))).rejects.toThrow(path.join(parent, message));
    expect(stateOf(parent)).toEqual(before);
  });
});

// With the marker, 2,200 files fill the first batch of the second thread and leave nothing for its last one.
it.each([2_198, 2_199, 2_200])("holds all of %i files, whichever thread writes them", async (count) => {
  const out = path.join(temporaryFolder(), "dist");
  const files = Object.fromEntries(Array.from({ length: count }, (_, index) => [`api/v1/${index}.json`, `${index}`]));
  await write(out, planOf(files));
  expect(contentsOf(out)).toEqual({ ...api, ...files, [marker]: "ours" });
});

describe("a further build", () => {
  it("writes what is new or changed, removes what is stale and leaves all else alone", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/changed.json": "1", "api/v1/kept.json": "2", "api/v1/x/y/stale.json": "3" }));
    lay(out, { "notes.txt": "foreign", "api/v1/notes.txt": "foreign", "api/v1/x/notes.txt": "foreign" });
    symlinkSync("notes.txt", path.join(out, "link"));
    utimesSync(path.join(out, "api/v1/kept.json"), 1, 1);
    const before = stateOf(out);
    expect(
      await write(out, planOf({ "api/v1/changed.json": "4", "api/v1/kept.json": "2", "api/v1/n/w.json": "5" })),
    ).toEqual({
      changes: [
        "kept api/v1/kept.json",
        "kept routing.json",
        "removed api/v1/x/y/stale.json",
        "written api/v1/changed.json",
        "written api/v1/n/w.json",
      ],
      foreign: ["api/v1/notes.txt", "api/v1/x/notes.txt", "link", "notes.txt"],
    });
    expect(contentsOf(out)).toEqual({
      ...api,
      "api/v1/changed.json": "4",
      "api/v1/kept.json": "2",
      "api/v1/n/": "",
      "api/v1/n/w.json": "5",
      "api/v1/notes.txt": "foreign",
      "api/v1/x/": "",
      "api/v1/x/notes.txt": "foreign",
      link: "→ notes.txt",
      "notes.txt": "foreign",
      [marker]: "ours",
    });
    const touched = ["api/", "api/v1/", "api/v1/changed.json", "api/v1/x/", "api/v1/x/y/", "api/v1/x/y/stale.json"];
    expect(stateOf(out)).toEqual(expect.arrayContaining(before.filter(({ name }) => !touched.includes(name))));
  });

  it("removes what the last build owned, although this one would not write it any more", async () => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1", "old/b.json": "2", "old/c/d.json": "3" }, "ours, and old/"));
    lay(out, { "older.json": "foreign" });
    expect(await write(out, planOf({ "api/v1/a.json": "1" }))).toEqual({
      changes: ["kept api/v1/a.json", "removed old/b.json", "removed old/c/d.json", "written routing.json"],
      foreign: ["older.json"],
    });
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", "older.json": "foreign", [marker]: "ours" });
  });

  it("writes every file again where that is asked for", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const plan = planOf({ "api/v1/a.json": "1" });
    await write(out, plan);
    expect((await write(out, plan, { clean: true })).changes).toEqual([
      "written api/v1/a.json",
      "written routing.json",
    ]);
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", [marker]: "ours" });
  });

  it("reports the size in bytes of each file before and after", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const changes: Change[] = [];
    const note = (change: Change) => changes.push(change);
    await writeOutput(out, planOf({ "api/v1/a.json": "é", "api/v1/b.json": "12345" }), note);
    await writeOutput(out, planOf({ "api/v1/a.json": "123" }), note);
    expect(changes).toEqual([
      { file: marker, files: 1, kind: "written", before: undefined, after: 4 },
      { file: "api/v1/a.json", files: 1, kind: "written", before: undefined, after: 2 },
      { file: "api/v1/b.json", files: 1, kind: "written", before: undefined, after: 5 },
      { file: marker, files: 1, kind: "kept", before: 4, after: 4 },
      { file: "api/v1/a.json", files: 1, kind: "written", before: 2, after: 3 },
      { file: "api/v1/b.json", files: 1, kind: "removed", before: 5, after: undefined },
    ]);
  });

  it("removes the folders that hold nothing any more, all that hold nothing below api/, and no others", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/a/b/c.json": "1", "api/v1/d.json": "2", "program/e/f.js": "3" }));
    lay(out, { "api/v1/g/h/": "", "api-docs/": "", "logs/today/": "" });
    await write(out, planOf({ "api/v1/d.json": "2" }));
    const others = { "api-docs/": "", "logs/": "", "logs/today/": "" };
    expect(contentsOf(out)).toEqual({ ...others, ...api, "api/v1/d.json": "2", [marker]: "ours" });
  });

  it("puts right what was tampered with, whatever its size and time", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/a.json": "1" }));
    lay(out, { "api/v1/a.json": "2", "api/v1/b.json": "3" });
    utimesSync(path.join(out, "api/v1/a.json"), 1, 1);
    await write(out, planOf({ "api/v1/a.json": "1" }));
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", [marker]: "ours" });
  });

  it.each<[string, (out: string) => void, string]>([
    [
      "a link to a file below api/",
      (out) => symlinkSync("/dev/null", path.join(out, "api/v1/notes")),
      "api/v1/notes is a link or a special file, and builds write only plain files there.",
    ],
    [
      "a link to a folder below api/",
      (out) => symlinkSync("/", path.join(out, "api/v1/new")),
      "api/v1/new is a link or a special file, and builds write only plain files there.",
    ],
    [
      "a folder in the place of a file",
      (out) => lay(out, { "api/v1/new/a.json/notes.txt": "foreign" }),
      "api/v1/new/a.json is a folder, but the build writes a file there.",
    ],
    [
      "an empty folder in the place of a file",
      (out) => lay(out, { "api/v1/new/a.json/": "" }),
      "api/v1/new/a.json is a folder, but the build writes a file there.",
    ],
    [
      "a file in the place of a folder",
      (out) => lay(out, { "api/v1/new": "foreign" }),
      "api/v1/new is a file, but the build needs a folder there.",
    ],
  ])("refuses %s and changes nothing", async (_, prepare, message) => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/b.json": "2" }));
    prepare(out);
    const before = stateOf(parent);
    const plan = planOf({ "api/v1/a.json": "3", "api/v1/new/a.json": "4" });
    await expect(write(out, plan)).rejects.toThrow(path.join(out, message));
    expect(stateOf(parent)).toEqual(before);
  });
});

describe("a fault of ours", () => {
  const a = textFile("api/v1/a.json", "3");

  it.each([
    ["a generator that throws", [a], "half-way"],
    ["two files of one path", [a, a], "Two files of one build have the path api/v1/a.json."],
    [
      "a path of a form that is not ours",
      [a, textFile("b.txt", "1")],
      "The next build would not know the path b.txt as ours.",
    ],
  ])("such as %s is thrown and changes nothing", async (_, list, message) => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/b.json": "2" }));
    const before = stateOf(parent);
    const files = function* () {
      yield* list;
      throw new Error("half-way");
    };
    await expect(write(out, { ...planOf({}), files: files() })).rejects.toThrow(message);
    await expect(write(path.join(parent, "c/d/dist"), { ...planOf({}), files: files() })).rejects.toThrow(message);
    expect(stateOf(parent)).toEqual(before);
  });
});
