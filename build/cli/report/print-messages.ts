// Messages for people, programs and GitHub. Many errors of one kind often need one repair, so people read the first of them.
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { codeFrameColumns } from "@babel/code-frame";
import picocolors from "picocolors";
import type { Colors } from "picocolors/types.js";
import type { Place } from "../../../src/model/place.ts";
import { codes } from "../../codes.ts";
import { encodingOf, streamed } from "../../files/encoding.ts";
import { slashed } from "../../files/folders.ts";
import { isInFile, type Message, type Messages, type Omitted } from "../../messages.ts";
import { escaped } from "../../text/quote.ts";
import { integer, listed, plural } from "../../text/words.ts";
import { groupBy } from "../../values/group-by.ts";
import type { ExitCode } from "../report-error.ts";
import type { ReportFormat } from "../report-format.ts";
import { err, widthOf, wrapped } from "../terminal.ts";
import type { Envelope } from "./json-output.ts";

const { stdout, stderr } = process;

/** Messages of one kind, in the order of their places. */
export type Group = readonly [first: Message, ...others: readonly Message[]];

/** Fewer messages of one kind are reported one by one. */
const minFolded = 3;

/** The most messages, or groups of messages, that are printed in full. */
const maxInFull = 50;

interface Choices {
  /** Whether each message is reported separately. */
  readonly all?: boolean;
  /** Continues the sentence that counts the errors. */
  readonly effect?: string;
}

const severities = ["error", "warning"] as const;

/** Prints messages on standard error, errors before warnings, and counts the errors if there are any. */
export function printMessages(messages: Messages, { all = false, effect = "" }: Choices = {}): void {
  const shown = severities.flatMap((severity) => messages.shown.filter((message) => message.severity === severity));
  const folded = fold(shown);
  const groups = all ? shown.map((message) => [message] as const) : folded;
  const inFull = all ? groups : groups.slice(0, maxInFull);
  const layout = { colors: err, width: widthOf(stderr), linesOf: lineReader() };
  for (const group of inFull) stderr.write(`${messageText(group, layout)}\n`);
  const rest = groups.slice(inFull.length).flat();
  const errors = rest.filter(({ severity }) => severity === "error").length;
  const warnings = rest.length - errors;
  const omitted = messages.omitted.filter((others) => !isOfErrors(others));
  const unseen = omitted.reduce((sum, { count }) => sum + count, warnings);
  const more = errors > 0 ? ` ${integer(errors)} of them are not shown: use --all to see each fault.` : "";
  if (hasErrors(messages)) stderr.write(`${err.red("✗")} ${countText(messages, all)}${effect}.${more}\n`);
  if (unseen > 0) {
    const advice = omitted.length > 0 ? "" : " Use --all to see each warning.";
    stderr.write(`${err.yellow("!")} Not shown: ${plural(unseen, "more warning")}.${advice}\n`);
  }
  if (process.env["GITHUB_ACTIONS"] !== "true") return;
  const repository = process.env["GITHUB_WORKSPACE"] || process.cwd();
  for (const message of annotated(folded)) {
    const { place } = message;
    const file = isInFile(place) ? path.relative(repository, path.resolve(place.file)) : undefined;
    stderr.write(`${annotation(message, file && slashed(file))}\n`);
  }
}

/** The errors as a terminal of 100 columns shows them. */
export function errorsText({ shown }: Messages): string {
  const layout = { colors: picocolors.createColors(true), width: 100, linesOf: lineReader() };
  const errors = fold(shown.filter(({ severity }) => severity === "error"));
  return errors.map((group) => messageText(group, layout)).join("\n");
}

const hasErrors = ({ shown, omitted }: Messages): boolean =>
  shown.some(({ severity }) => severity === "error") || omitted.some(isOfErrors);

const isOfErrors = ({ code }: Omitted): boolean => code === undefined || codes[code].severity === "error";

/** The start of the output of every command for programs. The places are spread; a message about no file has none. */
export const envelopeOf = ({ shown, omitted }: Messages): Envelope => ({
  messages: shown.map(({ place, encoding: _, ...message }) => ({ ...message, ...(isInFile(place) && place) })),
  omitted,
});

/** Prints the output of a command for programs. */
export function printJson<Output extends Envelope>(
  output: Omit<Output, keyof Envelope>,
  messages: Messages = { shown: [], omitted: [] },
): void {
  stdout.write(`${JSON.stringify({ ...envelopeOf(messages), ...output })}\n`);
}

