#!/usr/bin/env node
// The command line of the published package. Runs program.cjs, which contains all modules, with V8's code cache of an
// earlier run of the same command. Node's compile cache handles each module separately, and Node 20 has none.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { openCache } from "../cache/cache.ts";
import { cacheFolder, modulesFolder } from "../checkout.ts";
import type { LoadProgram } from "./bundle.ts";

const folder = fileURLToPath(modulesFolder);
const cache = openCache(path.join(cacheFolder, "compiled"), `1, node ${process.version}`);

async function start(args: readonly string[]): Promise<number> {
  const program = identity();
  const name = Buffer.from(JSON.stringify([folder, args[0]]));
  const compiled = cachedCode(name, program);
  const filename = path.join(folder, "program.cjs");
  // The script is ASCII.
  const script = new Script(readFileSync(filename, "latin1"), { filename, ...(compiled && { cachedData: compiled }) });
  const load: LoadProgram = script.runInThisContext();
  const { main } = load(require, new URL("cli.cjs", modulesFolder).href, {});
  const exitCode = await main(args);
  if (script.cachedDataRejected !== false && exitCode !== 2) {
    cache.set(name, Buffer.concat([Buffer.from(`${program}\n`), script.createCachedData()]));
  }
  return exitCode;
}

/** Changes if another version is installed or somebody modifies the script. */
function identity(): string {
  const states = readdirSync(folder).map((name) => {
    const { size, ino, ctimeMs } = lstatSync(path.join(folder, name));
    return [name, size, ino, ctimeMs];
  });
  return JSON.stringify(states);
}

function cachedCode(name: Buffer, program: string): Buffer | undefined {
  const kept = cache.get(name);
  if (kept === undefined) return undefined;
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.length);
  const end = Buffer.byteLength(program);
  return bytes.toString("utf8", 0, end) === program ? bytes.subarray(end + 1) : undefined;
}

process.once("uncaughtException", async (error) => {
  const { endWithInternalError, stackOf } = await import("./internal-error.ts");
  endWithInternalError(stackOf(error));
});

start(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
