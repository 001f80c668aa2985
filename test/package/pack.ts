// A copy of the checkout to pack, and projects with the installed package.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";

/** The inputs of the package. */
const parts = ["build", "src", "docs", "package.json", "tsconfig.json", "README.md", "LICENSE", "CHANGELOG.md"];

/** Copies the repository into an empty folder, with its node_modules. */
export function copyCheckout(to: string): void {
  for (const part of parts) cpSync(part, path.join(to, part), { recursive: true });
  linkPackages(path.join(to, "node_modules"), readdirSync("node_modules"));
}

function linkPackages(to: string, names: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of names.filter((entry) => entry === ".bin" || !entry.startsWith("."))) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    symlinkSync(path.resolve("node_modules", name), path.join(to, name));
  }
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder, without the variables that `npm run` has set for the test, but with what a proxy needs. */
export function runIn(folder: string, command: string, ...args: readonly string[]): Ended {
  const { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env: { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** The result of `npm install` for an archive and its dependencies, without downloads. */
export function install(archive: string, project: string, dependencies: readonly string[]): void {
  const modules = path.join(project, "node_modules");
  const target = path.join(modules, "stillapi");
  mkdirSync(target, { recursive: true });
  runIn(project, "tar", "-xzf", archive, "-C", target, "--strip-components=1");
  linkPackages(modules, dependencies);
  mkdirSync(path.join(modules, ".bin"));
  symlinkSync("../stillapi/lib/cli.cjs", path.join(modules, ".bin", "stillapi"));
}
