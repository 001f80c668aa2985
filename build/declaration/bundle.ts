// Bundles the modules of a declaration with esbuild, which is another process. The program supplies zod and "stillapi", so
// that declared schemas have the marks that the program reads; its further modules, such as "stillapi/edge-network", are
// bundled from the program's files. esbuild takes less time than Node takes to load what it strips types with.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildFailure, build, type Message as Mistake, type Plugin } from "esbuild";
import { modulesFolder } from "../files/checkout.ts";
import type { Draft } from "../messages.ts";
import { quote, shown } from "../text/quote.ts";

export interface Bundle {
  /** The name of the script in stack traces. */
  readonly script: string;
  /** The body of a CommonJS module. */
  readonly code: string;
  /** Its source map, with paths relative to the folder of the declaration. */
  readonly map: string;
  readonly mistakes: readonly Draft[];
  /** The absolute paths of the files in the bundle, and of imported files that do not exist. */
  readonly files: readonly string[];
}

export type SuppliedModule = "stillapi" | "stillapi/forms" | "zod" | "zod/v4";

const suppliedModules: readonly string[] = ["stillapi", "stillapi/forms", "zod", "zod/v4"] satisfies SuppliedModule[];

/** `config` is an absolute path. Places are relative to `root`. */
export async function bundleDeclaration(config: string, root: string): Promise<Bundle> {
  const script = `${config}.cjs`;
  const files = new Set([config]);
  const result = await build({
    absWorkingDir: path.dirname(config),
    entryPoints: [config],
    outfile: script,
    bundle: true,
    write: false,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    // The script is evaluated by node:vm, in which `import()` needs flags of Node.
    supported: { "dynamic-import": false },
    mainFields: ["module", "main"],
    external: [...suppliedModules, "*.node"],
    define: {
      "import.meta.url": "__stillapi_url",
      "import.meta.filename": "__stillapi_filename",
      "import.meta.dirname": "__stillapi_dirname",
      __filename: "__stillapi_filename",
      __dirname: "__stillapi_dirname",
    },
    plugins: [resolution(files)],
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "silent",
  }).catch((error: BuildFailure) => error);
  if (result instanceof Error && !("errors" in result)) throw result;
  const [map, code] = result instanceof Error ? [] : result.outputFiles;
  return {
    script,
    code: code?.text ?? "",
    map: map?.text ?? "{}",
    mistakes: result.errors.map((mistake) => draftOf(mistake, config, root)),
    files: [...files],
  };
}

/** Records the files, finds the program's modules, and sets the paths that each module has, because the bundle is elsewhere. */
const resolution = (files: Set<string>): Plugin => ({
  name: "declaration",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^stillapi\// }, ({ path: name }) => {
      const file = suppliedModules.includes(name) ? undefined : programFile(name.slice("stillapi/".length));
      return file === undefined ? undefined : { path: file };
    });
    onResolve({ filter: /^\.{0,2}\// }, ({ path: name, resolveDir }) => {
      files.add(path.resolve(resolveDir, name));
      return undefined;
    });
    onLoad({ filter: /.*/ }, ({ path: file }) => {
      files.add(file);
      if (!/\.[cm]?[jt]sx?$/.test(file)) return undefined;
      const text = readFileSync(file, "utf8");
      if (!/\bimport\.meta\b|\b__(?:file|dir)name\b/.test(text)) return undefined;
      const place = { url: pathToFileURL(file).href, filename: file, dirname: path.dirname(file) };
      const variables = Object.entries(place).map(([name, value]) => `__stillapi_${name} = ${JSON.stringify(value)}`);
      // On the first line of the module, so that the other lines keep their numbers.
      return { contents: `var ${variables.join(", ")}; ${text}`, loader: "default", resolveDir: path.dirname(file) };
    });
  },
});

/** A module that the package exports: a script in lib/api/, or in a checkout a source in src/. */
const programFile = (name: string): string | undefined =>
  ["../src/", "./api/"]
    .flatMap((folder) => [".ts", "/index.ts", ".js", "/index.js"].map((end) => `${folder}${name}${end}`))
    .map((file) => fileURLToPath(new URL(file, modulesFolder)))
    .find((file) => existsSync(file));

function draftOf({ text, location, notes }: Mistake, config: string, root: string): Draft {
  const { line = 1, column = 0, length = 0, lineText = "", file = config } = location ?? {};
  // esbuild counts bytes.
  const bytes = Buffer.from(lineText);
  const start = bytes.toString("utf8", 0, column).length + 1;
  const end = start + bytes.toString("utf8", column, column + length).length;
  const at = {
    file: path.relative(root, path.resolve(path.dirname(config), file)),
    line,
    column: start,
    endLine: line,
    endColumn: end,
  };
  const [, name] = /^Could not resolve "(.*)"$/.exec(text) ?? [];
  if (name !== undefined) {
    const [packageName] = /^(?:@[^/]*\/)?[^/]*/.exec(name) ?? [];
    const hint = /^[./#]/.test(name)
      ? "Check its path."
      : `Install it: npm install ${packageName}. If it is installed, it does not export this path.`;
    return { code: "does-not-compile", at, text: `There is no module ${quote(name)}.`, hint };
  }
  const sentence = text.startsWith("Top-level await")
    ? "A declaration cannot use await outside a function."
    : `This does not compile: ${shown(text, 300).replace(/\.$/, "")}.`;
  const [note] = notes;
  return { code: "does-not-compile", at, text: sentence, hint: note && shown(note.text, 300) };
}
