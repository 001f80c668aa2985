// Converts faults to diagnostics. Each file with faults is opened once to find their places. The first faults are
// worded and the others counted, which bounds the work and the length of a report.
import type { Diagnostic, Omitted, Place } from "../diagnostics.ts";
import { shown } from "../quote.ts";
import { pathIn } from "./discover.ts";
import type { Fault, Spot } from "./fault.ts";
import { type OpenSource, openSource } from "./open-source.ts";
import { compare } from "./order.ts";
import type { Source } from "./source.ts";

/** More faults than anyone reads. */
const usualMost = 1_000;

/**
 * Returns the first `most` faults in the order of files, lines and columns, and counts of the others. A fault in a
 * value with several YAML aliases is reported once, at its first use. Messages name other files by their paths in
 * `folder`.
 */
export function locate(
  faults: readonly Fault[],
  most = usualMost,
  folder = "",
): readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]] {
  const opened = new Map<Source, Opened>();
  const open = (source: Source): Opened => {
    const known = opened.get(source) ?? { ...openSource(source), name: pathIn(folder, source.file) };
    opened.set(source, known);
    return known;
  };
  const shown: Diagnostic[] = [];
  const omitted: Omitted[] = [];
  for (const [file, own] of [...groupedBy(faults, ({ at }) => at.source.file)].sort(([a], [b]) => compare(a, b))) {
    const room = most - shown.length;
    const [diagnostics, all] = firstOf(own, room, open);
    for (const diagnostic of diagnostics) shown.push(diagnostic);
    const counts = countsOf(all);
    for (const { code } of diagnostics) counts.set(code, (counts.get(code) ?? 0) - 1);
    for (const [code, count] of counts) if (count > 0) omitted.push({ file, code, count });
  }
  return [shown, omitted];
}

/** The first `room` faults of a file, and all its faults: as diagnostics if some may be repeats of others. */
function firstOf(
  faults: readonly Fault[],
  room: number,
  open: Open,
): readonly [first: readonly Diagnostic[], all: readonly Pick<Omitted, "code">[]] {
  if (faults.length > room && !faults.some(mayRepeat)) {
    const first = firstInOrder(faults, room, open);
    if (first.length === room) return [first, faults];
  }
  const all = inOrder(faults, open);
  return [all.slice(0, room), all];
}

/** Whether a fault may repeat another one: at an alias of YAML, in the header of CSV, or for items made from one. */
const mayRepeat = ({ at: { source, ...at } }: Fault): boolean =>
  "made" in at ||
  source.format === "csv" ||
  source.placed !== undefined ||
  (source.format === "yaml" && source.text.includes("*"));

/** The first `room` of a file's faults, without finding the places of the others. */
function firstInOrder(faults: readonly Fault[], room: number, open: Open): readonly Diagnostic[] {
  if (room === 0) return [];
  const early = new Set([...groupedBy(faults, ({ at }) => at.source).values()].flatMap((own) => earlyOf(own, room)));
  return inOrder(
    faults.filter((each) => early.has(each)),
    open,
    room,
  );
}

/** Faults of one source that certainly include the first `room`, wherever in their entries they are. */
function earlyOf(faults: readonly Fault[], room: number): readonly Fault[] {
  if (faults.length <= room) return faults;
  const starts = faults.map(({ at }) => ("start" in at ? at.start : entryOf(at.path)));
  // Entries and offsets both ascend with the text, but are not comparable with each other.
  const kinds = [false, true].map((isSpan) => {
    const own = [...faults.keys()].filter((index) => "start" in (faults[index]?.at ?? {}) === isSpan);
    return own.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  });
  return kinds.flatMap((sorted) => {
    const last = starts[sorted[room - 1] ?? -1] ?? Number.POSITIVE_INFINITY;
    return sorted.filter((index) => (starts[index] ?? 0) <= last).flatMap((index) => faults[index] ?? []);
  });
}

/** The index of the entry that contains a path: of an element or a line, or 0 for the only object. */
const entryOf = ([first]: readonly (string | number)[]): number => (typeof first === "number" ? first : 0);

interface Opened extends OpenSource {
  /** The path of the file in reports. */
  readonly name: string;
}

type Open = (source: Source) => Opened;

/** The first `most` faults of one file as diagnostics in the order of their places, without repeats. */
function inOrder(faults: readonly Fault[], open: Open, most = Number.POSITIVE_INFINITY): readonly Diagnostic[] {
  const placeOf = (at: Spot): Place => {
    const { find, positionOf, name } = open(at.source);
    return { file: name, ...positionOf(find(at).span.start) };
  };
  const located = faults.map((fault) => {
    const { find, positionOf } = open(fault.at.source);
    const found = find(fault.at);
    return { ...fault, ...found, ...positionOf(found.span.start) };
  });
  located.sort((a, b) => a.line - b.line || a.column - b.column || compare(a.code, b.code));
  const firsts = new Map<string, Diagnostic>();
  for (const { code, at, span, origin, isWritten, line, column, wording } of located) {
    if (firsts.size >= most) break;
    const { source } = at;
    const { line: endLine, column: endColumn } = open(source).positionOf(span.end);
    const written = isWritten ? source.text.slice(origin.start, origin.end) : "";
    const { message: text, hint, cause } = wording(written, placeOf);
    const name = "path" in at ? (at.name ?? source.named?.(at.path)) : undefined;
    const message = name === undefined ? text : text.replace(/\.?$/, ` (${shown(name)}).`);
    const where = { file: source.file, line, column, endLine, endColumn };
    const identity = JSON.stringify([origin.start, code, message]);
    if (firsts.has(identity)) continue;
    const told = { ...(hint === undefined ? {} : { hint }), ...(cause === undefined ? {} : { cause }) };
    firsts.set(identity, { ...where, code, message, ...told });
  }
  return [...firsts.values()];
}

function groupedBy<T, Key>(all: readonly T[], keyOf: (each: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

function countsOf(all: readonly Pick<Omitted, "code">[]): Map<Omitted["code"], number> {
  const counts = new Map<Omitted["code"], number>();
  for (const { code } of all) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
