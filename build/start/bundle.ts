// The program and what it imports, as one script.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

export interface Bundle {
  /** An expression, in ASCII: a function that returns what program.ts exports. */
  readonly code: string;
  /** The code's source map, as JSON. Its sources are relative to the checkout. */
  readonly map: Uint8Array;
  /** What it was made of: paths from the checkout, and lengths in bytes. */
  readonly modules: readonly (readonly [file: string, length: number])[];
  /** It was made after this, in milliseconds of the file systems' clock: a module that has changed since has a later ctime. */
  readonly time: number;
}

/** How far the clock of a file system may be behind, and what a module may be that was changed this moment. */
const lag = 20;

/** Of the program in a checkout. Rejects with esbuild's report. */
export async function bundle(checkout: string): Promise<Bundle> {
  const time = Date.now() - lag;
  const { outputFiles, metafile } = await build({
    absWorkingDir: checkout,
    entryPoints: ["build/commands/main.ts"],
    outfile: "program.js",
    write: false,
    bundle: true,
    platform: "node",
    // The one module format that V8 keeps what it has compiled of.
    format: "cjs",
    target: "node20.12",
    // Of a package with both, the ES modules: in some, the others hide what they import.
    mainFields: ["module", "main"],
    // The modules that ask for it need only the folder build/.
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: "(require, moduleUrl, module) => {" },
    footer: { js: "return module.exports; }" },
    legalComments: "none",
    minifyWhitespace: true,
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    logLevel: "silent",
  });
  const [map, script] = outputFiles;
  if (map === undefined || script === undefined) throw new Error("esbuild made no script.");
  if (script.text.length !== script.contents.length) throw new Error("esbuild made a script that is not in ASCII.");
  const files = [
    ...Object.keys(metafile.inputs),
    ...resolution.filter((file) => existsSync(path.join(checkout, file))),
  ];
  const modules = files.map((file) => [file, statSync(path.join(checkout, file)).size] as const);
  return { code: script.text, map: map.contents, modules, time };
}

/** What else decides which modules there are. */
const resolution = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];
