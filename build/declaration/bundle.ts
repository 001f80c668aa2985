// Bundles a declaration with esbuild: the modules that it imports and the data in packages. The modules that the program
// supplies stay imports, so that there is one zod, and the declared schemas have the marks that the program reads.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Loader, type Message, type Plugin } from "esbuild";
import type { Checked, Diagnostic } from "../diagnostics.ts";
import { quote, shown } from "../quote.ts";

export interface Bundle {
  /** The body of a CommonJS module. */
  readonly code: string;
  /** The code's source map, as JSON, with the absolute paths of the modules. */
  readonly map: string;
}

export interface Bundled {
  /** Undefined if the declaration does not compile. */
  readonly bundle: Bundle | undefined;
  /** The absolute paths of the modules in the bundle, and of files that it imports and that do not exist. */
  readonly files: readonly string[];
}

/** `supplied` are the names of the modules that stay imports. Faults name files relative to `root`. */
export async function bundleDeclaration(
  config: string,
  supplied: readonly string[],
  root: string,
): Promise<Checked<Bundled>> {
  const files = new Set([config]);
  const folder = path.dirname(config);
  try {
    const { outputFiles } = await build({
      absWorkingDir: folder,
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
      define: Object.fromEntries(Object.entries(place).map(([name, variable]) => [`import.meta.${name}`, variable])),
      plugins: [recorded(files)],
      sourcemap: "external",
      sourcesContent: false,
      legalComments: "none",
      logLevel: "silent",
    });
    const [map, code] = outputFiles;
    if (map === undefined || code === undefined) throw new Error("esbuild made no script.");
    return [{ bundle: { code: code.text, map: absolute(map.text, folder) }, files: [...files] }, []];
  } catch (error) {
    const messages = messagesOf(error);
    if (messages === undefined) throw error;
    return [{ bundle: undefined, files: [...files] }, messages.map((message) => faultOf(message, config, root))];
  }
}

/** Records the files, and gives each module the variables of its place, which the bundle's place must not replace. */
const recorded = (files: Set<string>): Plugin => ({
  name: "recorded",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{0,2}\// }, ({ path: file, resolveDir }) => {
      files.add(path.resolve(resolveDir, file));
      return undefined;
    });
    onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path: file }) => {
      files.add(file);
      const text = readFileSync(file, "utf8");
      const loader = loaders[path.extname(file)] ?? "js";
      return { contents: withPlace(text, file), loader, resolveDir: path.dirname(file) };
    });
    onLoad({ filter: /\.json$/ }, ({ path: file }) => {
      files.add(file);
      return undefined;
    });
  },
});

const loaders: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
};

const place = { url: "__stillapi_url", filename: "__stillapi_filename", dirname: "__stillapi_dirname" };

/** The variables are on the first line of the module, so that its other lines keep their numbers. */
function withPlace(text: string, file: string): string {
  const values = { url: pathToFileURL(file).href, filename: file, dirname: path.dirname(file) };
  const names: readonly (readonly [name: string, value: string])[] = [
    ...(["url", "filename", "dirname"] as const).flatMap((each) =>
      text.includes(`import.meta.${each}`) ? [[place[each], values[each]] as const] : [],
    ),
    ...(["filename", "dirname"] as const).flatMap((each) => {
      const isFree = text.includes(`__${each}`) && !new RegExp(`(?:const|let|var)\\s+__${each}\\b`).test(text);
      return isFree ? [[`__${each}`, values[each]] as const] : [];
    }),
  ];
  if (names.length === 0) return text;
  return `var ${names.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(", ")}; ${text}`;
}

const absolute = (map: string, folder: string): string => {
  const { sources, ...rest } = JSON.parse(map);
  return JSON.stringify({ ...rest, sources: sources.map((source: string) => path.resolve(folder, source)) });
};

/** Undefined if the error is none of esbuild's reports. */
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
  return {
    ...place,
    code: "does-not-compile",
    message,
    ...(note === undefined ? {} : { hint: shown(note.text, 300) }),
  };
}

const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
