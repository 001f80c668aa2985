import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { temporaryFolder } from "../../test/temporary.ts";

const checkout = temporaryFolder();
const kept = path.join(checkout, "node_modules", ".cache", "stillapi", "program");
const program = path.join(checkout, "build", "cli", "main.ts");

beforeAll(() => {
  for (const entry of ["build", "src", "api.config.ts", "package.json", "tsconfig.json"]) {
    cpSync(entry, path.join(checkout, entry), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });
  }
  writeSample(path.join(checkout, "content"), { count: 3, pageSizes: [100] });
  mkdirSync(path.join(checkout, "node_modules"));
  for (const name of readdirSync("node_modules").filter((name) => !name.startsWith("."))) {
    symlinkSync(path.resolve("node_modules", name), path.join(checkout, "node_modules", name));
  }
});

const start = (args: readonly string[] = ["--help"], cwd = checkout) =>
  spawnSync(process.execPath, ["--import", "tsx", "build/cli.ts", ...args], { cwd, encoding: "utf8" });

/** Adds statements to a module of the program, which run on loading. */
const add = (code: string) => appendFileSync(program, code);

const keptFiles = () => readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

const states = () => keptFiles().map(({ parentPath, name }) => [name, statSync(path.join(parentPath, name)).ino]);

it("keeps the script for the next start, and makes it again if a module or the script itself has changed", () => {
  const valid = { status: 0, stderr: "", stdout: expect.stringMatching(/^. content is valid/) };
  expect(start(["check"])).toMatchObject(valid);
  const first = states();
  expect(first).toHaveLength(3);

  expect(start()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^Usage: /) });
  expect(states()).toEqual(first);

  add('process.stdout.write("Changed: ");\n');
  appendFileSync(path.join(checkout, "build/documents/browser/page.ts"), 'console.log("changed");\n');
  expect(start(["build"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Changed: /) });
  expect(readFileSync(path.join(checkout, "dist/api/v1/docs/page.js"), "utf8")).toContain('"changed"');
  const changed = { status: 0, stderr: "", stdout: expect.stringMatching(/^Changed: Usage: /) };

  for (const { parentPath, name } of keptFiles()) writeFileSync(path.join(parentPath, name), "torn");
  expect(start()).toMatchObject(changed);
  for (const { parentPath, name } of keptFiles())
    expect(statSync(path.join(parentPath, name)).size).toBeGreaterThan(10_000);

  // The program also starts if the cache is not writable.
  rmSync(kept, { recursive: true });
  writeFileSync(kept, "a file in the folder's place");
  expect(start()).toMatchObject(changed);
  rmSync(kept);
});

it("runs the program of its checkout if two share one node_modules", () => {
  const other = mkdtempSync(path.join(tmpdir(), "stillapi-start-"));
  onTestFinished(() => rmSync(other, { recursive: true }));
  for (const entry of ["build", "src", "api.config.ts", "package.json", "tsconfig.json", "content"]) {
    cpSync(path.join(checkout, entry), path.join(other, entry), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(path.join(checkout, "node_modules"), path.join(other, "node_modules"));
  const module = path.join(other, "build", "cli", "main.ts");
  // The new file has the same length and an older mtime than the cached one.
  writeFileSync(module, readFileSync(module, "utf8").replace("made of static files", "MADE OF OTHER FILES!"));
  rmSync(kept, { recursive: true, force: true });
  for (const _ of ["made", "kept"]) {
    expect(start().stdout).toContain("made of static files");
    expect(start(["--help"], other).stdout).toContain("MADE OF OTHER FILES!");
  }
});

it("names the modules in the stack of an internal error", () => {
  const line = readFileSync(program, "utf8").split("\n").length;
  add('function failOnStart() { throw new Error("a fault of its own"); }\nfailOnStart();\n');
  for (const time of ["first", "second"]) {
    const { status, stderr } = start();
    expect(status, time).toBe(2);
    expect(stderr).toMatch(/^Internal error, please report it:\nError: a fault of its own\n {4}at failOnStart \(/);
    expect(stderr).toContain(`build/cli/main.ts:${line}:`);
    expect(stderr).not.toContain("program.cjs:");
  }
  const { status, stdout, stderr } = start(["check", "--format", "json"]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  expect(JSON.parse(stdout.replace("Changed: ", ""))).toMatchObject({
    messages: [],
    omitted: [],
    error: { message: "Internal error, please report it.", stack: expect.stringContaining(`main.ts:${line}:`) },
  });
});
