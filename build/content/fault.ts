// A fault is found where values are known and places are not. It names its source and the path of the value, and is
// worded when the places are worked out: once for each file that has any.
import {
  type Checked,
  catalogue,
  type Diagnostic,
  type FaultCode,
  type FaultDetails,
  type Place,
  type Wording,
} from "../diagnostics.ts";
import type { Span } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import type { Path, Source } from "./source.ts";

/** The value or key that a fault is about; a span where the reading of the text gave it away already. */
export type Spot = { readonly path: Path; readonly part?: "key" | "value" } | Span;

export interface Fault {
  readonly code: FaultCode;
  readonly source: Source;
  readonly at: Spot;
  /** `written` is the text at the spot, `placeOf` finds the places of other values that the report names. */
  readonly wording: (written: string, placeOf: (source: Source, at: Spot) => Place) => Wording;
}

/** `details` is a function because they may name what is only known later: the places of other values. */
export function fault<Code extends FaultCode>(
  code: Code,
  source: Source,
  at: Spot,
  details: (placeOf: (source: Source, at: Spot) => Place) => FaultDetails[Code],
): Fault {
  return { code, source, at, wording: (written, placeOf) => catalogue[code](details(placeOf), written) };
}

export type WithFaults<T> = Checked<T, Fault>;

/** Works out the places of all faults and words them, in the order of files, lines and columns. */
export function locate(faults: readonly Fault[]): readonly Diagnostic[] {
  const opened = new Map<Source, { spanOf: (at: Spot) => Span; positionOf: (offset: number) => Position }>();
  const open = (source: Source) => {
    const known = opened.get(source);
    if (known !== undefined) return known;
    let find: ((path: Path, part: "key" | "value") => Span) | undefined;
    const spanOf = (at: Spot): Span => {
      if ("start" in at) return at;
      find ??= formats[source.format].open(source.text);
      return find(at.path, at.part ?? "value");
    };
    const fresh = { spanOf, positionOf: positionsIn(source.text) };
    opened.set(source, fresh);
    return fresh;
  };
  const placeOf = (source: Source, at: Spot): Place => {
    const { spanOf, positionOf } = open(source);
    return { file: source.file, ...positionOf(spanOf(at).start) };
  };
  return faults
    .map(({ code, source, at, wording }): Diagnostic => {
      const { spanOf, positionOf } = open(source);
      const span = spanOf(at);
      const end = positionOf(span.end);
      const { message, hint } = wording(source.text.slice(span.start, span.end), placeOf);
      const where = { file: source.file, ...positionOf(span.start), endLine: end.line, endColumn: end.column };
      return { ...where, code, message, ...(hint === undefined ? {} : { hint }) };
    })
    .sort(byPlace);
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines end at a line feed; a carriage return before it is the last character of its line. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code);

/** By code unit, whatever the machine's language. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
