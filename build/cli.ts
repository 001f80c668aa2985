// The program as one script, with what V8 made of it. tsx takes each module in turn through a thread of its own, and
// here are hundreds, zod's and yaml's included: that took longer than building a small API. The script is kept for the
// next start, and made anew once one of its modules has changed.
import { createRequire, SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import type { Bundle } from "./bundle.ts";
import { openMemory } from "./output/memory.ts";
import { isUntouched } from "./output/untouched.mjs";

const at = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const memory = openMemory(at("node_modules/.cache/edge-api/program"), `1, node ${process.version}`);
const [scriptName, mapName] = [Buffer.from("script"), Buffer.from("map")];

process.once("uncaughtException", reportOwnFault);
const { code, compiled, ...about } = recall() ?? (await make());
const filename = at("program.js");
const script = new Script(code, { filename, ...(compiled && { cachedData: compiled }) });
const start: Start = script.runInThisContext();
const { main } = start(createRequire(import.meta.url), import.meta.url, {});
process.exitCode = await main(process.argv.slice(2));
if (script.cachedDataRejected !== false) {
  const head = JSON.stringify({ ...about, length: code.length });
  memory.keep(scriptName, Buffer.concat([Buffer.from(`${head}\n${code}`), script.createCachedData()]));
}

type Start = (require: NodeJS.Require, moduleUrl: string, module: object) => typeof import("./program.ts");

interface Program extends Omit<Bundle, "map"> {
  readonly compiled?: Buffer;
}

/** Undefined where it was not kept or is no longer what its modules say. */
function recall(): Program | undefined {
  const bytes = memory.recall(scriptName);
  if (bytes === undefined) return undefined;
  const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = kept.indexOf("\n") + 1;
  const { time, modules, length }: Bundle & { length: number } = JSON.parse(kept.toString("utf8", 0, start));
  if (time > Date.now() || !modules.every(([file, size]) => isUntouched(at(file), size, time))) return undefined;
  const end = start + length;
  return { time, modules, code: kept.toString("latin1", start, end), compiled: kept.subarray(end) };
}

async function make(): Promise<Program> {
  const { bundle } = await import("./bundle.ts");
  const { map, ...program } = await bundle(at(""));
  memory.keep(mapName, map);
  return program;
}

/** What nobody has caught is this program's own fault. Its stack has to name the modules, which the script has not. */
function reportOwnFault(error: unknown): void {
  const stack = error instanceof Error && error.stack !== undefined ? error.stack : String(error);
  const map = memory.recall(mapName);
  const source = map && new SourceMap(JSON.parse(Buffer.from(map).toString()));
  const named = stack.replace(/[^ (]*program\.js:(\d+):(\d+)/g, (place: string, line: string, column: string) => {
    const entry = source?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    return `${at(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
  process.stderr.write(`This is a fault of the program itself:\n${named}\n`);
  process.exit(2);
}
