import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import type { Colors } from "picocolors/types.js";
import type { Diagnostic, Omitted } from "../../diagnostics.ts";
import { escaped } from "../../text/quote.ts";
import { integer, plural } from "../../text/words.ts";
import { wrapped } from "../terminal.ts";
import { alone, causeOf, type Group, sentenceOf } from "./fold.ts";

/** The longest list of counts that is printed in full. */
const mostCounts = 1_000;

/** All faults for programs, one by one. The paths are as in the report for the terminal. */
export const faultsAsData = (content: string, shown: readonly Diagnostic[], omitted: readonly Omitted[]) => ({
  faults: shown.map(({ file, cause: _, ...rest }) => ({ file: shownPath(content, file), ...rest })),
  total: totalOf(shown, omitted),
  omitted: omitted.slice(0, mostCounts).map(({ file, ...rest }) => ({ file: shownPath(content, file), ...rest })),
});

/** `348 faults of 5 causes in 3 files`, or `1,200 faults in 3 files, of which the first 1,000 were examined`. */
export function countText(
  shown: readonly Diagnostic[],
  omitted: readonly Omitted[],
  groups: readonly Group[] = shown.map(alone),
): string {
  const files = new Set([...shown, ...omitted].map(({ file }) => file)).size;
  const causes = new Set(groups.map(({ first }) => causeOf(first))).size;
  const folded = omitted.length === 0 && groups.length < shown.length ? ` of ${plural(causes, "cause")}` : "";
  const all = `${plural(totalOf(shown, omitted), "fault")}${folded} in ${plural(files, "file")}`;
  return omitted.length === 0 ? all : `${all}, of which the first ${integer(shown.length)} were examined`;
}

const totalOf = (shown: readonly Diagnostic[], omitted: readonly Omitted[]): number =>
  omitted.reduce((sum, { count }) => sum + count, shown.length);

export interface FaultLayout {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
  /** The lines of a file, to show the place of a fault. Undefined: the place is not shown. */
  readonly linesOf: (file: string) => readonly string[] | undefined;
}

/** `file:line:column code message hint`, on one line; on a terminal wrapped, with the lines around the place. */
export function faultText(content: string, group: Group, page: FaultLayout): string {
  const { file, line, column, code } = group.first;
  const { colors, width } = page;
  const { message, hint } = sentenceOf(group);
  const place = colors.bold(`${escaped(shownPath(content, file))}:${line}:${column}`);
  const sentences = [message, ...(hint === undefined ? [] : [colors.cyan(hint)])];
  const head = `${place} ${colors.red(code)}`;
  if (width === undefined) return `${head} ${sentences.join(" ")}`;
  const paragraphs = sentences.map((sentence) => wrapped(sentence, width, 2, 2));
  const frame = frameOf(group.first, width, page.linesOf);
  return [head, ...paragraphs, ...(frame === undefined ? [] : ["", colors.dim(frame)]), ""].join("\n");
}

/** The lines around a place, cut to the width of the terminal. */
function frameOf(fault: Diagnostic, width: number, linesOf: FaultLayout["linesOf"]): string | undefined {
  const { file, line, column, endLine, endColumn } = fault;
  const ofWholeFile = line === 1 && column === 1 && endLine === 1 && endColumn === 1;
  const startLine = Math.max(line - 1, 1);
  const lines = ofWholeFile ? undefined : linesOf(file)?.slice(startLine - 1, line + 1);
  if (lines === undefined) return undefined;
  const room = Math.max(20, width - String(line + 1).length - 6);
  const from = Math.max(0, column - 1 - Math.floor(room / 3));
  const shift = lines.every(({ length }) => length <= room) ? 0 : from;
  const shown = lines.map((each) => printable(each).slice(shift, shift + room));
  // Of a value of several lines, the start is marked.
  const last = Math.min(endColumn - shift, room + 1);
  const end = endLine === line && last > column - shift ? { end: { line, column: last } } : {};
  // The package's types do not know startLine.
  const options = { linesAbove: 1, linesBelow: 1, startLine };
  return codeFrameColumns(shown.join("\n"), { start: { line, column: column - shift }, ...end }, options);
}

/** Replaces characters that a terminal would obey instead of showing. The length stays the same. */
const printable = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (hidden) => "\u{fffd}".repeat(hidden.length));

/** Relative to the working directory, so that a terminal can open it. */
const shownPath = (content: string, file: string): string => path.join(content, file).split(path.sep).join("/");
