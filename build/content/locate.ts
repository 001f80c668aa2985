// Converts faults to diagnostics. Each file with faults is opened once to find their places. The first faults are worded
// and the others counted, which bounds the work and the length of a report.
import { LineCounter } from "yaml";
import type { Diagnostic, Omitted, Place } from "../diagnostics.ts";
import { groupBy } from "../group-by.ts";
import { shown as shownText } from "../text/quote.ts";
import { pathIn } from "./discover.ts";
import type { Fault, Spot } from "./fault.ts";
import type { Located, Part } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import { openLines } from "./formats/ndjson.ts";
import { compare } from "./order.ts";
import type { Path, Source } from "./source.ts";

/** More faults than anyone reads. */
const usualMost = 1_000;

/** So many of each file come before the further ones of any, so that no file hides the faults of another. */
const fairShare = 200;

/**
 * Returns the first `most` faults in the order of files, lines and columns, and counts of the others. A fault in a value
 * with several YAML aliases is reported once, at its first use. Messages name other files by their paths in `folder`.
 */
export function locate(
  faults: readonly Fault[],
  most = usualMost,
  folder = "",
): readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]] {
  const opened = new Map<Source, OpenSource>();
  const open = (source: Source): OpenSource => {
    const known = opened.get(source) ?? openSource(source);
    opened.set(source, known);
    return known;
  };
  const placeOf = (at: Spot): Place => ({ file: pathIn(folder, at.source.file), ...open(at.source)(at).start });
  const files = [...groupBy(faults, ({ at }) => at.source.file)].sort(([a], [b]) => compare(a, b));
  const rooms = roomsFor(files.map(([, own]) => own.length), most); // biome-ignore format: one line
  const shown: Diagnostic[] = [];
  const omitted: Omitted[] = [];
  for (const [index, [file, own]] of files.entries()) {
    const counts = new Map<Omitted["code"], number>();
    for (const told of inOrder(own, rooms[index] ?? 0, open, placeOf)) {
      if ("message" in told) shown.push(told);
      else counts.set(told.code, (counts.get(told.code) ?? 0) + 1);
    }
    for (const [code, count] of counts) omitted.push({ file, code, count });
  }
  return [shown, omitted];
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

type Open = (source: Source) => OpenSource;

/** The first `room` faults of a file by place, without repeats, and the codes of the others. */
function* inOrder(
  faults: readonly Fault[],
  room: number,
  open: Open,
  placeOf: (at: Spot) => Place,
): Generator<Diagnostic | Pick<Fault, "code">> {
  const [early, late] = room === 0 ? [[], faults] : earlyIn(faults, room);
  const located = early.map((fault) => ({ ...fault, ...open(fault.at.source)(fault.at) }));
  located.sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column || compare(a.code, b.code));
  const messages = new Map<string, Set<string>>();
  let count = 0;
  for (const { at, code, wording, written, origin, start, end } of located) {
    const place = `${origin} ${code}`;
    const known = messages.get(place);
    const isLate = count >= room;
    // Only a fault at the place of another one may repeat it; others need no words to be counted.
    if (isLate && known === undefined) {
      messages.set(place, new Set());
      yield { code };
      continue;
    }
    const { message: text, hint, cause } = wording(written, placeOf);
    const name = "path" in at ? at.name : undefined;
    const message = name === undefined ? text : text.replace(/\.?$/, ` (${shownText(name)}).`);
    if (known?.has(message)) continue;
    messages.set(place, (known ?? new Set()).add(message));
    count++;
    if (isLate) yield { code };
    else {
      const where = { file: at.source.file, ...start, endLine: end.line, endColumn: end.column };
      yield { ...where, code, message, ...(hint !== undefined && { hint }), ...(cause !== undefined && { cause }) };
    }
  }
  for (const { code } of late) yield { code };
}

/**
 * Opening a line of NDJSON means to parse it, and there may be millions: only the lines of the first faults are opened.
 */
function earlyIn(faults: readonly Fault[], room: number): readonly [early: readonly Fault[], late: readonly Fault[]] {
  if (faults.length <= room || faults.some(({ at }) => at.source.format !== "ndjson")) return [faults, []];
  const sorted = [...faults].sort((a, b) => lineOf(a.at) - lineOf(b.at));
  const last = lineOf(sorted[room - 1]?.at);
  const end = sorted.findIndex(({ at }) => lineOf(at) > last);
  return end === -1 ? [sorted, []] : [sorted.slice(0, end), sorted.slice(end)];
}

const lineOf = (at: Spot | undefined): number =>
  at === undefined ? -1 : Number("path" in at ? (at.path[0] ?? 0) : (at.line ?? 0));

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Found {
  readonly start: Position;
  readonly end: Position;
  /** The text at the place; empty if the value is not written there. */
  readonly written: string;
  /** Says where the text of the value is, which is the same for all aliases of it. */
  readonly origin: string;
}

type OpenSource = (at: Spot) => Found;

function openSource(source: Source): OpenSource {
  if (source.format === "ndjson") {
    const open = openLines(source.bytes);
    return (at) => {
      const line = lineOf(at);
      const { text, find } = open(line);
      const positionOf = (offset: number) => ({ line: line + 1, column: offset + 1 });
      const found = foundAt(at, text, (path, part) => find(path.slice(1), part), positionOf);
      return { ...found, origin: `${line} ${found.origin}` };
    };
  }
  const { text, format } = source;
  const positionOf = positionsIn(text);
  let find: ((path: Path, part: Part) => Located) | undefined;
  const findIn = (path: Path, part: Part) => {
    find ??= formats[format].open(text);
    return find(path, part);
  };
  return (at) => foundAt(at, text, findIn, positionOf);
}

function foundAt(
  at: Spot,
  text: string,
  find: (path: Path, part: Part) => Located,
  positionOf: (offset: number) => Position,
): Found {
  const { span, origin } = "path" in at ? find(at.path, at.part ?? "value") : { span: at, origin: at };
  const isWritten = !("path" in at) || at.made !== true;
  return {
    start: positionOf(span.start),
    end: positionOf(span.end),
    written: isWritten ? text.slice(origin.start, origin.end) : "",
    origin: String(origin.start),
  };
}

/** Lines end with a line feed; a carriage return before it belongs to the line. */
function positionsIn(text: string): (offset: number) => Position {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}
