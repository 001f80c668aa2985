import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import type { Colors } from "picocolors/types.js";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import { escaped } from "../quote.ts";
import { integer, plural } from "./columns.ts";

/** The longest list of counts that is printed in full. */
const mostCounts = 1_000;

/** All faults as programs read them: the paths are those of the terminal's report. */
export const faultsAsData = (content: string, shown: readonly Diagnostic[], omitted: readonly Omitted[]) => ({
  faults: shown.map(({ file, ...rest }) => ({ file: shownPath(content, file), ...rest })),
  total: totalOf(shown, omitted),
  omitted: omitted.slice(0, mostCounts).map(({ file, ...rest }) => ({ file: shownPath(content, file), ...rest })),
});

/** `1,200 faults in 3 files, of which the first 1,000 are shown`. */
export function countText(shown: readonly Diagnostic[], omitted: readonly Omitted[]): string {
  const files = new Set([...shown, ...omitted].map(({ file }) => file)).size;
  const all = `${plural(totalOf(shown, omitted), "fault")} in ${plural(files, "file")}`;
  return omitted.length === 0 ? all : `${all}, of which the first ${integer(shown.length)} are shown`;
}

/** How many faults of which code are not shown, a line for each file. */
export function omittedText(content: string, omitted: readonly Omitted[], colors: Colors): readonly string[] {
  const files = new Map<string, string[]>();
  for (const { file, code, count } of omitted) {
    const counts = files.get(file) ?? [];
    counts.push(`${integer(count)} ${colors.red(code)}`);
    files.set(file, counts);
  }
  const lines = [...files].map(
    ([file, counts]) => `${colors.bold(escaped(shownPath(content, file)))} not shown: ${counts.join(", ")}`,
  );
  const more = files.size - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `and in ${plural(more, "other file")}`] : lines;
}

/** How many files' counts a terminal gets. */
const mostLines = 20;

const totalOf = (shown: readonly Diagnostic[], omitted: readonly Omitted[]): number =>
  omitted.reduce((sum, { count }) => sum + count, shown.length);

/**
 * `file:line:column code message hint`, a line each. `linesOf` gives the lines of a file to show a fault in its place,
 * or undefined for none.
 */
export function faultText(
  content: string,
  diagnostic: Diagnostic,
  colors: Colors,
  linesOf: (file: string) => readonly string[] | undefined,
): string {
  const { file, line, column, endLine, endColumn, code, message, hint } = diagnostic;
  const place = colors.bold(`${escaped(shownPath(content, file))}:${line}:${column}`);
  const head = `${place} ${colors.red(code)} ${message}${hint === undefined ? "" : ` ${colors.cyan(hint)}`}`;
  const ofWholeFile = line === 1 && column === 1 && endLine === 1 && endColumn === 1;
  const startLine = Math.max(line - 1, 1);
  const lines = ofWholeFile ? undefined : linesOf(file)?.slice(startLine - 1, line + 1);
  if (lines === undefined || lines.some(({ length }) => length > widest)) return head;
  // A value of several lines is pointed at where it starts.
  const end = endLine === line && endColumn > column ? { end: { line, column: endColumn } } : {};
  // The package's types do not know startLine.
  const options = { linesAbove: 1, linesBelow: 1, startLine };
  const frame = codeFrameColumns(printable(lines.join("\n")), { start: { line, column }, ...end }, options);
  return `${head}\n${colors.dim(frame)}\n`;
}

/** Of longer lines nobody finds the place that is marked. */
const widest = 1_000;

/** With something of the same length for what a terminal would obey and not show. */
const printable = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (hidden) => "\u{fffd}".repeat(hidden.length));

/** Relative to where the command runs, so that a terminal can open it. */
const shownPath = (content: string, file: string): string => path.join(content, file).split(path.sep).join("/");
