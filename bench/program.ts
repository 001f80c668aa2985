// A checkout of this program, started as npm starts it.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "./rounds.ts";

export interface Program {
  /** Before the names of what it does. Empty for this checkout. */
  readonly prefix: string;
  readonly checkout: string;
}

export const now: Program = { prefix: "", checkout: path.resolve(import.meta.dirname, "..") };

/** Another checkout, which may be an older one. */
export const before = (checkout: string): Program => ({ prefix: "before, ", checkout: path.resolve(checkout) });

export const command = (
  { checkout }: Program,
  name: "build" | "dev",
  content: string,
  out: string,
  ...more: readonly string[]
): Command => ({
  file: path.join(checkout, "node_modules/.bin/tsx"),
  args: [path.join(checkout, "build/cli.ts"), name, "--content", path.resolve(content), "--out", out, ...more],
});

/** Returns the out folder. Throws if the content cannot be built. */
export function buildOnce(program: Program, content: string, out: string, ...more: readonly string[]): string {
  const { file, args } = command(program, "build", content, out, ...more);
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${content} cannot be built: ${error?.message ?? stderr}`);
  return out;
}

/** The most memory that one process of a build takes, in KiB. `parent` is a folder for the output and for notes. */
export function peakOf(program: Program, content: string, parent: string): number {
  const [notes, hook] = [path.join(parent, "peak.txt"), path.join(parent, "peak.cjs")];
  const note = `require("node:fs").appendFileSync(${JSON.stringify(notes)}, process.resourceUsage().maxRSS + "\\n")`;
  writeFileSync(notes, "");
  writeFileSync(hook, `process.once("exit", () => ${note});\n`);
  const { file, args } = command(program, "build", content, path.join(parent, "peak"));
  spawnSync(file, args, { env: { ...process.env, NODE_OPTIONS: `--require=${hook}` } });
  rmSync(path.join(parent, "peak"), { recursive: true });
  return Math.max(...readFileSync(notes, "utf8").split("\n").map(Number));
}
