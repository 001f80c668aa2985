// Starts the program of a checkout. tsx passes each module through a thread, and there are hundreds, so they are bundled
// into one script, which is kept until one of them has changed: it saves 1 s of the 2.8 s of computing that `check`
// takes without. The script runs as the package's does.
import { lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "../files/folders.ts";
import { inWords } from "../files/machine-error.ts";
import { sha256 } from "../files/sha256.ts";
import { runCompiled } from "./compiled.ts";
import { endWithInternalError, stackOf } from "./internal-error.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Several checkouts may share node_modules. */
const checkout = sha256(realpathSync(root)).slice(0, 16);
const folder = path.join(root, "node_modules/.cache/stillapi/program", checkout);
const script = path.join(folder, "program.cjs");
const record = path.join(folder, "modules.json");

/** Calls `main` of cli/main.ts. */
export async function start(args: readonly string[]): Promise<number> {
  process.once("uncaughtException", (error) => endWithInternalError(withModules(stackOf(error))));
  if (isCurrent() || (await make())) return runCompiled(script, args);
  const { main } = await import("../cli/main.ts");
  return main(args);
}

/** A stack that names modules in place of the script. Its source map is large, so Node must not read it on each start. */
function withModules(stack: string): string {
  const [first = "", ...calls] = stack.split(`${script}:`);
  if (calls.length === 0) return stack;
  const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, "utf8")));
  const mapped = calls.map((call) =>
    call.replace(/^(\d+):(\d+)/, (position, line, column) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in entry)) return `${script}:${position}`;
      const file = path.resolve(folder, entry.originalSource);
      return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    }),
  );
  return [first, ...mapped].join("");
}

function isCurrent(): boolean {
  try {
    const { files, state } = JSON.parse(readFileSync(record, "utf8"));
    return state === stateOf(files);
  } catch {
    // Nothing is kept, or it is torn: the script is made again.
    return false;
  }
}

/** Differs if one of the files has changed. Their paths are relative to the checkout. */
function stateOf(files: readonly string[]): string {
  const states = files.map((file) => {
    const { size, ino, ctimeMs } = lstatSync(path.resolve(root, file), { throwIfNoEntry: false }) ?? {};
    return [file, size, ino, ctimeMs];
  });
  return sha256(JSON.stringify(states));
}

/** How far the clock of a file system may be behind, in milliseconds. */
const lag = 20;

/** Other files that affect the script. */
const resolution = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** Makes the script. False if it cannot be written, as on a full disk. */
async function make(): Promise<boolean> {
  const { buildProgram } = await import("./bundles.ts");
  const time = Date.now() - lag;
  // Its modules find files relative to build/.
  const moduleUrl = JSON.stringify(new URL("../files/checkout.ts", import.meta.url).href);
  const options = { outfile: script, write: false, sourcemap: "external", sourcesContent: false } as const;
  const { outputFiles, inputs } = await buildProgram(root, moduleUrl, options);
  // A module that has changed since then may have been read before: the next start makes the script again.
  const isStale = inputs.some((file) => lstatSync(path.join(root, file)).ctimeMs >= time);
  const files = [...inputs, ...resolution, ...outputFiles.map((file) => file.path)];
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of outputFiles) replaceFile(file.path, file.contents);
    replaceFile(record, JSON.stringify({ files, state: isStale ? "" : stateOf(files) }));
    return true;
  } catch (error) {
    if (inWords(error) === undefined) throw error;
    return false;
  }
}
