// Faults for people and programs. Many faults of one cause need one repair, so people read about them in one sentence.
import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import type { Colors } from "picocolors/types.js";
import type { Diagnostic, Omitted } from "../../diagnostics.ts";
import { groupBy } from "../../group-by.ts";
import { escaped } from "../../text/quote.ts";
import { integer, plural } from "../../text/words.ts";
import { wrapped } from "../terminal.ts";

/** Faults of one cause, in the order of their places. */
export type Group = readonly [first: Diagnostic, ...others: readonly Diagnostic[]];

/** Fewer faults of one cause are reported one by one. */
const fewest = 3;

/** The most values of a group that are listed. */
const mostValues = 8;

/** In the order of their first faults. */
export function fold(shown: readonly Diagnostic[]): readonly Group[] {
  const causes = groupBy(shown, causeOf);
  return shown.flatMap((fault): readonly Group[] => {
    const group = causes.get(causeOf(fault));
    if (group === undefined || group.length < fewest) return [[fault]];
    return group[0] === fault ? [group] : [];
  });
}

/** The same for faults of one cause. */
const causeOf = ({ code, message, hint, cause }: Diagnostic): string =>
  JSON.stringify(cause === undefined ? [code, message, hint] : [code, cause.several]);

/** All faults, one by one. The paths are as in the report for the terminal. */
export const faultsAsData = (content: string, shown: readonly Diagnostic[], omitted: readonly Omitted[]) => ({
  faults: shown.map(({ file, cause: _, ...rest }) => ({ file: shownPath(content, file), ...rest })),
  total: totalOf(shown, omitted),
  omitted: omitted.map(({ file, ...rest }) => ({ file: shownPath(content, file), ...rest })),
});

/** `348 faults of 5 causes in 3 files`, or `1,200 faults in 3 files, of which the first 1,000 were examined`. */
export function countText(
  shown: readonly Diagnostic[],
  omitted: readonly Omitted[],
  groups: readonly Group[] = [],
): string {
  const files = new Set([...shown, ...omitted].map(({ file }) => file)).size;
  const isFolded = omitted.length === 0 && groups.some(({ length }) => length > 1);
  const causes = new Set(groups.map(([first]) => causeOf(first))).size;
  const folded = isFolded ? ` of ${plural(causes, "cause")}` : "";
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
export function faultText(content: string, group: Group, { colors, width, linesOf }: FaultLayout): string {
  const { file, line, column, code } = group[0];
  const [message, hint] = sentencesOf(group);
  const place = colors.bold(`${escaped(shownPath(content, file))}:${line}:${column}`);
  const sentences = [message, ...(hint === undefined ? [] : [colors.cyan(hint)])];
  const head = `${place} ${colors.red(code)}`;
  if (width === undefined) return `${head} ${sentences.join(" ")}`;
  const paragraphs = sentences.map((sentence) => wrapped(sentence, width, 2, 2));
  const frame = frameOf(group[0], width, linesOf(file));
  return [head, ...paragraphs, ...(frame === undefined ? [] : ["", colors.dim(frame)]), ""].join("\n");
}

function sentencesOf(group: Group): readonly [message: string, hint: string | undefined] {
  const [{ message, hint, cause }] = group;
  if (group.length === 1) return [message, hint];
  const [count, files] = [integer(group.length), new Set(group.map(({ file }) => file)).size];
  const places = files === 1 ? "" : `, in ${integer(files)} files`;
  if (cause === undefined) return [`${message} (${count} times${places})`, hint];
  // The hint of one fault suits all if they are about the same value.
  const isOneHint = group.every((each) => each.hint === hint);
  const isOneValue = group.every((each) => each.cause?.value === cause.value);
  const repair = isOneHint && (isOneValue || cause.hint === undefined) ? hint : cause.hint;
  const values = valuesText(group, repair !== hint);
  return [`${count} ${cause.several}${values === "" ? "" : `: ${values}`}${places}.`, repair];
}

/** `"africa-east" (12 times), "eu-wst" (did you mean "eu-west"?) and 3 more`. */
function valuesText(group: Group, hasAsides: boolean): string {
  const values = groupBy(
    group.flatMap(({ cause }) => (cause?.value === undefined ? [] : cause)),
    ({ value }) => value,
  );
  const listed = [...values].slice(0, mostValues).map(([value, [first, ...others]]) => {
    const times = others.length === 0 || values.size === 1 ? [] : [`${integer(others.length + 1)} times`];
    const notes = hasAsides && first.aside !== undefined ? [...times, first.aside] : times;
    return notes.length === 0 ? `${value}` : `${value} (${notes.join(", ")})`;
  });
  const more = values.size - listed.length;
  return `${listed.join(", ")}${more > 0 ? ` and ${integer(more)} more` : ""}`;
}

/** The lines of a file around a place, cut to the width of the terminal. */
function frameOf(
  { line, column, endLine, endColumn }: Diagnostic,
  width: number,
  all: readonly string[] | undefined,
): string | undefined {
  const isOfWholeFile = line === 1 && column === 1 && endLine === 1 && endColumn === 1;
  if (all === undefined || isOfWholeFile) return undefined;
  const startLine = Math.max(line - 1, 1);
  const lines = all.slice(startLine - 1, line + 1);
  const room = Math.max(20, width - String(line + 1).length - 6);
  const shift = lines.every(({ length }) => length <= room) ? 0 : Math.max(0, column - 1 - Math.floor(room / 3));
  const shown = lines.map((each) => printable(each).slice(shift, shift + room));
  const start = { line, column: column - shift };
  // Of a value of several lines, the start is marked.
  const last = Math.min(endColumn - shift, room + 1);
  const end = endLine === line && last > start.column ? { end: { line, column: last } } : {};
  // The package's types do not know startLine.
  const options = { linesAbove: 1, linesBelow: 1, startLine };
  return codeFrameColumns(shown.join("\n"), { start, ...end }, options);
}

/** Replaces characters that a terminal would obey instead of showing. The length stays the same. */
const printable = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (hidden) => "\u{fffd}".repeat(hidden.length));

/** Relative to the working directory, so that a terminal can open it. */
const shownPath = (content: string, file: string): string => path.join(content, file).split(path.sep).join("/");
