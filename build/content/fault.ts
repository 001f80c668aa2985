// Faults of the content. A fault is found when a value is known but not its place, so it names the source and the path
// of the value. `locate` opens each source with faults once, and words them: authors know `3.10` and not 3.1.
import type { Checked, FaultCode, Place, Wording } from "../diagnostics.ts";
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
export type Words = (written: string, placeOf: PlaceOf) => Wording;

/** Finds the place of another value that a report mentions. */
export type PlaceOf = (at: Spot) => Place;

export interface Fault {
  readonly code: FaultCode;
  readonly at: Spot;
  readonly wording: Words;
}

export type WithFaults<T> = Checked<T, Fault>;

/** A message is one full sentence; a hint says how to correct the fault. Codes are permanent: programs look them up. */
export const fault = (code: FaultCode, at: Spot, message: string | Words, hint?: string): Fault => ({
  code,
  at,
  wording: typeof message === "string" ? () => ({ message, hint }) : message,
});

/** The place of a fault of a file as a whole. */
export const wholeFile = (file: string): Spot => ({ source: sourceOf(file, "json", () => nothing), start: 0, end: 0 });

const nothing = new Uint8Array();
