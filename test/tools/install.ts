// Installs the programs that only tests start, once for all runs of this checkout, and puts their commands on the PATH.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { acquire } from "../../build/output/lock.ts";

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

/** Of the lock file, which names the versions of all packages. */
const digest = (): string =>
  createHash("sha256")
    .update(readFileSync(path.join(import.meta.dirname, "package-lock.json")))
    .digest("hex")
    .slice(0, 16);

/** Why npm could not install the tools, or undefined. The folder gets its name once the installation is complete. */
async function install(folder: string): Promise<string | undefined> {
  mkdirSync(cache, { recursive: true });
  const lock = await acquire(path.join(cache, ".staging"), () => print("Waiting for another run to install them."));
  try {
    // Another run may have installed them meanwhile.
    if (existsSync(folder)) return undefined;
    print(`Installing the tools of the tests into ${path.relative("", folder)}, once for this lock file.`);
    for (const file of manifests) copyFileSync(path.join(import.meta.dirname, file), path.join(lock.folder, file));
    const problem = await npmCi(lock.folder);
    if (problem === undefined) renameSync(lock.folder, folder);
    return problem;
  } finally {
    lock.release();
  }
}

const print = (text: string): void => console.log(text);

function npmCi(cwd: string): Promise<string | undefined> {
  return new Promise((ended) => {
    const child = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    child.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const failed = (text: string) => {
      print(text);
      ended(`npm could not install the packages of test/tools: ${text.split("\n", 1)}.`);
    };
    child.once("error", ({ message }) => failed(message));
    child.once("close", (status) => (status === 0 ? ended(undefined) : failed(printed)));
  });
}
