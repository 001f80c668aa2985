// Follows extending.md to the letter on a copy of the repository: each file is written, each diff applied and each
// command run, in the order of the page.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeSample } from "../build/conformance/sample.ts";

const copy = mkdtempSync(path.join(tmpdir(), "edge-api-extending-"));
afterAll(() => rmSync(copy, { recursive: true }));

/** The repository as it is here, with a sample for its content and packages of its own. */
function makeCopy(): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const file of listed.split("\n").filter((name) => name !== "" && !name.startsWith("content/"))) {
    cpSync(file, path.join(copy, file));
  }
  writeSample(path.join(copy, "content"), { count: 12, pageSizes: "every" });
  mkdirSync(path.join(copy, "node_modules"));
  // Not the folder of caches, which is the copy's own.
  for (const name of readdirSync("node_modules").filter((name) => name === ".bin" || !name.startsWith("."))) {
    symlinkSync(path.resolve("node_modules", name), path.join(copy, "node_modules", name));
  }
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
}

/** A fenced block: its language, the file that it is, and its text. */
const blocks = [...readFileSync("docs/extending.md", "utf8").matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];

/** Whoever has followed the page cannot follow it again. */
const isFollowed = blocks.some(([, , file]) => file !== undefined && existsSync(file));

function run(command: string, args: readonly string[], input = ""): void {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|npm_|TEST$)/.test(name)));
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${input}\n${stdout}\n${stderr}`);
}

const read = (file: string): string => readFileSync(path.join(copy, file), "utf8");

it.skipIf(isFollowed)("does what the page says, and nothing else fails", { timeout: 300_000 }, () => {
  makeCopy();
  const followed = { file: 0, diff: 0, sh: 0 };
  for (const [, language = "", file, text = ""] of blocks) {
    if (file !== undefined) {
      mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
      writeFileSync(path.join(copy, file), text);
      followed.file++;
    } else if (language === "diff") {
      run("git", ["apply", "-"], text);
      followed.diff++;
    } else if (language === "sh") {
      run("sh", ["-e"], text);
      followed.sh++;
    }
  }
  expect(followed).toEqual({ file: 2, diff: 4, sh: 5 });

  const { data, pagination } = JSON.parse(read("dist/api/v1/incidents/region/lhr1/limit/1.json"));
  expect(data).toEqual([
    {
      id: "inc_a1",
      created_at: "2026-11-20T09:00:00Z",
      resolved_at: null,
      severity: "minor",
      region: "lhr1",
      title: "Überlast in London",
    },
  ]);
  expect(pagination).toMatchObject({ limit: 1, count: 1, has_more: true });
  expect(read("src/client/orders.ts")).toContain('  incidents: ["created_at", "id"],\n');
  expect(read("dist/firebase.json")).toContain('"source": "/api/v1/incidents"');
  expect(read("README.md")).toMatch(/\| `GET \/api\/v1\/incidents`.*`region`.*`public, max-age=30`/);
  expect(read("README.md")).toMatch(/^\| firebase \| /m);

  // What tests every operation and every host of the tables without a server or an emulator.
  const tests = [
    "src",
    "build/routing",
    "build/pages",
    "build/conformance/readme.test.ts",
    "build/hosts/configuration.test.ts",
  ];
  run("npx", ["vitest", "run", ...tests]);
});
