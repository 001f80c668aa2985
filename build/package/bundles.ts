// Bundles the scripts of the package.
import { cpSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import glob from "fast-glob";
import { bundleSources } from "../files/asset.ts";

/** esbuild's settings for all scripts. */
const settings = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  // ES modules are preferred, because the CommonJS modules of some packages hide their imports.
  mainFields: ["module", "main"],
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "silent",
} satisfies BuildOptions;

/** As if each script were a module of a room beside it. */
const bundledUrl = 'new URL("files/checkout.ts",require("node:url").pathToFileURL(__filename)).href';

/** Settings for scripts that Node runs, with modules of packages that are CommonJS. */
const commonJs = {
  ...settings,
  format: "cjs",
  // Modules only use it to find files relative to build/.
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: `const moduleUrl=${bundledUrl};` },
} satisfies BuildOptions;

/**
 * The whole program as one script. `moduleUrl` is JavaScript for the URL of a module in a folder of build/. `inputs` are
 * the modules in the script, relative to the checkout.
 */
export async function buildProgram(
  checkout: string,
  moduleUrl: string,
  options: Pick<BuildOptions, "outfile" | "write" | "sourcemap" | "sourcesContent">,
) {
  const { bundles, inputs } = bundleSources();
  const { outputFiles = [], metafile } = await build({
    ...commonJs,
    ...options,
    absWorkingDir: checkout,
    entryPoints: ["build/cli/main.ts"],
    // It finds its program relative to its files.
    external: ["esbuild"],
    // The package's script for Node asks for a variable of the environment at each token, a quarter of the time of YAML.
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
    banner: { js: `const moduleUrl=${moduleUrl},bundledSources=${JSON.stringify(bundles)};` },
  });
  return {
    outputFiles,
    metafile,
    inputs: [...Object.keys(metafile.inputs), ...inputs.map((file) => path.join("build", file))],
  };
}

interface Bundled {
  /** The modules in the scripts, relative to the checkout. */
  readonly inputs: readonly string[];
  /** The packages that the scripts import. */
  readonly externals: readonly string[];
}

/** Files that the program reads when it runs. */
const assets = ["**/*.{sh,js,conf,toml}", "documents/programs/client.d.ts", "cli/init/templates/**"];

/** The command line, as scripts and files in the folder `out`. */
export async function bundleProgram(checkout: string, out: string): Promise<Bundled> {
  const place = { absWorkingDir: checkout, outbase: "build", outdir: out };
  const [program] = await Promise.all([
    buildProgram(checkout, bundledUrl, { outfile: path.join(out, "program.cjs") }),
    build({
      ...commonJs,
      ...place,
      entryPoints: { cli: "build/package/packaged.ts" },
      outExtension: { ".js": ".cjs" },
    }),
    build({
      ...settings,
      ...place,
      entryPoints: ["build/**/*-thread.mjs"],
      outExtension: { ".js": ".mjs" },
      format: "esm",
    }),
  ]);
  const from = path.join(checkout, "build");
  for (const file of glob.sync(assets, { cwd: from, dot: true })) cpSync(path.join(from, file), path.join(out, file));
  return bundled(program.metafile);
}

/** What declarations and consumers import, as modules in the folder `out`. */
export async function bundleApi(checkout: string, out: string): Promise<Bundled> {
  const { metafile } = await build({
    ...settings,
    absWorkingDir: checkout,
    entryPoints: ["src/index.ts", "src/answers/client.ts", "src/declare/forms.ts", "src/edge-network/index.ts"],
    outbase: "src",
    outdir: out,
    chunkNames: "[name]-[hash]",
    format: "esm",
    splitting: true,
    platform: "neutral",
    packages: "external",
    minifyWhitespace: false,
  });
  return bundled(metafile);
}

function bundled({ inputs, outputs }: Metafile): Bundled {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const externals = imports.filter(({ external, path: name }) => external === true && !isBuiltin(name));
  return { inputs: Object.keys(inputs), externals: externals.map(({ path: name }) => name) };
}
