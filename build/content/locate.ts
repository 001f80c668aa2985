// Converts faults to diagnostics. Each file with faults is opened once to find their places. The first faults are worded
// and the others counted, which bounds the work and the length of a report.
import { LineCounter } from "yaml";
import type { Diagnostic, Omitted, Place } from "../diagnostics.ts";
import { groupBy } from "../group-by.ts";
import { shown as shownText } from "../text/quote.ts";
import { pathIn } from "./discover.ts";
import type { Fault, Spot } from "./fault.ts";
import type { Find, Located } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import { compare } from "./order.ts";
import type { Source } from "./source.ts";

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
  const foundAt = (at: Spot): Found => {
    const open = opened.get(at.source) ?? openSource(at.source);
    opened.set(at.source, open);
    return open(at);
  };
  const placeOf = (at: Spot): Place => ({ file: pathIn(folder, at.source.file), ...foundAt(at).start });
  const shown: Diagnostic[] = [];
  const omitted: Omitted[] = [];
  const files = [...groupBy(faults, ({ at }) => at.source.file)].sort(([a], [b]) => compare(a, b));
  const rooms = roomsFor(
    files.map(([, own]) => own.length),
    most,
  );
  for (const [index, [file, own]] of files.entries()) {
    const room = rooms[index] ?? 0;
    const [early, late] = room === 0 ? [[], own] : split(own, room, placeOf);
    const located = early
      .map((fault) => ({ ...fault, ...foundAt(fault.at) }))
      .sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column || compare(a.code, b.code));
    const known = new Set<string>();
    const others = [...late];
    for (const fault of located) {
      if (known.size === room) others.push(fault);
      else {
        const told = diagnosticOf(fault, placeOf);
        const identity = `${fault.origin} ${fault.code} ${told.message}`;
        if (!known.has(identity)) shown.push(told);
        known.add(identity);
      }
    }
    for (const [code, { length: count }] of groupBy(others, (each) => each.code)) omitted.push({ file, code, count });
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

/**
 * Divides the faults of a file so that the first part has at least the first `room`. Finding a value of NDJSON means to
 * parse its line, and there may be millions: only those of the first part are parsed.
 */
function split(
  faults: readonly Fault[],
  room: number,
  placeOf: (at: Spot) => Place,
): readonly [early: readonly Fault[], late: readonly Fault[]] {
  if (faults.length <= room || faults.some(({ at }) => at.source.format !== "ndjson")) return [faults, []];
  const lineOf = ({ at }: Fault) => ("path" in at ? Number(at.path[0] ?? 0) + 1 : placeOf(at).line);
  const [early, late]: [Fault[], Fault[]] = [[], []];
  for (const [, own] of [...groupBy(faults, lineOf)].sort(([a], [b]) => a - b)) {
    const part = early.length < room ? early : late;
    for (const fault of own) part.push(fault);
  }
  return [early, late];
}

function diagnosticOf(
  { at, code, wording, written, start, end }: Fault & Found,
  placeOf: (at: Spot) => Place,
): Diagnostic {
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
}

type OpenSource = ReturnType<typeof openSource>;
type Found = ReturnType<OpenSource>;

function openSource({ text, format }: Source) {
  let find: Find | undefined;
  const placeOf = (at: Spot): Located => {
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
    const place = placeOf(at);
    const { start, end } = place.origin ?? place;
    const isWritten = !("path" in at) || at.made !== true;
    return {
      start: positionOf(place.start),
      end: positionOf(place.end),
      /** The text at the place; empty if the value is not written there. */
      written: isWritten ? text.slice(start, end) : "",
      /** Where the text of the value is, which is the same for all aliases of it. */
      origin: start,
    };
  };
}
