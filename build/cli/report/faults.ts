// Faults for people, programs and GitHub. Many faults of one kind often need one repair, so people read the first of them.
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import type { Colors } from "picocolors/types.js";
import type { Diagnostic, Omitted } from "../../diagnostics.ts";
import { escaped } from "../../text/quote.ts";
import { integer, listed, plural } from "../../text/words.ts";
import { groupBy } from "../../values/group-by.ts";
import type { ExitCode, ReportFormat } from "../explain.ts";
import { err, widthOf, wrapped } from "../terminal.ts";

const { stdout, stderr } = process;

export type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

/** Faults of one kind, in the order of their places. */
export type Group = readonly [first: Diagnostic, ...others: readonly Diagnostic[]];

/** Fewer faults of one kind are reported one by one. */
const fewest = 3;

/** The most faults, or groups of faults, that are printed in full. */
const mostInFull = 50;

interface Choices {
  readonly format: ReportFormat;
  /** Whether each fault is reported separately. */
  readonly all?: boolean;
  /** Continues the sentence that counts the faults. */
  readonly effect?: string;
}

/** Reports the faults of a folder, as text on standard error or as JSON on standard output. Returns the exit code. */
export function reportFaults(
  folder: string,
  [shown, omitted]: Faults,
  { format, all = false, effect = "" }: Choices,
): ExitCode {
  if (format === "json") {
    stdout.write(`${JSON.stringify(faultsAsData(folder, shown, omitted))}\n`);
    return 1;
  }
  const folded = fold(shown);
  const groups = all ? shown.map((fault) => [fault] as const) : folded;
  const inFull = all ? groups : groups.slice(0, mostInFull);
  const layout = { colors: err, width: widthOf(stderr), linesOf: lineReader(folder) };
  for (const group of inFull) stderr.write(`${faultText(folder, group, layout)}\n`);
  const rest = groups.slice(inFull.length).reduce((sum, { length }) => sum + length, 0);
  const more = rest > 0 ? ` ${integer(rest)} of them are not shown: use --all to see each fault.` : "";
  stderr.write(`${err.red("✗")} ${countText(shown, omitted, groups)}${effect}.${more}\n`);
  if (process.env["GITHUB_ACTIONS"] !== "true") return 1;
  const repository = process.env["GITHUB_WORKSPACE"] || process.cwd();
  for (const fault of firstOfEach(folded))
    stderr.write(`${annotation(fault, slashed(path.relative(repository, path.resolve(folder, fault.file))))}\n`);
  return 1;
}

/** In the order of their first faults. */
export function fold(shown: readonly Diagnostic[]): readonly Group[] {
  const kinds = groupBy(shown, kindOf);
  return shown.flatMap((fault): readonly Group[] => {
    const group = kinds.get(kindOf(fault));
    if (group === undefined || group.length < fewest) return [[fault]];
    return group[0] === fault ? [group] : [];
  });
}

const quoted = /"(?:[^"\\]|\\.)*"/g;

/** The messages and hints of faults of one kind differ only in what they quote, and in numbers. */
const kindOf = ({ code, message, hint = "" }: Diagnostic): string =>
  `${code} ${message} ${hint}`.replace(quoted, '""').replace(/\d+/g, "0");

/** All faults, one by one. The paths are as in the report for the terminal. */
export const faultsAsData = (folder: string, shown: readonly Diagnostic[], omitted: readonly Omitted[]) => ({
  faults: shown.map(({ file, ...rest }) => ({ file: shownPath(folder, file), ...rest })),
  total: totalOf(shown, omitted),
  omitted: omitted.map(({ file, ...rest }) => ({ file: shownPath(folder, file), ...rest })),
});

