import { isUtf8 } from "node:buffer";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { dialectOf } from "../../src/model/files.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { fileRules } from "../declaration/options/files.ts";
import { MachineError } from "../files/machine-error.ts";
import { tableFile } from "../routing/table.ts";
import { discover, partsOfLines } from "./files.ts";
import { outsideFolders } from "./globs.ts";

const isData = (file: string): boolean => dialectOf(file) !== undefined;

describe("discover", () => {
  let folder: string;
  let content: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stillapi-discover-"));
    content = path.join(folder, "content");
    mkdirSync(path.join(content, "nodes/europe"), { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string | Buffer, text = "[]") =>
    writeFileSync(typeof file === "string" ? path.join(content, file) : file, text);
  const link = (file: string, target: string) => symlinkSync(target, path.join(content, file));
  const found = () =>
    discover(content, isData)
      .files.map(({ file }) => file)
      .sort();
  const unreadable = () => [...discover(content, isData).unreadable].map(([file, code]) => `${file} ${code}`).sort();

  it("reads every file below the folder", () => {
    for (const file of ["nodes/b.json", "nodes/B.json", "nodes/europe/a.json", "api.yaml"]) write(file, file);
    const { files, unreadable: none } = discover(content, isData);
    expect(files.map(({ read }) => new TextDecoder().decode(read()))).toEqual(files.map(({ file }) => file));
    expect(found()).toEqual(["api.yaml", "nodes/B.json", "nodes/b.json", "nodes/europe/a.json"]);
    expect(none).toEqual(new Map());
  });

  it("reads files whose names have a meaning in patterns and shells, and leaves out those that start with a dot", () => {
    mkdirSync(path.join(content, ".git"));
    for (const file of [".DS_Store", ".git/config", "nodes/.hidden.json"]) write(file);
    for (const file of ["*.json", "[a].json", "{a,b}.json", "!(a).json", "-a.json", " a.json", "a\\b.json", "😀.json"])
      write(file);
    expect(found()).toEqual([
      " a.json",
      "!(a).json",
      "*.json",
      "-a.json",
      "[a].json",
      "a\\b.json",
      "{a,b}.json",
      "😀.json",
    ]);
  });

  it("finds names that start with a dot if they are wanted", () => {
    for (const below of [".git", ".data"]) mkdirSync(path.join(content, below));
    for (const file of [".git/config", ".data/a.json", "nodes/.hidden.json", "nodes/.other.json"]) write(file);
    const names = [".data", ".hidden.json"];
    const { files } = discover(content, isData, (name) => names.includes(name));
    expect(files.map(({ file }) => file).sort()).toEqual([".data/a.json", "nodes/.hidden.json"]);
  });

  it.each([
    ["leaves the folder", "../secret.json"],
    ["leads nowhere", "gone.json"],
    ["leads to itself", "link.json"],
    ["leads to a file in the folder", "nodes.json"],
    ["leads to a folder", "nodes"],
    ["leads to the folder that it is in", "."],
    ["has too long a name", "c".repeat(300)],
  ])("does not follow a link that %s", (_, target) => {
    write("nodes.json");
    writeFileSync(path.join(folder, "secret.json"), "[]");
    link("link.json", target);
    expect(unreadable()).toEqual(["link.json link"]);
    expect(found()).toEqual(["nodes.json"]);
  });

  it("does not wait for a pipe", () => {
    execFileSync("mkfifo", [path.join(content, "nodes/pipe.json")]);
    link("nodes/link.json", "pipe.json");
    expect(unreadable()).toEqual(["nodes/link.json link", "nodes/pipe.json special"]);
  });

  it("names the entries that no report could name, and goes on", () => {
    write("nodes/a\nb.json");
    write("nodes/\n");
    mkdirSync(path.join(content, "a\x1b[2J"));
    write("a\x1b[2J/a.json");
    for (const byte of [0xfe, 0xff]) write(Buffer.concat([Buffer.from(`${content}/nodes/`), Buffer.from([byte])]));
    write("nodes/c.json");
    expect(unreadable()).toEqual([
      "a\x1b[2J bad-name",
      "nodes/\n bad-name",
      "nodes/a\nb.json bad-name",
      "nodes/\ufffd bad-name",
    ]);
    expect(found()).toEqual(["nodes/c.json"]);
  });

  it("reads, ignores or reports every name that a file system allows", () => {
    const special = fc.constantFrom(
      ..."\r\n\t \\\u2028\u2029\u0085\ufffd\ufeff.-~!()[]{}*?+@#$%&'\",;:=|<>^`aé😀\u200d\u202e",
    );
    const bytes = fc.oneof(
      fc.string({ unit: special }).map(Buffer.from),
      fc.uint8Array({ maxLength: 20 }).map(Buffer.from),
    );
    const ending = fc.constantFrom("", "", ".json", ".yaml", ".ndjson").map(Buffer.from);
    const ended = fc.tuple(bytes, ending).map(Buffer.concat);
    const name = ended.filter((each) => each.length < 250 && !/^\.{0,2}$|[\0/]/.test(each.toString("latin1")));
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
    const isHidden = (each: Buffer) => each[0] === 0x2e;
    const isBad = (each: Buffer) => !isUtf8(each) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(String(each));
    fc.assert(
      fc.property(paths, (all) => {
        const root = mkdtempSync(path.join(folder, "any-"));
        const below = (parts: readonly Buffer[]) =>
          parts.reduce((parent, each) => Buffer.concat([parent, Buffer.from("/"), each]), Buffer.from(root));
        const readable = new Set<string>();
        /** By the names under which they are reported. */
        const unnamed = new Set<string>();
        for (const parts of all) {
          try {
            mkdirSync(below(parts.slice(0, -1)), { recursive: true });
            writeFileSync(below(parts), below(parts), { flag: "wx" });
          } catch {
            // A file has the name of a folder.
            continue;
          }
          const first = parts.findIndex((each) => isHidden(each) || isBad(each));
          const seen = first === -1 ? parts : parts.slice(0, first + 1);
          if (seen.some(isHidden)) continue;
          if (first === -1) readable.add(seen.join("/"));
          else unnamed.add(seen.join("/"));
        }
        const { files, unreadable: others } = discover(root, isData);
        expect(new Set(files.map(({ file }) => file))).toEqual(readable);
        expect(new Set(others.keys())).toEqual(unnamed);
        for (const { file, read } of files)
          expect(String(Buffer.from(read()))).toBe(dialectOf(file) === undefined ? "" : `${root}/${file}`);
        rmSync(root, { recursive: true });
      }),
      { numRuns: 200 },
    );
  });

  it("names files in NFC, and reports two whose names differ only in the Unicode form", () => {
    const name = "nodes/Zürich.json";
    write(name.normalize("NFD"));
    expect(found()).toEqual([name]);
    write(name);
    expect(found()).toEqual([name]);
    expect(unreadable()).toEqual([`${name} same-name`]);
  });

  it("reports files that are too large, and does not read files that are not content", () => {
    for (const file of ["nodes/a.json", "nodes/b.mp4"]) {
      write(file);
      truncateSync(path.join(content, file), 2 ** 31 + 1);
    }
    expect(unreadable()).toEqual(["nodes/a.json too-large"]);
    expect(found()).toEqual(["nodes/b.mp4"]);
  });

  it("throws if the folder does not exist", () => {
    const gone = path.join(folder, "gone");
    expect(() => discover(gone, isData)).toThrow(
      expect.objectContaining({ message: `There is no folder ${gone}.`, hint: "Name the folder with --content." }),
    );
    writeFileSync(gone, "");
    expect(() => discover(gone, isData)).toThrow(new MachineError(`${gone} is not a folder.`));
  });
});

it("refuses to read a large file again that has changed since, because places in it would be wrong", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stillapi-changed-"));
  const file = path.join(root, "a.json");
  writeFileSync(file, " ".repeat(2 ** 20 + 1));
  const [found] = discover(root, isData).files;
  expect(readFileSync(file).equals(found?.read() ?? Buffer.of())).toBe(true);
  utimesSync(file, 1, 1);
  expect(() => found?.read()).toThrow(
    new MachineError("a.json has changed while it was read.", "Run the command again."),
  );
  rmSync(file);
  expect(() => found?.read()).toThrow(
    new MachineError("a.json has changed while it was read.", "Run the command again."),
  );
  rmSync(root, { recursive: true });
});

