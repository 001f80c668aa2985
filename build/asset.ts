// Files that the program delivers unchanged: shell scripts and stylesheets in their native format, so that shellcheck and
// Biome check them, and modules as scripts for browsers and workers. The package holds them at the same path beside its
// script.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, buildSync, transformSync } from "esbuild";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `documents/style.css`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");

/**
 * The same of a script, without comments and with short names. Names of functions stay. It has no template literals, in
 * which CloudFormation's templates could have references.
 */
export const minified = (file: string): string =>
  transformSync(asset(file), { minify: true, supported: { "template-literal": false } }).code;

/** How modules become scripts for browsers and workers, in a checkout and in the package alike. */
export const scriptOptions = {
  bundle: true,
  minify: true,
  format: "esm",
  platform: "neutral",
  external: ["node:*"],
  target: "es2022",
  legalComments: "none",
} satisfies BuildOptions;

const scripts = new Map<string, string>();

/**
 * A module of the program as a script without imports, by its path from build/ without the ending: the package has it
 * bundled, a checkout bundles it once in each process, in a tenth of a second.
 */
export function bundle(module: string): string {
  const known = scripts.get(module);
  if (known !== undefined) return known;
  const packed = new URL(`${module}.js`, modulesFolder);
  const script = existsSync(packed) ? readFileSync(packed, "utf8") : bundleModule(`${module}.ts`);
  scripts.set(module, script);
  return script;
}

function bundleModule(file: string): string {
  // By default esbuild resolves in the folder where this process has loaded it, which may be gone.
  const absWorkingDir = fileURLToPath(modulesFolder);
  const { outputFiles } = buildSync({ ...scriptOptions, absWorkingDir, entryPoints: [file], write: false });
  return String(outputFiles[0]?.text);
}
