// Runs the program as one script with V8's compiled code. The script is kept for the next start of this checkout, since
// several may share node_modules, and made again (see make.ts) once one of its modules is another file or has changed.
// This is plain JavaScript: where there is such a script no TypeScript is loaded, which takes several times as long as
// to start Node itself.
import { realpathSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { openCache } from "../cache/cache.mjs";
import { isUntouched } from "../output/untouched.mjs";

/**
 * @typedef {object} Program
 * @property {import("./bundle.ts").Bundle["code"]} code
 * @property {import("./bundle.ts").Bundle["modules"]} modules
 * @property {Uint8Array} [compiled] What V8 has compiled of the code.
 */

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The path of a file in the checkout.
 * @param {string} file
 */
export const at = (file) => `${checkout}${file}`;

const cache = openCache(at("node_modules/.cache/edge-api/program"), `3, node ${process.version}`);
const nameOf = (/** @type {string} */ part) => Buffer.from(`${part} of ${realpathSync(at(""))}`);
const [scriptName, mapName] = [nameOf("script"), nameOf("map")];

/**
 * Undefined where nothing was kept, or a module is another file or has changed.
 * @returns {Program | undefined}
 */
export function recall() {
  const bytes = cache.recall(scriptName);
  if (bytes === undefined) return undefined;
  const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = kept.indexOf("\n") + 1;
  /** @type {Pick<Program, "modules"> & { length: number }} */
  const { modules, length } = JSON.parse(kept.toString("utf8", 0, start));
  if (!modules.every(([file, ...state]) => isUntouched(at(file), ...state))) return undefined;
  const end = start + length;
  return { modules, code: kept.toString("latin1", start, end), compiled: kept.subarray(end) };
}

/** The program's own modules find their files by this URL, which is that of build/cli.mjs. */
const moduleUrl = new URL("../cli.mjs", import.meta.url).href;

/**
 * Calls `main` of commands/main.ts, and keeps the script once it has run.
 * @param {Program} program
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function run({ code, modules, compiled }, args) {
  const script = new Script(code, { filename: at("program.js"), ...(compiled && { cachedData: compiled }) });
  const { main } = script.runInThisContext()(createRequire(import.meta.url), moduleUrl, {});
  const exitCode = await main(args);
  if (script.cachedDataRejected !== false) {
    const head = JSON.stringify({ modules, length: code.length });
    cache.keep(scriptName, Buffer.concat([Buffer.from(`${head}\n${code}`), script.createCachedData()]));
  }
  return exitCode;
}

/** @param {Uint8Array} map The source map of the script, as JSON. */
export const keepMap = (map) => cache.keep(mapName, map);

/**
 * A stack of the script with the names of its modules.
 * @param {string} stack
 */
export function withModules(stack) {
  const map = cache.recall(mapName);
  const source = map && new SourceMap(JSON.parse(Buffer.from(map).toString()));
  return stack.replace(/[^ (]*program\.js:(\d+):(\d+)/g, (place, line, column) => {
    const entry = source?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    return `${at(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
