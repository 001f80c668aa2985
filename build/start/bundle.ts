// Bundles the program and its dependencies into one script.
import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";

/** esbuild's settings for all scripts. */
export const settings = {
  bundle: true,
  platform: "node",
  target: "node20.12",
  // ES modules are preferred, because the CommonJS modules of some packages hide their imports.
  mainFields: ["module", "main"],
  // Characters beyond ASCII are escaped, which is impossible in tagged template literals.
  supported: { "template-literal": false },
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "silent",
} satisfies BuildOptions;

/** The settings for the whole program as one script: an expression whose value is a `Load`. */
export const scriptOptions = {
  ...settings,
  entryPoints: ["build/cli/main.ts"],
  // It finds its program relative to its files. Only a declaration without a cached bundle needs it.
  external: ["esbuild"],
  // The only module format for which V8's code cache works.
  format: "cjs",
  // Modules only use it to find files relative to build/.
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: "(require, moduleUrl, module) => {" },
  footer: { js: "return module.exports; }" },
} satisfies BuildOptions;

/** The program's script: a function that loads it. The program finds its other files relative to `moduleUrl`. */
export type LoadProgram = (
  require: NodeJS.Require,
  moduleUrl: string,
  module: object,
) => typeof import("../cli/main.ts");

export interface ProgramBundle {
  /** The code, in ASCII. */
  readonly code: string;
  /** The code's source map, as JSON. Its sources are relative to the checkout. */
  readonly map: Uint8Array;
  /** The modules in the script. */
  readonly modules: readonly Module[];
}

/** Path relative to the checkout, length in bytes, inode and ctime; see output/index-file.ts. */
export type Module = readonly [file: string, length: number, inode: number, ctime: number];

/** How far the clock of a file system may be behind, in milliseconds. */
const lag = 20;

/** Bundles the program of a checkout. Rejects with esbuild's report. */
export async function bundle(checkout: string): Promise<ProgramBundle> {
  const time = Date.now() - lag;
  const { outputFiles, metafile } = await build({
    ...scriptOptions,
    absWorkingDir: checkout,
    outfile: "program.js",
    write: false,
    sourcemap: "external",
    sourcesContent: false,
  });
  const [map, made] = outputFiles;
  if (map === undefined || made === undefined) throw new Error("esbuild made no script.");
  if (made.text.length !== made.contents.length) throw new Error("esbuild made a script that is not in ASCII.");
  const files = [
    ...Object.keys(metafile.inputs),
    ...resolution.filter((file) => existsSync(path.join(checkout, file))),
  ];
  const modules = files.map((file): Module => {
    const { size, ino, ctimeMs } = lstatSync(path.join(checkout, file));
    // A module changed since `time` may have been read before the change. No file has this ctime.
    return [file, size, ino, ctimeMs < time ? ctimeMs : -1];
  });
  return { code: made.text, map: map.contents, modules };
}

/** Other files that affect the bundle. */
const resolution = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
