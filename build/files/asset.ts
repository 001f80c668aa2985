// Files that the program delivers unchanged: shell scripts and stylesheets in their native format, so that shellcheck and
// Biome check them; the package holds them at the same path beside its script. And modules as scripts for browsers and
// workers, which are part of the bundled program: bundling them takes 0.1 s.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";
import { ownField } from "../../src/model/fields.ts";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `documents/style.css`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");

/**
 * The text of a script, without comments and with short names, except those of functions. It has no template literals,
 * because templates of CloudFormation read `${…}` as references.
 */
export const minified = (file: string): string =>
  transformSync(asset(file), { minify: true, supported: { "template-literal": false } }).code;

/** The modules that become scripts for browsers and workers, by their paths from build/ without the ending. */
const scriptModules = [
  "documents/browser/client",
  "documents/browser/dev",
  "documents/browser/page",
  "documents/browser/table",
  "documents/browser/table-worker",
  "hosts/cloudflare/script",
  "hosts/cloudflare/script-of-several",
];

type Scripts = Readonly<Record<string, string>>;

/** In the bundled program this is a constant; see package/bundles.ts. */
declare const bundledScripts: Scripts | undefined;
let scripts = typeof bundledScripts === "undefined" ? undefined : bundledScripts;

/** One of `scriptModules` as a script. */
export function bundledScript(module: string): string {
  scripts ??= bundleScripts().scripts;
  const script = ownField(scripts, module);
  if (script === undefined) throw new Error(`${module} is none of scriptModules.`);
  return script;
}

/** `inputs` are the modules in the scripts, relative to build/. */
export function bundleScripts(): { readonly scripts: Scripts; readonly inputs: readonly string[] } {
  // By default esbuild resolves in the folder where this process has loaded it, which may be gone.
  const folder = fileURLToPath(modulesFolder);
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: scriptModules.map((module) => `${module}.ts`),
    outbase: ".",
    outdir: ".",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    target: "es2022",
    legalComments: "none",
    write: false,
    metafile: true,
  });
  const nameOf = (file: string) => path.relative(folder, file).replace(/\.js$/, "").replaceAll(path.sep, "/");
  return {
    scripts: Object.fromEntries(outputFiles.map(({ path: file, text }) => [nameOf(file), text])),
    inputs: Object.keys(metafile.inputs),
  };
}
