import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentsOf,
  type Files,
  lay,
  marker,
  mount,
  ours,
  planOf,
  stateOf,
  temporaryFolder,
  write,
  writeOutput,
} from "../../test/output/folder.ts";
import { intercept } from "../../test/output/intercept.ts";
import { textFile } from "../files/file.ts";
import type { FileChange } from "./folder.ts";

const api = { "api/": "", "api/v1/": "" };
const mark = ours();

describe("the out folder", () => {
  it.each([
    ["spaces and letters of every script in its name", " ünïcödé 中文 🎉 "],
    ["what means something elsewhere", "--[glob]*{a,b}?!(x)%20\\"],
    ["the longest name of wide letters", "🎉".repeat(63)],
  ])("may have %s", async (_, name) => {
    const parent = temporaryFolder();
    const out = path.join(parent, name);
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/b.json": "2" }));
    const changes = await write(out, planOf({ "api/v1/a.json": "3" }));
    expect(changes).toEqual(["kept routing.json", "removed api/v1/b.json", "written api/v1/a.json"]);
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "3", [marker]: mark });
    expect(readdirSync(parent)).toEqual([name]);
  });

  it("is made with the parents it lacks", async () => {
    const parent = temporaryFolder();
    await write(path.join(parent, "a/b/../c/dist"), planOf({}));
    expect(contentsOf(parent)).toEqual({ "a/": "", "a/c/": "", "a/c/dist/": "", [`a/c/dist/${marker}`]: mark });
  });

  it.each<[string, Files]>([
    ["is empty", {}],
    ["holds nothing but empty folders", { "logs/": "", "api/": "" }],
  ])("may be there already if it %s", async (_, before) => {
    const out = temporaryFolder();
    lay(out, before);
    expect(await write(out, planOf({ "api/v1/a.json": "1" }))).toEqual([
      "written api/v1/a.json",
      "written routing.json",
    ]);
    expect(contentsOf(out)).toEqual({ ...before, ...api, "api/v1/a.json": "1", [marker]: mark });
  });

  it("may be a link to a folder", async () => {
    const parent = temporaryFolder();
    mkdirSync(path.join(parent, "site"));
    symlinkSync("site", path.join(parent, "dist"));
    await write(path.join(parent, "dist"), planOf({ "api/v1/a.json": "1" }));
    await write(path.join(parent, "dist"), planOf({ "api/v1/a.json": "2" }));
    expect(contentsOf(path.join(parent, "site"))).toEqual({ ...api, "api/v1/a.json": "2", [marker]: mark });
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
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "3", [marker]: mark });
    expect(readdirSync(parent)).toEqual(["dist"]);
  });

  it("loses what a killed build left in it when it was a mount point", async () => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1" }));
    lay(out, { ".staging/1-0123abcd-elsewhere/files/1": "torn" });
    utimesSync(path.join(out, ".staging/1-0123abcd-elsewhere"), 1, 1);
    await write(out, planOf({ "api/v1/a.json": "1" }));
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", [marker]: mark });
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
      "dist holds files that stillapi did not write, such as b.txt.",
    ],
    [
      "a folder with nothing but a link",
      (parent) => {
        lay(parent, { "dist/": "" });
        symlinkSync("/", path.join(parent, "dist/root"));
      },
      "dist holds files that stillapi did not write, such as root.",
    ],
    [
      "a folder with somebody else's routing.json",
      (parent) => lay(parent, { [`dist/${marker}`]: '{"routes":[]}' }),
      "dist holds files that stillapi did not write, such as routing.json.",
    ],
    [
      "a folder whose routing.json is a link",
      (parent) => {
        lay(parent, { ours: mark, "dist/": "" });
        symlinkSync("../ours", path.join(parent, "dist", marker));
      },
      "dist holds files that stillapi did not write, such as routing.json.",
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

describe("a further build", () => {
  it("writes what differs, removes whatever else is below the base, and leaves all else alone", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const filesBefore = { "api/v1/changed.json": "1", "api/v1/kept.json": "2", "api/v1/x/y/stale.json": "3" };
    await write(out, planOf(filesBefore));
    lay(out, { "notes.txt": "theirs", "api/v2/notes.txt": "theirs", "logs/today/": "" });
    lay(out, { "api/v1/notes.txt": "", "api/v1/x/notes.txt": "", "api/v1/g/h/": "" });
    symlinkSync("notes.txt", path.join(out, "link"));
    symlinkSync("../../notes.txt", path.join(out, "api/v1/link"));
    symlinkSync("/", path.join(out, "api/v1/x/root"));
    utimesSync(path.join(out, "api/v1/kept.json"), 1, 1);
    const before = stateOf(out);
    const changes = await write(
      out,
      planOf({ "api/v1/changed.json": "4", "api/v1/kept.json": "2", "api/v1/n/w.json": "5" }),
    );
    expect(changes).toEqual([
      "kept api/v1/kept.json",
      "kept routing.json",
      "removed api/v1/link",
      "removed api/v1/notes.txt",
      "removed api/v1/x/notes.txt",
      "removed api/v1/x/root",
      "removed api/v1/x/y/stale.json",
      "written api/v1/changed.json",
      "written api/v1/n/w.json",
    ]);
    expect(contentsOf(out)).toEqual({
      ...api,
      "api/v1/changed.json": "4",
      "api/v1/kept.json": "2",
      "api/v1/n/": "",
      "api/v1/n/w.json": "5",
      "api/v2/": "",
      "api/v2/notes.txt": "theirs",
      link: "→ notes.txt",
      "logs/": "",
      "logs/today/": "",
      "notes.txt": "theirs",
      [marker]: mark,
    });
    const kept = ["api/v1/kept.json", "api/v2/notes.txt", "notes.txt", marker];
    expect(stateOf(out)).toEqual(expect.arrayContaining(before.filter(({ name }) => kept.includes(name))));
  });

  it("removes files at which readers arrive before the folders to which these lead, and single items last", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const kept = { "api/v1/kept.json": "1", "api/v1/0/item/1.json": "1" };
    const stale = ["a.json", "a/limit/1.json", "b/c/1.json", "d.json", "e/1.json", "e/2.json", "0/item/2.json"];
    await write(out, planOf({ ...kept, ...Object.fromEntries(stale.map((name) => [`api/v1/${name}`, "1"])) }));
    const moved: string[] = [];
    await intercept(
      () => write(out, planOf(kept)),
      ["renameSync"],
      (_, __, from) => {
        if (from.startsWith(path.join(out, "api"))) moved.push(path.relative(path.join(out, "api/v1"), from));
      },
    );
    expect(moved).toEqual(["a.json", "d.json", "a", "b", "e", "0/item/2.json"]);
  });

  it("removes what the last build owned, although this one would not write it any more", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/a.json": "1", "old/b.json": "2", "x/entry.html": "3" }, "old/", "x/entry.html"));
    lay(out, { "older.json": "theirs", "old/c/theirs.json": "" });
    expect(await write(out, planOf({ "api/v1/a.json": "1" }))).toEqual([
      "kept api/v1/a.json",
      "removed old/b.json",
      "removed old/c/theirs.json",
      "removed x/entry.html",
      "written routing.json",
    ]);
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", "older.json": "theirs", [marker]: mark });
  });

  it.each<[string, Files, Files]>([
    ["a file where it needs a folder", { "api/v1/new": "old" }, { "api/v1/new/a.json": "1" }],
    ["a folder where it needs a file", { "api/v1/new.json/x/b.json": "old" }, { "api/v1/new.json": "1" }],
    ["an empty folder where it needs a file", { "api/v1/new.json/": "" }, { "api/v1/new.json": "1" }],
  ])("replaces %s", async (_, before, after) => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/a.json": "1" }));
    lay(out, before);
    await write(out, planOf(after));
    const files = Object.entries(contentsOf(out)).filter(([name]) => !name.endsWith("/"));
    expect(Object.fromEntries(files)).toEqual({ ...after, [marker]: mark });
  });

  it("reports the size in bytes of each file before and after", async () => {
    const out = path.join(temporaryFolder(), "dist");
    const changes: FileChange[] = [];
    const note = (change: FileChange) => changes.push(change);
    await writeOutput(out, planOf({ "api/v1/a.json": "é", "api/v1/b.json": "12345" }), note);
    await writeOutput(out, planOf({ "api/v1/a.json": "123" }), note);
    const { length } = mark;
    expect(changes).toEqual([
      { file: marker, kind: "written", before: undefined, after: length },
      { file: "api/v1/a.json", kind: "written", before: undefined, after: 2 },
      { file: "api/v1/b.json", kind: "written", before: undefined, after: 5 },
      { file: marker, kind: "kept", before: length, after: length },
      { file: "api/v1/a.json", kind: "written", before: 2, after: 3 },
      { file: "api/v1/b.json", kind: "removed", before: 5, after: undefined },
    ]);
  });

  it("puts right what was tampered with, whatever its size and time", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "api/v1/a.json": "1" }));
    lay(out, { "api/v1/a.json": "2", "api/v1/b.json": "3" });
    utimesSync(path.join(out, "api/v1/a.json"), 1, 1);
    await write(out, planOf({ "api/v1/a.json": "1" }));
    expect(contentsOf(out)).toEqual({ ...api, "api/v1/a.json": "1", [marker]: mark });
  });

  it("replaces a link below the base by its file, and leaves alone what the link leads to", async () => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a/b.json": "1", "api/v1/c.json": "2" }));
    lay(parent, { "elsewhere/b.json": "theirs" });
    renameSync(path.join(out, "api/v1/a"), path.join(parent, "aside"));
    symlinkSync("../../../elsewhere", path.join(out, "api/v1/a"));
    await write(out, planOf({ "api/v1/a/b.json": "1", "api/v1/c.json": "2" }));
    expect(contentsOf(out)).toMatchObject({ "api/v1/a/": "", "api/v1/a/b.json": "1" });
    expect(contentsOf(path.join(parent, "elsewhere"))).toEqual({ "b.json": "theirs" });
  });

  it.each<[string, (out: string) => void, string]>([
    ["a file that it did not write", (out) => lay(out, { "entry.html": "theirs" }), "entry.html"],
    ["a link at the place of a file", (out) => symlinkSync("notes", path.join(out, "entry.html")), "entry.html"],
    ["a folder at the place of a file", (out) => lay(out, { "entry.html/": "" }), "entry.html"],
    ["a file below the base that it takes next", (out) => lay(out, { "v2/a/theirs.json": "" }), "v2/a/theirs.json"],
    ["a link at the place of the base that it takes next", (out) => symlinkSync("api", path.join(out, "v2")), "v2"],
  ])("refuses %s, and changes nothing", async (_, prepare, name) => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf({ "api/v1/a.json": "1", "api/v1/b.json": "2" }));
    prepare(out);
    const before = stateOf(parent);
    const plan = planOf({ "api/v1/a.json": "3", "entry.html": "4", "v2/a.json": "5" }, "entry.html", "v2/");
    await expect(write(out, plan)).rejects.toThrow(
      `${path.join(out, name)} was not written by stillapi, and the build needs its path.`,
    );
    expect(stateOf(parent)).toEqual(before);
  });

  it("leaves alone a link at the place of a file that it does not write any more", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf({ "x/entry.html": "1" }, "x/entry.html"));
    lay(out, { "y/entry.html": "theirs" });
    rmSync(path.join(out, "x"), { recursive: true });
    symlinkSync("y", path.join(out, "x"));
    await write(out, planOf({}));
    expect(contentsOf(out)).toEqual({ "y/": "", "y/entry.html": "theirs", x: "→ y", [marker]: mark });
  });
});

