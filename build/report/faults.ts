import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import type { Colors } from "picocolors/types.js";
import { type Diagnostic, escaped } from "../diagnostics.ts";

/** A fault as programs read it: the path is that of the terminal's report. */
export const faultAsData = (content: string, { file, ...rest }: Diagnostic) => ({
  file: shownPath(content, file),
  ...rest,
});

/**
 * `file:line:column code message hint`, a line each. `frameOf` gives the text of a file to show a fault in its place,
 * or undefined for none.
 */
export function faultText(
  content: string,
  diagnostic: Diagnostic,
  colors: Colors,
  frameOf: (file: string) => string | undefined,
): string {
  const { file, line, column, endLine, endColumn, code, message, hint } = diagnostic;
  const place = colors.bold(`${escaped(shownPath(content, file))}:${line}:${column}`);
  const head = `${place} ${colors.red(code)} ${message}${hint === undefined ? "" : ` ${colors.cyan(hint)}`}`;
  const ofWholeFile = line === 1 && column === 1 && endLine === 1 && endColumn === 1;
  const text = ofWholeFile ? undefined : frameOf(file);
  if (text === undefined) return head;
  // A value of several lines is pointed at where it starts.
  const end = endLine === line && endColumn > column ? { end: { line, column: endColumn } } : {};
  const frame = codeFrameColumns(
    printable(text),
    { start: { line, column }, ...end },
    { linesAbove: 1, linesBelow: 1 },
  );
  return `${head}\n${colors.dim(frame)}\n`;
}

/** With something of the same length for what a terminal would obey and not show. */
const printable = (text: string): string =>
  text.replace(/[^\P{C}\n\r\t]/gu, (hidden) => "\u{fffd}".repeat(hidden.length));

/** Relative to where the command runs, so that a terminal can open it. */
const shownPath = (content: string, file: string): string => path.join(content, file).split(path.sep).join("/");
