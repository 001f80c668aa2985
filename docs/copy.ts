// A copy of the repository in which tests follow the documentation, and commands that are run there.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { type Sample, writeSample } from "../test/check/sample.ts";

/** The repository as it is here, with a sample for its content and packages of its own. */
export function copyRepository(to: string, sample: Sample): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const file of listed.split("\n").filter((name) => name !== "" && !name.startsWith("content/"))) {
    cpSync(file, path.join(to, file));
  }
  writeSample(path.join(to, "content"), sample);
  mkdirSync(path.join(to, "node_modules"));
  // Not the folder of caches, which is the copy's own.
  for (const name of readdirSync("node_modules").filter((name) => name === ".bin" || !name.startsWith("."))) {
    symlinkSync(path.resolve("node_modules", name), path.join(to, "node_modules", name));
  }
  execFileSync("git", ["init", "--quiet"], { cwd: to });
}

/** Without what the test's own run has set. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|npm_|TEST$)/.test(name)));
