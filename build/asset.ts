// Files that the program delivers unchanged: shell scripts, stylesheets and a script for browsers, in their native
// format so that shellcheck and Biome check them. The package holds them at the same path beside its script.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `documents/style.css`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");

/**
 * The same of a script, without comments and with short names. Names of functions stay. It has no template literals, in
 * which CloudFormation's templates could have references.
 */
export const minified = (file: string): string =>
  transformSync(asset(file), { minify: true, supported: { "template-literal": false } }).code;

/**
 * A module of the program as a script without imports, by its path from build/ without the ending: a checkout has it in
 * TypeScript, the package in JavaScript.
 */
export function bundle(module: string): string {
  const entryPoints = [fileURLToPath(new URL(module, modulesFolder))];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, minify: true, format: "esm", write: false });
  return String(outputFiles[0]?.text);
}
