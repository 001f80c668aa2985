import { spawnSync } from "node:child_process";
import {
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
import { afterAll, beforeAll, expect, it } from "vitest";

const checkout = mkdtempSync(path.join(tmpdir(), "edge-api-start-"));
const kept = path.join(checkout, "node_modules", ".cache", "edge-api", "program");
const program = path.join(checkout, "build", "commands", "check.ts");

beforeAll(() => {
  for (const entry of ["build", "src", "content", "package.json", "tsconfig.json"]) {
    const isOwn = (file: string) => !/[\\/]peers$|\.test\.ts$/.test(file);
    cpSync(entry, path.join(checkout, entry), { recursive: true, filter: isOwn });
  }
  mkdirSync(path.join(checkout, "node_modules"));
  for (const name of readdirSync("node_modules").filter((name) => !name.startsWith("."))) {
    symlinkSync(path.resolve("node_modules", name), path.join(checkout, "node_modules", name));
  }
});

afterAll(() => rmSync(checkout, { recursive: true }));

const check = () =>
  spawnSync(process.execPath, ["--import", "tsx", "build/cli.ts", "check"], { cwd: checkout, encoding: "utf8" });

const edit = (from: string, to: string) => {
  const text = readFileSync(program, "utf8");
  expect(text).toContain(from);
  writeFileSync(program, text.replace(from, to));
};

const states = () => readdirSync(kept).map((file) => [file, statSync(path.join(kept, file)).ino]);

it("keeps the script, takes it the next time, and makes it anew where a module or what is kept has changed", () => {
  expect(check()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("content is valid") });
  const first = states();
  expect(first).toHaveLength(2);

  expect(check()).toMatchObject({ status: 0, stderr: "" });
  expect(states()).toEqual(first);

  edit("is valid: ", "is right: ");
  expect(check()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("content is right") });

  for (const file of readdirSync(kept)) writeFileSync(path.join(kept, file), "torn");
  expect(check()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("content is right") });
  for (const file of readdirSync(kept)) expect(statSync(path.join(kept, file)).size).toBeGreaterThan(10_000);

  // Where nothing can be kept it works all the same.
  rmSync(kept, { recursive: true });
  writeFileSync(kept, "a file in the folder's place");
  expect(check()).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("content is right") });
  rmSync(kept);
});

it("names the modules where the program is at fault itself", () => {
  const line = readFileSync(program, "utf8").split("\n").indexOf("  const { catalog, budget } = plan;") + 2;
  edit("  const { catalog, budget } = plan;\n", '$&  throw new Error("a fault of its own");\n');
  for (const start of ["first", "second"]) {
    const { status, stderr } = check();
    expect(status, start).toBe(2);
    expect(stderr).toMatch(/^Internal error, please report it:\nError: a fault of its own\n {4}at (?:async )?\w+ \(/);
    expect(stderr).toContain(`build/commands/check.ts:${line}:`);
    expect(stderr).not.toContain("program.js:");
  }
});