it("refuses a large file that changes while its lines are read", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stillapi-changing-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = path.join(root, "a.json");
  const text = `${" ".repeat(99)}\n`.repeat(30_000);
  writeFileSync(file, text);
  const [found] = discover(root, isData).files;
  const lines = (found?.lines() ?? [])[Symbol.iterator]();
  lines.next();
  writeFileSync(file, text.replaceAll(" ", "\t"));
  const rest = () => {
    while (lines.next().done !== true);
  };
  expect(rest).toThrow(new MachineError("a.json has changed while it was read.", "Run the command again."));
});

it("reads a file in parts of whole lines, however long they are", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "a.ndjson");
  const line = fc.constantFrom("", "a", "é", "0123456789", "0123456789012345678901234567890");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 24 }), (lines, length) => {
      const text = lines.join("\n");
      writeFileSync(file, text);
      const parts = Array.from(partsOfLines(file, length), (part) => Buffer.from(part));
      expect(Buffer.concat(parts).toString()).toBe(text);
      expect(parts.slice(0, -1).every((part) => part.at(-1) === 0x0a)).toBe(true);
    }),
  );
});

describe("a folder outside of the content folder", () => {
  const root = temporaryFolder();
  const content = path.join(root, "api/content");
  const discoverIn = (name: string, match: string | readonly string[]) => {
    const folder = { name, path: path.resolve(root, "api", name), at: () => undefined };
    const rules = fileRules([{ match, folder: name }], () => folder);
    const { files, unreadable, folders } = discover(
      content,
      () => true,
      undefined,
      outsideFolders([{ source: { kind: "files", rules } }]),
    );
    return { files: files.map(({ file }) => file).sort(), unreadable, open: folders?.get(folder.path) };
  };

  beforeEach(() => {
    const files = [
      "packages/a/catalog.yaml",
      "packages/a/Logo.png",
      "packages/a/other.yaml",
      "api/content/a/catalog.yaml",
    ];
    const ignored = ["packages/node_modules/catalog.yaml", "packages/.a/catalog.yaml", "packages/dist/catalog.yaml"];
    for (const file of [...files, ...ignored]) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), "[]");
    }
    const marker = { generator: "stillapi", base: "/api", state: "x", owns: [] };
    writeFileSync(path.join(root, "packages/dist", tableFile), JSON.stringify(marker));
    if (!existsSync(path.join(root, "packages/link"))) symlinkSync("a", path.join(root, "packages/link"));
  });

  afterEach(() => {
    for (const name of ["packages", "api"]) rmSync(path.join(root, name), { recursive: true });
  });

  it("has the files that match, but not those of packages, builds, the content, hidden folders and links", () => {
    const file = "../../packages/a/catalog.yaml";
    const ofContent = "a/catalog.yaml";
    for (const [name, match] of [
      ["../packages", "*/catalog.yaml"],
      ["../packages", ["**/*.yaml", "!**/other.yaml"]],
      ["..", "**/catalog.yaml"],
    ] as const)
      expect(discoverIn(name, match)).toMatchObject({ files: [file, ofContent], unreadable: new Map() });
  });

  it("reports a link only if it matches", () => {
    symlinkSync("a/catalog.yaml", path.join(root, "packages/b.yaml"));
    expect(discoverIn("../packages", "*/catalog.yaml").unreadable).toEqual(new Map());
    expect(discoverIn("../packages", "*.yaml").unreadable).toEqual(new Map([["../../packages/b.yaml", "link"]]));
  });

  it("finds other files there by their exact names, and not through links", () => {
    const { open } = discoverIn("../packages", "*/catalog.yaml");
    expect(open?.find("a/Logo.png")).toMatchObject({ file: "../packages/a/Logo.png" });
    for (const file of ["a/logo.png", "a", "node_modules/catalog.yaml", ".a/catalog.yaml", "dist/catalog.yaml"])
      expect(open?.find(file)).toBeUndefined();
    expect(open?.find("link/Logo.png")).toBe("link");
  });

  it.each([
    ["../nothing", "There is no folder ../nothing."],
    ["../packages/a/Logo.png", "../packages/a/Logo.png is not a folder."],
    ["./content", "./content is in the content folder."],
    ["./content/a", "./content/a is in the content folder."],
  ])("is not read if it is %s", (name, text) => {
    const { files, open } = discoverIn(name, "**");
    expect(files).toEqual(["a/catalog.yaml"]);
    expect(open?.problem?.text).toBe(text);
  });
});
