// Bundles a declaration with esbuild: the modules that it imports, and the data in packages. The modules that the
// program supplies stay imports, so that there is one zod, and declared schemas have the marks that the program reads.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Message, type Plugin } from "esbuild";
import type { Checked, Diagnostic } from "../diagnostics.ts";
import { quote, shown } from "../quote.ts";

export interface DeclarationBundle {
  /** The body of a CommonJS module. */
  readonly code: string;
  /** The source map of the code, as JSON. Paths of modules are relative to the folder of the declaration. */
  readonly map: string;
}

export interface Bundled {
  /** Undefined if the declaration does not compile. */
  readonly bundle: DeclarationBundle | undefined;
  /** The absolute paths of the modules in the bundle, and of imported files that do not exist. */
  readonly files: readonly string[];
}

/** `supplied` are the names of the modules that stay imports. Faults name files relative to `root`. */
export async function bundleDeclaration(
  config: string,
  supplied: readonly string[],
  root: string,
): Promise<Checked<Bundled>> {
  const files = new Set([config]);
  try {
    const { outputFiles } = await build({
      absWorkingDir: path.dirname(config),
      entryPoints: [config],
      outfile: `${config}.cjs`,
      bundle: true,
      write: false,
      platform: "node",
      target: "node20.12",
      format: "cjs",
      // The script is evaluated by node:vm, in which `import()` needs flags of Node.
      supported: { "dynamic-import": false },
      mainFields: ["module", "main"],
      external: [...supplied, "*.node"],
      define: {
        "import.meta.url": "__stillapi_url",
        "import.meta.filename": "__stillapi_filename",
        "import.meta.dirname": "__stillapi_dirname",
      },
      plugins: [recorded(files)],
      sourcemap: "external",
      sourcesContent: false,
      legalComments: "none",
      logLevel: "silent",
    });
    const [map, code] = outputFiles;
    if (map === undefined || code === undefined) throw new Error("esbuild made no script.");
    return [{ bundle: { code: code.text, map: map.text }, files: [...files] }, []];
  } catch (error) {
    const messages = messagesOf(error);
    if (messages === undefined) throw error;
    return [{ bundle: undefined, files: [...files] }, messages.map((message) => faultOf(message, config, root))];
  }
}

/** Records the files. Gives each module the variables of its place, because the bundle is in another place. */
const recorded = (files: Set<string>): Plugin => ({
  name: "recorded",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{0,2}\// }, ({ path: file, resolveDir }) => {
      files.add(path.resolve(resolveDir, file));
      return undefined;
    });
    onLoad({ filter: /\.(?:json|[cm]?[jt]sx?)$/ }, ({ path: file }) => {
      files.add(file);
      if (file.endsWith(".json")) return undefined;
      return {
        contents: withPlace(readFileSync(file, "utf8"), file),
        loader: "default",
        resolveDir: path.dirname(file),
      };
    });
  },
});

/** The variables are on the first line of the module, so that the other lines keep their numbers. */
function withPlace(text: string, file: string): string {
  const variables = [
    ["import.meta.url", "__stillapi_url", pathToFileURL(file).href],
    ["import.meta.filename", "__stillapi_filename", file],
    ["import.meta.dirname", "__stillapi_dirname", path.dirname(file)],
    ["__filename", "__filename", file],
    ["__dirname", "__dirname", path.dirname(file)],
  ] as const;
  const used = variables.filter(
    ([name, variable]) => text.includes(name) && !new RegExp(`(?:const|let|var)\\s+${variable}\\b`).test(text),
  );
  if (used.length === 0) return text;
  return `var ${used.map(([, variable, value]) => `${variable} = ${JSON.stringify(value)}`).join(", ")}; ${text}`;
}

/** Undefined if the error is not a report of esbuild. */
function messagesOf(error: unknown): readonly Message[] | undefined {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : undefined;
}

function faultOf({ text, location, notes }: Message, config: string, root: string): Diagnostic {
  const { line = 1, column = 0, length = 0, lineText = "" } = location ?? {};
  const file = location === null ? config : path.resolve(path.dirname(config), location.file);
  // esbuild counts bytes.
  const bytes = Buffer.from(lineText);
  const start = bytes.toString("utf8", 0, column).length + 1;
  const end = start + bytes.toString("utf8", column, column + length).length;
  const place = { file: path.relative(root, file), line, column: start, endLine: line, endColumn: end };
  const [, name] = /^Could not resolve "(.*)"$/.exec(text) ?? [];
  if (name !== undefined) {
    const hint = /^[./]/.test(name) ? "Check its path." : `Install it: npm install ${packageOf(name)}.`;
    return { ...place, code: "no-such-module", message: `There is no module ${quote(name)}.`, hint };
  }
  if (text.startsWith("Top-level await")) {
    const message = "A declaration cannot wait with await outside of a function.";
    return { ...place, code: "does-not-compile", message };
  }
  const message = `This does not compile: ${shown(text, 300).replace(/\.$/, "")}.`;
  const [note] = notes;
  return { ...place, code: "does-not-compile", message, ...(note && { hint: shown(note.text, 300) }) };
}

const packageOf = (name: string): string => /^(?:@[^/]*\/)?[^/]*/.exec(name)?.[0] ?? name;
