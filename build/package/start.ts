// Starts the program of a checkout. tsx passes each module through a thread, and there are hundreds, so they are bundled
// into one script, which is kept until one of them has changed: it saves 1 s of the 2.8 s of computing that `check`
// takes without.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { inWords } from "../machine-error.ts";
import { sha256 } from "../sha256.ts";
import { endWithInternalError, stackOf } from "./internal-error.ts";

const at = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Several checkouts may share node_modules. */
const folder = at(`node_modules/.cache/stillapi/program/${sha256(Buffer.from(realpathSync(at("")))).slice(0, 16)}`);
const script = path.join(folder, "program.cjs");
const record = path.join(folder, "modules.json");

/** Calls `main` of cli/main.ts. */
export async function start(args: readonly string[]): Promise<number> {
  process.setSourceMapsEnabled(true);
  process.once("uncaughtException", (error) => endWithInternalError(stackOf(error)));
  const { main } = (
    isCurrent() || (await make()) ? createRequire(import.meta.url)(script) : await import("../cli/main.ts")
  ) as typeof import("../cli/main.ts");
  return main(args);
}

/** Path relative to the checkout, length in bytes, inode and ctime. */
type Module = readonly [file: string, length: number, inode: number, ctime: number];

interface Record {
  readonly modules: readonly Module[];
  /** The length of the script. */
  readonly length: number;
}

function isCurrent(): boolean {
  let kept: Record;
  try {
    kept = JSON.parse(readFileSync(record, "utf8"));
  } catch {
    // Nothing is kept, or it is torn: the script is made again.
    return false;
  }
  return (
    statSync(script, { throwIfNoEntry: false })?.size === kept.length &&
    kept.modules.every(([file, length, inode, ctime]) => {
      const state = lstatSync(at(file), { throwIfNoEntry: false });
      return state?.size === length && state.ino === inode && state.ctimeMs === ctime;
    })
  );
}

/** How far the clock of a file system may be behind, in milliseconds. */
const lag = 20;

/** Other files that affect the script. */
const resolution = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** Makes the script. False if it cannot be written, as on a full disk. */
async function make(): Promise<boolean> {
  const [{ build }, { programOptions }] = await Promise.all([import("esbuild"), import("./bundles.ts")]);
  const time = Date.now() - lag;
  const { outputFiles, metafile } = await build({
    ...programOptions,
    absWorkingDir: at(""),
    outfile: script,
    write: false,
    sourcemap: "linked",
    sourcesContent: false,
    // Its modules find files relative to build/.
    banner: { js: `const moduleUrl=${JSON.stringify(new URL("../cli.ts", import.meta.url).href)};` },
  });
  const files = [...Object.keys(metafile.inputs), ...resolution].filter((file) => existsSync(at(file)));
  const modules = files.map((file): Module => {
    const { size, ino, ctimeMs } = lstatSync(at(file));
    // A module changed since `time` may have been read before the change. No file has this ctime.
    return [file, size, ino, ctimeMs < time ? ctimeMs : -1];
  });
  const length = outputFiles.find((file) => file.path === script)?.contents.length ?? 0;
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of outputFiles) replace(file.path, file.contents);
    replace(record, JSON.stringify({ modules, length } satisfies Record));
    return true;
  } catch (error) {
    if (inWords(error) === undefined) throw error;
    return false;
  }
}

/** Another process may read the file. */
function replace(file: string, content: string | Uint8Array): void {
  const draft = `${file}-${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
