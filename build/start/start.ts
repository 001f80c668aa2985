// Runs the program and its dependencies as one script with V8's code cache. tsx passes each module through a thread,
// and there are hundreds, including zod's and yaml's, which took longer than building a small API. The script is cached
// for this checkout (several checkouts may share node_modules) and bundled again once one of its modules has changed.
import { lstatSync, realpathSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { openCache } from "../cache/cache.ts";
import type { LoadProgram, Module, ProgramBundle } from "./bundle.ts";

const at = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const cache = openCache(at("node_modules/.cache/stillapi/program"), `3, node ${process.version}`);
const nameOf = (part: string): Buffer => Buffer.from(`${part} of ${realpathSync(at(""))}`);
const [scriptName, mapName] = [nameOf("script"), nameOf("map")];

/** The URL of build/cli.ts, from which the program's modules find their files. */
const moduleUrl = new URL("../cli.ts", import.meta.url).href;

/** Calls `main` of cli/main.ts, and caches the script after the run. */
export async function start(args: readonly string[]): Promise<number> {
  process.once("uncaughtException", reportInternalError);
  const { code, compiled, ...about } = cachedProgram() ?? (await make());
  const script = new Script(code, { filename: at("program.js"), ...(compiled && { cachedData: compiled }) });
  const load: LoadProgram = script.runInThisContext();
  const { main } = load(createRequire(import.meta.url), moduleUrl, {});
  const exitCode = await main(args);
  if (script.cachedDataRejected !== false) {
    const head = JSON.stringify({ ...about, length: code.length });
    cache.set(scriptName, Buffer.concat([Buffer.from(`${head}\n${code}`), script.createCachedData()]));
  }
  return exitCode;
}

interface Program extends Omit<ProgramBundle, "map"> {
  readonly compiled?: Buffer;
}

/** Undefined if nothing was cached or a module has changed. */
function cachedProgram(): Program | undefined {
  const bytes = cache.get(scriptName);
  if (bytes === undefined) return undefined;
  const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = kept.indexOf("\n") + 1;
  const { modules, length }: ProgramBundle & { length: number } = JSON.parse(kept.toString("utf8", 0, start));
  if (!modules.every(isUnchanged)) return undefined;
  const end = start + length;
  return { modules, code: kept.toString("latin1", start, end), compiled: kept.subarray(end) };
}

function isUnchanged([file, length, inode, ctime]: Module): boolean {
  const state = lstatSync(at(file), { throwIfNoEntry: false });
  return state?.size === length && state.ino === inode && state.ctimeMs === ctime;
}

async function make(): Promise<Program> {
  const { bundle } = await import("./bundle.ts");
  const { map, ...program } = await bundle(at(""));
  cache.set(mapName, map);
  return program;
}

/** An uncaught error is a bug of stillapi. Its stack refers to the script; the source map names the modules. */
async function reportInternalError(error: unknown): Promise<void> {
  const { endWithInternalError, stackOf } = await import("./internal-error.ts");
  const map = cache.get(mapName);
  const source = map && new SourceMap(JSON.parse(Buffer.from(map).toString()));
  const named = stackOf(error).replace(
    /[^ (]*program\.js:(\d+):(\d+)/g,
    (place: string, line: string, column: string) => {
      const entry = source?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !("originalSource" in entry)) return place;
      return `${at(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
  endWithInternalError(named);
}
