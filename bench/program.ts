// The program as npm starts it: in this checkout, or in a project with the installed package.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Command, execute } from "./execute.ts";
import { declarationOf } from "./workload.ts";

export interface Program {
  readonly file: string;
  /** Precede the arguments of a command. */
  readonly args: readonly string[];
}

const root = path.resolve(import.meta.dirname, "..");

export const checkedOut: Program = {
  file: path.join(root, "node_modules/.bin/tsx"),
  args: [path.join(root, "build/cli.ts")],
};

/** This checkout as a package, packed and installed into an empty folder. Rejects with npm's report. */
export async function packed(folder: string): Promise<Program> {
  mkdirSync(folder);
  const npm = (cwd: string, ...args: readonly string[]) => execute({ file: "npm", args, cwd });
  const archive = await npm(root, "pack", "--silent", "--pack-destination", folder);
  writeFileSync(path.join(folder, "package.json"), "{}\n");
  await npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", path.join(folder, archive.trim()));
  return { file: path.join(folder, "node_modules/.bin/stillapi"), args: [] };
}

/** `more` are further arguments. */
export const command = (
  { file, args }: Program,
  name: "build" | "dev",
  content: string,
  ...more: readonly string[]
): Command => {
  const declaration = declarationOf(content);
  const declared = existsSync(declaration) ? ["--config", path.resolve(declaration)] : [];
  return { file, args: [...args, name, "--content", path.resolve(content), ...declared, ...more] };
};

/** The peak memory of a build's largest process, in KiB. `parent` is a folder for the output and for notes. */
export async function peakOf(program: Program, content: string, parent: string): Promise<number> {
  const [notes, hook, out] = ["peak.txt", "peak.cjs", "peak"].map((name) => path.join(parent, name)) as [
    string,
    string,
    string,
  ];
  const note = `require("node:fs").appendFileSync(${JSON.stringify(notes)}, process.resourceUsage().maxRSS + "\\n")`;
  writeFileSync(notes, "");
  writeFileSync(hook, `process.once("exit", () => ${note});\n`);
  await execute({
    ...command(program, "build", content, "--out", out),
    env: { NODE_OPTIONS: `--require=${hook}` },
  });
  rmSync(out, { recursive: true });
  return Math.max(...readFileSync(notes, "utf8").split("\n").map(Number));
}