describe("a build with another base", () => {
  const files = { "api/v1/a.json": "1", "api/v1.json": "2" };

  /** The marker of these tests belongs to a build of /api/v1. */
  const writeV2 = (out: string, replaces: boolean) =>
    writeOutput(
      out,
      { ...planOf({ "v2/a.json": "3" }), marker: textFile(marker, '{"owns":["v2/"]}') },
      () => undefined,
      {
        bases: ["/v2"],
        replaces,
      },
    );

  it("is refused, names the API that it would remove, and changes nothing", async () => {
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    await write(out, planOf(files, "api/v1.json"));
    const before = stateOf(parent);
    await expect(writeV2(out, false)).rejects.toMatchObject({
      message: `${out} holds the API /api/v1, which this build of /v2 would remove.`,
      hint: "Choose another folder with --out, or remove that API with --replace.",
    });
    expect(stateOf(parent)).toEqual(before);
    await writeV2(out, true);
    expect(contentsOf(out)).toEqual({ "v2/": "", "v2/a.json": "3", [marker]: '{"owns":["v2/"]}' });
  });

  it("is written into a folder from which somebody has taken the other API", async () => {
    const out = path.join(temporaryFolder(), "dist");
    await write(out, planOf(files, "api/v1.json"));
    renameSync(path.join(out, "api/v1"), path.join(out, "kept"));
    await writeV2(out, false);
    expect(contentsOf(out)).toMatchObject({ "v2/a.json": "3", "kept/a.json": "1" });
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
