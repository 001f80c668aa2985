// Faults of the content. A fault is found when a value is known but not its place, so it names the source and the path
// of the value. `locate` opens each source with faults once, and words them: authors know `3.10` and not 3.1.
import type { Checked, FaultCode, Omitted, Place, Wording } from "../diagnostics.ts";
import type { Part, Path, Span } from "./formats/format.ts";
import { type Source, sourceOf } from "./source.ts";

/** The value or key at fault; a path that leads to no value ends at its last known one. */
export type Spot = { readonly source: Source } & (ValueSpot | Span);

interface ValueSpot {
  readonly path: Path;
  readonly part?: Part;
  /** Whether the faulty value is made from the one at the place, and not written there. */
  readonly made?: boolean;
  /** The item at fault, if its place does not show it: `release "nodejs/20"`. */
  readonly name?: string | undefined;
}

/** `written` is the text at the place; empty if the value is not written there. */
export type WordingOf = (written: string, placeOf: PlaceOf) => Wording;

/** Finds the place of another value that a report mentions. */
export type PlaceOf = (at: Spot) => Place;

export interface Fault {
  readonly code: FaultCode;
  readonly at: Spot;
  readonly wording: WordingOf;
}

/** So many faults of each file are kept, which is more than anyone reads. The further ones are counted. */
export const mostOfFile = 1_000;

/** The faults that were found so far: the first ones of each file, and the counts of the others. */
export interface FaultLog {
  /** In the order in which they were found. */
  readonly faults: Fault[];
  /** Whether a further fault of a file is only counted, so that no more has to be known of it. */
  isFull(file: string): boolean;
  add(fault: Fault): void;
  /** Counts a value that is refused, and of which no more is known. */
  addRefused(file: string): void;
  omitted(): readonly Omitted[];
}

export function faultLog(): FaultLog {
  const faults: Fault[] = [];
  const files = new Map<string, { kept: number; readonly omitted: Map<FaultCode | undefined, number> }>();
  const logOf = (file: string) => {
    const log = files.get(file) ?? { kept: 0, omitted: new Map<FaultCode | undefined, number>() };
    files.set(file, log);
    return log;
  };
  const count = (file: string, code: FaultCode | undefined): void => {
    const { omitted } = logOf(file);
    omitted.set(code, (omitted.get(code) ?? 0) + 1);
  };
  const isFull = (file: string): boolean => (files.get(file)?.kept ?? 0) >= mostOfFile;
  return {
    faults,
    isFull,
    add(fault) {
      const { file } = fault.at.source;
      if (isFull(file)) count(file, fault.code);
      else {
        logOf(file).kept++;
        faults.push(fault);
      }
    },
    addRefused: (file) => count(file, undefined),
    omitted: () =>
      [...files].flatMap(([file, { omitted }]) =>
        [...omitted].map(([code, number]) => ({ file, code, count: number })),
      ),
  };
}

export type WithFaults<T> = Checked<T, Fault>;

/** A message is one full sentence; a hint says how to correct the fault. Codes are permanent: programs look them up. */
export const fault = (code: FaultCode, at: Spot, message: string | WordingOf, hint?: string): Fault => ({
  code,
  at,
  wording: typeof message === "string" ? () => ({ message, hint }) : message,
});

/** The place of a fault of a file as a whole. */
export const wholeFile = (file: string): Spot => ({ source: sourceOf(file, "json", () => nothing), start: 0, end: 0 });

const nothing = new Uint8Array();
