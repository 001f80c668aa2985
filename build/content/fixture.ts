// Trees of content for tests, as data: a path and the text, or the bytes, of its file.
import type { Diagnostic } from "../diagnostics.ts";
import { compileContent } from "./content.ts";
import type { Discovery, Obstacle } from "./discover.ts";
import { compare } from "./order.ts";

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** What `discover` finds in a folder with these files. */
export const discovered = (tree: Tree, obstacles: readonly Obstacle[] = []): Discovery => ({
  files: Object.entries(tree)
    .map(([file, text]) => ({ file, bytes: typeof text === "string" ? new TextEncoder().encode(text) : text }))
    .sort((a, b) => compare(a.file, b.file)),
  obstacles,
});

/** `file:line:column code message hint`, a line each. */
export const faultsOf = (tree: Tree, obstacles: readonly Obstacle[] = []): readonly string[] =>
  compileContent(discovered(tree, obstacles))[1].map(lineOf);

const lineOf = ({ file, line, column, code, message, hint }: Diagnostic): string =>
  `${file}:${line}:${column} ${code} ${message}${hint === undefined ? "" : ` ${hint}`}`;
