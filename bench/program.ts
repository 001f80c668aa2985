// The program as npm starts it: in a checkout, or in a project with the installed package.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "./rounds.ts";
import { declarationOf } from "./workload.ts";

export interface Program {
  /** The prefix of the program's row titles. Empty for the measured program. */
  readonly prefix: string;
  readonly file: string;
  /** Precede the arguments of a command. */
  readonly args: readonly string[];
}

const root = path.resolve(import.meta.dirname, "..");

const checkedOut = (prefix: string, checkout: string): Program => ({
  prefix,
  file: path.join(checkout, "node_modules/.bin/tsx"),
  args: [path.join(checkout, "build/cli.ts")],
});

/** This checkout. */
export const now: Program = checkedOut("", root);

/** Another checkout, for example an older one. */
export const before = (checkout: string): Program => checkedOut("before, ", path.resolve(checkout));

/** This checkout as a package, packed and installed into an empty folder. Throws with npm's report. */
export function packed(folder: string): Program {
  mkdirSync(folder);
  const archive = npm(root, "pack", "--silent", "--pack-destination", folder).trim();
  writeFileSync(path.join(folder, "package.json"), "{}\n");
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", path.join(folder, archive));
  return { prefix: "", file: path.join(folder, "node_modules/.bin/stillapi"), args: [] };
}

function npm(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stderr}`);
  return stdout;
}

export const command = (
  { file, args }: Program,
  name: "build" | "dev",
  content: string,
  out: string,
  ...more: readonly string[]
): Command => ({
  file,
  args: [...args, name, "--content", path.resolve(content), "--out", out, ...declared(content), ...more],
});

const declared = (content: string): readonly string[] =>
  existsSync(declarationOf(content)) ? ["--config", path.resolve(declarationOf(content))] : [];

/** Returns the out folder. Throws if the content cannot be built. */
export function buildOnce(program: Program, content: string, out: string, ...more: readonly string[]): string {
  const { file, args } = command(program, "build", content, out, ...more);
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${content} cannot be built: ${error?.message ?? stderr}`);
  return out;
}

/** The peak memory of a build's largest process, in KiB. `parent` is a folder for the output and for notes. */
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
