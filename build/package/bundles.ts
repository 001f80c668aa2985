// Bundles the scripts of the package.
import { cpSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { scriptOptions } from "../asset.ts";

/** esbuild's settings for all scripts. */
const settings = {
  bundle: true,
  platform: "node",
  target: "node20.12",
  // ES modules are preferred, because the CommonJS modules of some packages hide their imports.
  mainFields: ["module", "main"],
  legalComments: "none",
  minifyWhitespace: true,
  metafile: true,
  logLevel: "silent",
} satisfies BuildOptions;

/** Settings for scripts that Node runs, with modules of packages that are CommonJS. */
const commonJs = {
  ...settings,
  format: "cjs",
  // Modules only use it to find files relative to build/.
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;' },
} satisfies BuildOptions;

/** The settings for the whole program as one script. */
export const programOptions = {
  ...commonJs,
  entryPoints: ["build/cli/main.ts"],
  // It finds its program relative to its files.
  external: ["esbuild"],
  // The package's script for Node asks for a variable of the environment at each token, a quarter of the time of YAML.
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
} satisfies BuildOptions;

interface Program {
  /** The modules in the script, relative to the checkout. */
  readonly inputs: readonly string[];
  /** The packages that the script requires. */
  readonly externals: readonly string[];
}

export async function bundleProgram(checkout: string, out: string): Promise<Program> {
  const [{ metafile }] = await Promise.all([
    build({
      ...programOptions,
      absWorkingDir: checkout,
      outfile: path.join(out, "program.cjs"),
      plugins: [smallManifest(path.join(checkout, "package.json"))],
    }),
    build({
      ...commonJs,
      absWorkingDir: checkout,
      entryPoints: ["build/package/packaged.ts"],
      outfile: path.join(out, "cli.cjs"),
    }),
    build({
      ...settings,
      absWorkingDir: checkout,
      entryPoints: ["build/**/*-thread.mjs"],
      outbase: "build",
      outdir: out,
      outExtension: { ".js": ".mjs" },
      format: "esm",
    }),
    build({
      ...scriptOptions,
      absWorkingDir: checkout,
      entryPoints: [
        "build/hosts/cloudflare/script.ts",
        "build/hosts/cloudfront/upload.ts",
        "build/documents/browser/page.ts",
        "build/documents/browser/table.ts",
        "build/documents/browser/table-items.ts",
      ],
      outbase: "build",
      outdir: out,
    }),
    build({
      ...settings,
      absWorkingDir: checkout,
      entryPoints: [
        "build/**/*.sh",
        "build/**/*.css",
        "build/**/*.js",
        "build/hosts/**/*.conf",
        "build/hosts/**/*.toml",
      ],
      loader: { ".sh": "copy", ".css": "copy", ".js": "copy", ".conf": "copy", ".toml": "copy" },
      outbase: "build",
      outdir: out,
    }),
  ]);
  const templates = "cli/init/templates";
  cpSync(path.join(checkout, "build", templates), path.join(out, templates), { recursive: true });
  return { inputs: Object.keys(metafile.inputs), externals: externalsOf(metafile) };
}

/** `externals` are the packages that the scripts import. */
export async function bundleApi(checkout: string, out: string): Promise<{ readonly externals: readonly string[] }> {
  const { metafile } = await build({
    ...settings,
    absWorkingDir: checkout,
    entryPoints: ["src/index.ts", "src/client.ts", "src/forms.ts", "src/edge-network/index.ts"],
    outbase: "src",
    outdir: out,
    chunkNames: "[name]-[hash]",
    format: "esm",
    splitting: true,
    platform: "neutral",
    packages: "external",
    minifyWhitespace: false,
  });
  return { externals: externalsOf(metafile) };
}

function externalsOf({ outputs }: Metafile): readonly string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const externals = imports.filter(({ external, path: name }) => external === true && !isBuiltin(name));
  return [...new Set(externals.map((each) => each.path))].sort();
}

/** From package.json the program needs only its version. */
const smallManifest = (manifest: string): Plugin => ({
  name: "small-manifest",
  setup({ onLoad }) {
    onLoad({ filter: /package\.json$/ }, ({ path: file }) => {
      if (file !== manifest) return undefined;
      const { version } = JSON.parse(readFileSync(file, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
});
