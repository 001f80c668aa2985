// Installs the programs that only tests start, once for all runs of this checkout, and puts their commands on the PATH.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { acquire } from "../../build/output/lock.ts";
import manifest from "./package.json" with { type: "json" };

declare module "vitest" {
  export interface ProvidedContext {
    /** Why the tools could not be installed; undefined if they are on the PATH. */
    readonly lackOfTools: string | undefined;
    /** Their packages, by name. */
    readonly toolPackages: string;
  }
}

const manifests = ["package.json", "package-lock.json"];
const cache = path.resolve("node_modules/.cache/stillapi/tools");

export async function setup({ provide }: TestProject): Promise<void> {
  const folder = path.join(cache, digest());
  const lack = existsSync(folder) ? undefined : await install(folder);
  const commands = path.join(folder, "node_modules", ".bin");
  if (lack === undefined) process.env["PATH"] = [commands, process.env["PATH"]].join(path.delimiter);
  provide("lackOfTools", lack);
  provide("toolPackages", path.join(folder, "node_modules"));
}

/** Of the files that name the versions of all packages. */
function digest(): string {
  const hash = createHash("sha256");
  for (const file of manifests) hash.update(readFileSync(path.join(import.meta.dirname, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Why npm could not install the tools, or undefined. The folder gets its name once the installation is complete. */
async function install(folder: string): Promise<string | undefined> {
  mkdirSync(cache, { recursive: true });
  const lock = await acquire(path.join(cache, ".staging"), () => print("Waiting for another run to install them."));
  try {
    // Another run may have installed them meanwhile.
    if (existsSync(folder)) return undefined;
    print(`Installing the tools of the tests into ${path.relative("", folder)}, once for this lock file.`);
    for (const file of manifests) copyFileSync(path.join(import.meta.dirname, file), path.join(lock.folder, file));
    const problem = (await npm(lock.folder, "ci", "--no-audit", "--no-fund")) ?? (await installAlone(lock.folder));
    if (problem === undefined) renameSync(lock.folder, folder);
    return problem;
  } finally {
    lock.release();
  }
}

const print = (text: string): void => console.log(text);

/** Installs a package whose script has all that it needs, without the 360 MB of packages from which it was made. */
async function installAlone(folder: string): Promise<string | undefined> {
  const { alone } = manifest.config;
  const place = path.join(folder, "node_modules", alone.replace(/@[^@]*$/, ""));
  mkdirSync(place);
  const problem = await npm(place, "pack", alone);
  const [archive = ""] = readdirSync(place);
  return problem ?? run("tar", ["-xzf", archive, "--strip-components=1"], place);
}

const npm = (cwd: string, ...options: readonly string[]): Promise<string | undefined> =>
  run("npm", [...options, "--ignore-scripts", "--loglevel=error"], cwd);

/** Why the command failed, or undefined. */
function run(command: string, options: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((ended) => {
    const child = spawn(command, options, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let printed = "";
    child.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const failed = (text: string) => {
      print(text);
      ended(`${command} could not install the packages of test/tools: ${text.split("\n", 1)}.`);
    };
    child.once("error", ({ message }) => failed(message));
    child.once("close", (status) => (status === 0 ? ended(undefined) : failed(printed)));
  });
}
