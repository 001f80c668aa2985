// Files that the program delivers unchanged: shell scripts and configurations in their native format, so that shellcheck
// checks them; the package holds them at the same path beside its script. And scripts and stylesheets for browsers and
// workers, which are part of the bundled program: bundling them takes 0.1 s.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";
import { ownField } from "../../src/model/fields.ts";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `publish/target.sh`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");

/**
 * The text of a script, without comments and with short names, except those of functions. It has no template literals,
 * because templates of CloudFormation read `${…}` as references.
 */
export const minified = (file: string): string =>
  transformSync(asset(file), { minify: true, supported: { "template-literal": false } }).code;

/** The sources of scripts and stylesheets, by their paths from build/. */
const sources = [
  "cli/dev/browser/dev.css",
  "cli/dev/browser/dev.ts",
  "documents/browser/page.ts",
  "documents/frame/style.css",
  "documents/programs/browser/client.ts",
  "documents/tables/browser/table.ts",
  "documents/tables/browser/table-worker.ts",
  "hosts/cloudflare/script.ts",
  "hosts/cloudflare/script-of-several.ts",
];

/** By the path of the source. */
type Bundles = Readonly<Record<string, string>>;

/** In the bundled program this is a constant; see package/bundles.ts. */
declare const bundledSources: Bundles | undefined;
let bundles = typeof bundledSources === "undefined" ? undefined : bundledSources;

/** One of `sources` with all that it imports, minified. */
export function bundled(source: string): string {
  bundles ??= bundleSources().bundles;
  const text = ownField(bundles, source);
  if (text === undefined) throw new Error(`${source} is none of the sources.`);
  return text;
}

/** `inputs` are the modules and stylesheets in the bundles, relative to build/. */
export function bundleSources(): { readonly bundles: Bundles; readonly inputs: readonly string[] } {
  // By default esbuild resolves in the folder where this process has loaded it, which may be gone.
  const folder = fileURLToPath(modulesFolder);
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: sources,
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
  const sourceOf = (file: string) => path.relative(folder, file).replace(/\.js$/, ".ts").replaceAll(path.sep, "/");
  return {
    bundles: Object.fromEntries(outputFiles.map(({ path: file, text }) => [sourceOf(file), text])),
    inputs: Object.keys(metafile.inputs),
  };
}
