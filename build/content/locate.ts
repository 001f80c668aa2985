// Converts faults to diagnostics. Each file with faults is opened once to find their places. The first faults are worded
// and the others counted, which bounds the work and the length of a report.
import { LineCounter } from "yaml";
import type { DeclaredPlace } from "../../src/model/operation.ts";
import type { Diagnostic, Omitted, Place } from "../diagnostics.ts";
import { shown as shownText } from "../text/quote.ts";
import { groupBy } from "../values/group-by.ts";
import { pathIn } from "./discover.ts";
import { type Fault, mostOfFile, type Spot } from "./fault.ts";
import type { Find, Span } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import { compare } from "./order.ts";
import type { Source } from "./source.ts";

/** So many of each file come before the further ones of any, so that no file hides the faults of another. */
const fairShare = 200;

interface LocateOptions {
  readonly most?: number;
  /** Messages name other files by their paths in this folder. */
  readonly folder?: string | undefined;
  /** Counts of further faults. */
  readonly omitted?: readonly Omitted[];
}

/**
 * Returns up to `most` faults, those of each file that were found first, in the order of files, lines and columns, and
 * counts of the others. Equal ones at one place are one.
 */
export function locate(
  faults: readonly Fault[],
  { most = mostOfFile, folder = "", omitted: counted = [] }: LocateOptions = {},
): readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]] {
  const opened = new Map<Source, OpenSource>();
  const foundAt = (at: Spot): Found => {
    const open = opened.get(at.source) ?? openSource(at.source);
    opened.set(at.source, open);
    return open(at);
  };
  const placeOf = (at: Spot): Place => ({ file: pathIn(folder, at.source.file), ...foundAt(at).start });
  const diagnosticOf = ({ at, code, wording }: Fault): Diagnostic => {
    const { start, end, written } = foundAt(at);
    const { message, hint } = wording(written, placeOf);
    const name = "path" in at ? at.name : undefined;
    return {
      file: at.source.file,
      ...start,
      endLine: end.line,
      endColumn: end.column,
      code,
      message: name === undefined ? message : message.replace(/\.?$/, ` (${shownText(name)}).`),
      ...(hint !== undefined && { hint }),
    };
  };
  const shown: Diagnostic[] = [];
  const omitted: Omitted[] = [];
  const countedIn = groupBy(counted, ({ file }) => file);
  const files = [...groupBy(faults, ({ at }) => at.source.file)].sort(([a], [b]) => compare(a, b));
  const rooms = roomsFor(
    files.map(([, own]) => own.length),
    most,
  );
  for (const [index, [file, own]] of files.entries()) {
    const room = rooms[index] ?? 0;
    const told = own.slice(0, room).map(diagnosticOf);
    const distinct = new Map(told.map((each) => [`${each.line}:${each.column} ${each.code} ${each.message}`, each]));
    const inOrder = [...distinct.values()].sort(
      (a, b) => a.line - b.line || a.column - b.column || compare(a.code, b.code),
    );
    shown.push(...inOrder);
    const further = own.slice(room).map(({ code }) => ({ file, code, count: 1 }));
    const all: readonly Omitted[] = [...further, ...(countedIn.get(file) ?? [])];
    for (const [code, each] of groupBy(all, (one) => one.code))
      omitted.push({ file, code, count: each.reduce((sum, { count }) => sum + count, 0) });
  }
  return [shown, omitted];
}

/** The place of a single value or key. */
export function rangeOf(at: Spot): DeclaredPlace {
  const { start, end } = openSource(at.source)(at);
  return { file: at.source.file, ...start, endLine: end.line, endColumn: end.column };
}

/** How many faults of each file are shown. */
function roomsFor(counts: readonly number[], most: number): readonly number[] {
  let left = most;
  const take = (count: number): number => {
    const taken = Math.min(count, left);
    left -= taken;
    return taken;
  };
  const first = counts.map((count) => take(Math.min(count, fairShare)));
  return first.map((taken, index) => taken + take((counts[index] ?? 0) - taken));
}

type OpenSource = ReturnType<typeof openSource>;
type Found = ReturnType<OpenSource>;

function openSource({ text, format }: Source) {
  let find: Find | undefined;
  const spanOf = (at: Spot): Span => {
    if (!("path" in at)) return at;
    find ??= formats[format].open(text);
    return find(at.path, at.part ?? "value");
  };
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  const positionOf = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  return (at: Spot) => {
    const { start, end } = spanOf(at);
    // An alias of YAML is not how its value is written.
    const isWritten = (!("path" in at) || at.made !== true) && text[start] !== "*";
    /** `written`: the text at the place; empty if the value is not written there. */
    return { start: positionOf(start), end: positionOf(end), written: isWritten ? text.slice(start, end) : "" };
  };
}