/** Reports errors, as text or as JSON. Returns the exit code. */
export function reportErrors(
  messages: Messages,
  { format, ...choices }: Choices & { readonly format: ReportFormat },
): ExitCode {
  if (format === "json") printJson({}, messages);
  else printMessages(messages, choices);
  return 1;
}

/** In the order of their first messages. */
export function fold(shown: readonly Message[]): readonly Group[] {
  const kinds = groupBy(shown, kindOf);
  return shown.flatMap((message): readonly Group[] => {
    const group = kinds.get(kindOf(message));
    if (group === undefined || group.length < minFolded) return [[message]];
    return group[0] === message ? [group] : [];
  });
}

const quoted = /"(?:[^"\\]|\\.)*"/g;

/** The texts and hints of messages of one kind differ only in quoted values and in numbers. */
const kindOf = ({ code, text, hint = "" }: Message): string =>
  `${code} ${text} ${hint}`.replace(quoted, '""').replace(/\d+/g, "0");

/**
 * `348 faults of 5 kinds in 3 files`, or `1,000 faults, and at least 200 more that are not shown, in 3 files`. `all`:
 * whether those of one kind are shown apart.
 */
export function countText({ shown, omitted }: Messages, all = false): string {
  const errors = shown.filter(({ severity }) => severity === "error");
  const others = omitted.filter(isOfErrors);
  const files = new Set([
    ...errors.filter(({ place }) => isInFile(place)).map(({ place }) => place.file),
    ...others.map(({ file }) => file),
  ]).size;
  const inFiles = files === 0 ? "" : ` in ${plural(files, "file")}`;
  const isFolded = !all && others.length === 0 && fold(errors).some(({ length }) => length > 1);
  const kinds = isFolded ? ` of ${plural(new Set(errors.map(kindOf)).size, "kind")}` : "";
  const faults = `${plural(errors.length, "fault")}${kinds}`;
  const further = others.reduce((sum, { count }) => sum + count, 0);
  if (further === 0) return `${faults}${inFiles}`;
  // Errors without a code were not examined further.
  const least = others.some(({ code }) => code === undefined) ? "at least " : "";
  return `${faults}, and ${least}${integer(further)} more that are not shown,${inFiles}`;
}

export interface MessageLayout {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
  /** The lines of a file, to show the place of a message. Undefined: the place is not shown. */
  readonly linesOf: (file: string, encoding: string | undefined) => readonly string[] | undefined;
}

/** `file:line:column code text hint`, without a place that is in no file, on one line; on a terminal wrapped, with the lines around the place. */
export function messageText(group: Group, { colors, width, linesOf }: MessageLayout): string {
  const [{ severity, place, code, text, hint, encoding }] = group;
  const { file, line, column } = place;
  const where = isInFile(place) ? `${colors.bold(`${escaped(file)}:${line}:${column}`)} ` : "";
  const advice = hint === undefined ? undefined : colors.cyan(hint);
  const sentences = [text, advice, moreText(group)].filter((sentence) => sentence !== undefined);
  const head = `${where}${severity === "error" ? colors.red(code) : `${colors.yellow(code)} (warning)`}`;
  if (width === undefined) return `${head} ${sentences.join(" ")}`;
  const paragraphs = sentences.map((sentence) => wrapped(sentence, width, 2, 2));
  const frame = frameOf(place, width, linesOf(file, encoding));
  const framed = frame === undefined ? [] : ["", coloured(frame, severity, colors)];
  return [head, ...paragraphs, ...framed, ""].join("\n");
}

/** `29 more like it, in 2 files: "lhr9", "zzz1".` */
function moreText(group: Group): string | undefined {
  if (group.length === 1) return undefined;
  const [first, ...others] = group;
  const files = new Set(group.map(({ place }) => place.file)).size;
  const values = new Set(others.flatMap(({ text }) => text.match(quoted) ?? []));
  for (const value of first.text.match(quoted) ?? []) values.delete(value);
  const places = files === 1 ? "" : `, in ${integer(files)} files`;
  return `${integer(others.length)} more like it${places}${values.size === 0 ? "" : `: ${listed([...values])}`}.`;
}

