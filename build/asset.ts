// Files that the program delivers unchanged: shell scripts and stylesheets in their native format, so that shellcheck and
// Biome check them, and modules as scripts for browsers and workers. The package holds them at the same path beside its
// script.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
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

/** The modules that become such scripts, by their paths from build/ without the ending. */
export const scriptModules = [
  ...["documents/browser/page", "documents/browser/table", "documents/browser/table-items"],
  ...["hosts/cloudflare/script", "hosts/cloudfront/upload"],
];

let bundled: ReadonlyMap<string, string> | undefined;

/** One of `scriptModules` as a script: the package has it bundled, a checkout bundles all of them once in each process. */
export function bundle(module: string): string {
  const packed = new URL(`${module}.js`, modulesFolder);
  if (existsSync(packed)) return readFileSync(packed, "utf8");
  bundled ??= bundleModules();
  const script = bundled.get(module);
  if (script === undefined) throw new Error(`${module} is none of scriptModules.`);
  return script;
}

function bundleModules(): ReadonlyMap<string, string> {
  // By default esbuild resolves in the folder where this process has loaded it, which may be gone.
  const absWorkingDir = fileURLToPath(modulesFolder);
  const entryPoints = scriptModules.map((module) => `${module}.ts`);
  const options = { ...scriptOptions, absWorkingDir, entryPoints, outbase: ".", outdir: ".", write: false } as const;
  return new Map(
    buildSync(options).outputFiles.map(({ path: file, text }) => [
      path.relative(absWorkingDir, file).replace(/\.js$/, "").split(path.sep).join("/"),
      text,
    ]),
  );
}
