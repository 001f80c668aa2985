#!/usr/bin/env node
// The command line of the published package. Runs program.cjs, which contains all modules, with V8's compiled code of an
// earlier run, without which a small build takes 0.49 s instead of 0.33 s. Node 22.1 and later keep the code themselves;
// for Node 20, it is kept here for each command.
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { cacheFolder, modulesFolder } from "../files/checkout.ts";
import { sha256 } from "../files/sha256.ts";
import { endWithInternalError, stackOf } from "./internal-error.ts";

const program = fileURLToPath(new URL("program.cjs", modulesFolder));
const folder = path.join(cacheFolder, "compiled");
const args = process.argv.slice(2);

interface Loaded {
  readonly exports: typeof import("../cli/main.ts");
  /** Keeps the compiled code of the functions that have run. */
  readonly keep?: () => void;
}

function load(): Loaded {
  const { enableCompileCache }: { enableCompileCache?: (folder: string) => unknown } = Object(module);
  if (enableCompileCache === undefined) return loadCompiled();
  enableCompileCache(folder);
  return { exports: require(program) };
}

function loadCompiled(): Loaded {
  const { size, ino, ctimeMs } = lstatSync(program);
  const identity = Buffer.from(JSON.stringify([program, size, ino, ctimeMs, args[0], process.version]));
  const file = path.join(folder, sha256(Buffer.from(JSON.stringify([program, args[0]]))));
  const cachedData = readKept(file, identity);
  const code = module.wrap(readFileSync(program, "utf8"));
  const script = new Script(code, { filename: program, ...(cachedData && { cachedData }) });
  const loaded = { exports: {} as Loaded["exports"] };
  script.runInThisContext()(loaded.exports, require, loaded, program, path.dirname(program));
  if (cachedData !== undefined && script.cachedDataRejected === false) return loaded;
  return { ...loaded, keep: () => write(file, identity, script.createCachedData()) };
}

/** In the file, the hash of the identity and the code precedes the code. */
const hashLength = 64;

function readKept(file: string, identity: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(hashLength);
    return bytes.toString("latin1", 0, hashLength) === sha256(identity, code) ? code : undefined;
  } catch {
    // The first run of the command.
    return undefined;
  }
}

function write(file: string, identity: Buffer, code: Buffer): void {
  const draft = `${file}-${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, Buffer.concat([Buffer.from(sha256(identity, code)), code]));
    renameSync(draft, file);
  } catch {
    // A folder that is not writable, or a full disk: the next run compiles the code.
  }
}

process.once("uncaughtException", (error) => endWithInternalError(stackOf(error)));

const { exports, keep } = load();
exports.main(args).then((exitCode) => {
  process.exitCode = exitCode;
  if (exitCode !== 2) keep?.();
});