/** The line of the place stays as it is, and its mark has the colour of the severity. All else is dim. */
function coloured(frame: string, severity: Message["severity"], colors: Colors): string {
  const mark = severity === "error" ? colors.red : colors.yellow;
  return frame
    .split("\n")
    .map((text) => {
      const [, gutter = "", rest = ""] = /^([> ] *\d* \|)(.*)$/.exec(text) ?? [];
      if (/^ *\^+$/.test(rest)) return `${colors.dim(gutter)}${mark(rest)}`;
      return text.startsWith(">") ? `${mark(">")}${colors.dim(gutter.slice(1))}${rest}` : colors.dim(text);
    })
    .join("\n");
}

/** The lines of a file around a place, cut to the width of the terminal. */
function frameOf(
  { line, column, endLine, endColumn }: Place,
  width: number,
  all: readonly string[] | undefined,
): string | undefined {
  const isOfWholeFile = line === 1 && column === 1 && endLine === 1 && endColumn === 1;
  if (all === undefined || isOfWholeFile) return undefined;
  const startLine = Math.max(line - 1, 1);
  const lines = all.slice(startLine - 1, line + 1);
  const room = Math.max(20, width - String(line + 1).length - 6);
  const shift = lines.every(({ length }) => length <= room) ? 0 : Math.max(0, column - 1 - Math.floor(room / 3));
  const shown = lines.map((text) => cut(printable(text), shift, room));
  const start = { line, column: column - shift };
  // If the value has several lines, only its start is marked.
  const last = Math.min(endColumn - shift, room + 1);
  const end = endLine === line && last > start.column ? { end: { line, column: last } } : {};
  // The package's types do not know startLine.
  const options = { linesAbove: 1, linesBelow: 1, startLine };
  return codeFrameColumns(shown.join("\n"), { start, ...end }, options);
}

/** The part of a text from `start`, of at most `room` columns. A mark is where characters are left out. */
function cut(text: string, start: number, room: number): string {
  const part = text.slice(start, start + room);
  const begun = start > 0 && part !== "" ? `…${part.slice(1)}` : part;
  return text.length > start + room ? `${begun.slice(0, -1)}…` : begun;
}

/** Replaces characters that a terminal would obey instead of showing. The length stays the same. */
const printable = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (hidden) => "\u{fffd}".repeat(hidden.length));

/** In bytes. The lines of larger files are not shown. */
const maxShown = 2 ** 26;

/** Messages are sorted by file, so the lines of one file are kept. */
function lineReader(): MessageLayout["linesOf"] {
  let last: { readonly file: string; readonly lines: readonly string[] | undefined } | undefined;
  return (file, encoding) => {
    if (last?.file !== file) last = { file, lines: linesIn(file, encoding) };
    return last.lines;
  };
}

function linesIn(file: string, encoding: string | undefined): readonly string[] | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  // A link may lead out of the content, and reading a pipe may never end.
  if (entry?.isFile() !== true || entry.size > maxShown) return undefined;
  const bytes = readFileSync(file);
  return streamed(bytes, encodingOf(bytes, encoding)).split(/\r\n|[\n\r]/);
}

/** The most errors, and the most warnings, of one step that GitHub shows. */
const maxAnnotations = 10;

/** Errors, then warnings: of each, first one message of each kind, then further ones. */
export const annotated = (groups: readonly Group[]): readonly Message[] =>
  severities.flatMap((severity) => firstOfEach(groups.filter(([first]) => first.severity === severity)));

const firstOfEach = (groups: readonly Group[]): readonly Message[] =>
  groups
    .flatMap((group) => group.slice(0, maxAnnotations).map((message, round) => ({ message, round })))
    .sort((one, other) => one.round - other.round)
    .slice(0, maxAnnotations)
    .map(({ message }) => message);

/**
 * A message as GitHub shows it beside the lines of a change. `file` is its path in the repository; undefined: GitHub shows the
 * message with the summary of the run.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function annotation({ severity, code, place, text, hint }: Message, file?: string): string {
  const { line, column, endLine, endColumn } = place;
  // GitHub only accepts an end column on the same line.
  const end = endLine === line ? { col: column, endColumn } : { endLine, col: column };
  const properties = Object.entries({ ...(file !== undefined && { file, line, ...end }), title: code })
    .map(([name, value]) => `${name}=${inCommand(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`)
    .join(",");
  return `::${severity} ${properties}::${inCommand(hint === undefined ? text : `${text} ${hint}`)}`;
}

const inCommand = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
