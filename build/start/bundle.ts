// The program and what it imports, as one script.
import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";

/** How a script is made of the program's modules. */
export const settings = {
  bundle: true,
  platform: "node",
  target: "node20.12",
  // Of a package with both, the ES modules: in some, the others hide what they import.
  mainFields: ["module", "main"],
  // Characters beyond ASCII are escaped, which cannot be done in a template with a tag.
  supported: { "template-literal": false },
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "silent",
} satisfies BuildOptions;

/** How it is made one script: an expression, which is a function of load.ts. */
export const script = {
  ...settings,
  entryPoints: ["build/cli/main.ts"],
  // The one module format that V8 keeps what it has compiled of.
  format: "cjs",
  // The modules that ask for it need only the folder that they are in.
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: "(require, moduleUrl, module) => {" },
  footer: { js: "return module.exports; }" },
} satisfies BuildOptions;

export interface Bundle {
  /** In ASCII. */
  readonly code: string;
  /** The code's source map, as JSON. Its sources are relative to the checkout. */
  readonly map: Uint8Array;
  /** What it was made of. */
  readonly modules: readonly Module[];
}

/** Its path from the checkout, its length in bytes, its inode and its ctime; see output/index-file.ts. */
export type Module = readonly [file: string, length: number, inode: number, ctime: number];

/** How far the clock of a file system may be behind, and what a module may be that was changed this moment. */
const lag = 20;

/** Of the program in a checkout. Rejects with esbuild's report. */
export async function bundle(checkout: string): Promise<Bundle> {
  const time = Date.now() - lag;
  const { outputFiles, metafile } = await build({
    ...script,
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
    // What was changed since may have been read before: no file has this ctime.
    return [file, size, ino, ctimeMs < time ? ctimeMs : -1];
  });
  return { code: made.text, map: map.contents, modules };
}

/** What else decides which modules there are, and what esbuild makes of them. */
const resolution = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
