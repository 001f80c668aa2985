// The program as npm starts it: in a checkout, or in a project with the installed package.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Command, execute } from "./execute.ts";
import { declarationOf } from "./workload.ts";

export interface Program {
  /** The prefix of the program's row titles. Empty for the measured program. */
  readonly prefix: string;
  readonly file: string;
  /** Precede the arguments of a command. */
  readonly args: readonly string[];
}

export const root = path.resolve(import.meta.dirname, "..");

const checkedOut = (prefix: string, checkout: string): Program => ({
  prefix,
  file: path.join(checkout, "node_modules/.bin/tsx"),
  args: [path.join(checkout, "build/cli.ts")],
});

/** This checkout. */
export const now: Program = checkedOut("", root);

/** Another checkout, for example an older one. */
export const before = (checkout: string): Program => checkedOut("before, ", checkout);

/** This checkout as a package, packed and installed into an empty folder. Rejects with npm's report. */
export async function packed(folder: string, signal: AbortSignal): Promise<Program> {
  mkdirSync(folder);
  const npm = (cwd: string, ...args: readonly string[]) => execute({ file: "npm", args, cwd }, signal);
  const archive = await npm(root, "pack", "--silent", "--pack-destination", folder);
  writeFileSync(path.join(folder, "package.json"), "{}\n");
  await npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", path.join(folder, archive.trim()));
  return { prefix: "", file: path.join(folder, "node_modules/.bin/stillapi"), args: [] };
}

export const command = (
  { file, args }: Program,
  name: "build" | "dev",
  content: string,
  out: string,
  ...more: readonly string[]
): Command => ({
  file,
  args: [
    ...[...args, name, "--content", path.resolve(content)],
    ...(name === "build" ? ["--out", out] : []),
    ...declared(content),
    ...more,
  ],
});

const declared = (content: string): readonly string[] =>
  existsSync(declarationOf(content)) ? ["--config", path.resolve(declarationOf(content))] : [];

/** Resolves to the out folder. Rejects if the content cannot be built. */
export async function buildOnce(
  program: Program,
  signal: AbortSignal,
  content: string,
  out: string,
  ...more: readonly string[]
): Promise<string> {
  await execute(command(program, "build", content, out, ...more), signal);
  return out;
}

/** The peak memory of a build's largest process, in KiB. `parent` is a folder for the output and for notes. */
export async function peakOf(program: Program, signal: AbortSignal, content: string, parent: string): Promise<number> {
  const [notes, hook] = [path.join(parent, "peak.txt"), path.join(parent, "peak.cjs")];
  const note = `require("node:fs").appendFileSync(${JSON.stringify(notes)}, process.resourceUsage().maxRSS + "\\n")`;
  writeFileSync(notes, "");
  writeFileSync(hook, `process.once("exit", () => ${note});\n`);
  const build = command(program, "build", content, path.join(parent, "peak"));
  await execute({ ...build, env: { NODE_OPTIONS: `--require=${hook}` } }, signal);
  rmSync(path.join(parent, "peak"), { recursive: true });
  return Math.max(...readFileSync(notes, "utf8").split("\n").map(Number));
}