/** `348 faults of 5 kinds in 3 files`, or `1,000 faults in 3 files, and at least 200 more that were not examined`. */
export function countText(
  shown: readonly Diagnostic[],
  omitted: readonly Omitted[],
  groups: readonly Group[] = [],
): string {
  const files = new Set([...shown, ...omitted].map(({ file }) => file)).size;
  const isFolded = omitted.length === 0 && groups.some(({ length }) => length > 1);
  const kinds = isFolded ? ` of ${plural(new Set(shown.map(kindOf)).size, "kind")}` : "";
  const text = `${plural(shown.length, "fault")}${kinds} in ${plural(files, "file")}`;
  const further = totalOf([], omitted);
  // A value that is refused may have several faults.
  const leastOf = omitted.some(({ code }) => code === undefined) ? "at least " : "";
  return further === 0 ? text : `${text}, and ${leastOf}${integer(further)} more that were not examined`;
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
export function faultText(folder: string, group: Group, { colors, width, linesOf }: FaultLayout): string {
  const [{ file, line, column, code, message, hint }] = group;
  const place = colors.bold(`${escaped(shownPath(folder, file))}:${line}:${column}`);
  const sentences = [message, hint === undefined ? [] : colors.cyan(hint), moreText(group)].flat();
  const head = `${place} ${colors.red(code)}`;
  if (width === undefined) return `${head} ${sentences.join(" ")}`;
  const paragraphs = sentences.map((sentence) => wrapped(sentence, width, 2, 2));
  const frame = frameOf(group[0], width, linesOf(file));
  return [head, ...paragraphs, ...(frame === undefined ? [] : ["", colors.dim(frame)]), ""].join("\n");
}

/** `29 more like it, in 2 files: "lhr9", "zzz1".` */
function moreText(group: Group): readonly string[] {
  if (group.length === 1) return [];
  const [first, ...others] = group;
  const files = new Set(group.map(({ file }) => file)).size;
  const own = first.message.match(quoted) ?? [];
  const values = new Set(others.flatMap(({ message }) => message.match(quoted) ?? []));
  for (const each of own) values.delete(each);
  const places = files === 1 ? "" : `, in ${integer(files)} files`;
  return [`${integer(others.length)} more like it${places}${values.size === 0 ? "" : `: ${listed([...values])}`}.`];
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

/** In bytes. The lines of larger files are not shown. */
const mostShown = 2 ** 26;

/** Faults are sorted by file, so the lines of one file are kept. */
function lineReader(folder: string): FaultLayout["linesOf"] {
  let last: { readonly file: string; readonly lines: readonly string[] | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, lines: linesOf(path.join(folder, file)) };
    return last.lines;
  };
}

function linesOf(file: string): readonly string[] | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  // A link may lead out of the content, and reading a pipe may never end.
  if (entry?.isFile() !== true || entry.size > mostShown) return undefined;
  const text = readFileSync(file, "utf8");
  return text.replace(/^\u{feff}/u, "").split(/\r\n|[\n\r]/);
}

const slashed = (file: string): string => file.split(path.sep).join("/");

/** Relative to the working directory, so that a terminal can open it. */
const shownPath = (folder: string, file: string): string => slashed(path.join(folder, file));

/** The most errors of one step that GitHub shows. */
const mostAnnotations = 10;

/** First one fault of each kind, then further ones. */
export const firstOfEach = (groups: readonly Group[]): readonly Diagnostic[] =>
  groups
    .flatMap((group) => group.slice(0, mostAnnotations).map((fault, round) => ({ fault, round })))
    .sort((one, other) => one.round - other.round)
    .slice(0, mostAnnotations)
    .map(({ fault }) => fault);

/**
 * A fault as GitHub shows it beside the lines of a change. `file` is its path in the repository.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function annotation(fault: Diagnostic, file: string): string {
  const { line, column, endLine, endColumn, code, message, hint } = fault;
  // GitHub only accepts an end column on the same line.
  const end = endLine === line ? { col: column, endColumn } : { endLine, col: column };
  const properties = Object.entries({ file, line, ...end, title: code })
    .map(([name, value]) => `${name}=${inCommand(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`)
    .join(",");
  return `::error ${properties}::${inCommand(hint === undefined ? message : `${message} ${hint}`)}`;
}

const inCommand = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
