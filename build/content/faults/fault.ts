// Faults are found when values are known but not their places. A fault names its source and the path of the value. It
// is worded when the places are found, once for each file with faults.

import type { Checked, FaultCode, FaultDetails, Place, Wording } from "../../diagnostics.ts";
import type { Part, Span } from "../formats/format.ts";
import type { Path, Source } from "../source.ts";
import { catalogue } from "./kinds.ts";

/** The value, key or alias at fault, or a span if the reader found the place already. */
export type Spot = { readonly path: Path; readonly part?: Part } | Span;

export interface Fault {
  readonly code: FaultCode;
  readonly source: Source;
  readonly at: Spot;
  /** `written` is the text at the spot; empty if the value is not written there. */
  readonly wording: (written: string, placeOf: PlaceOf) => Wording;
}

/** Finds the places of other values that a report mentions. */
export type PlaceOf = (source: Source, at: Spot) => Place;

/** `details` is a function because the places of other values are found later. */
export function fault<Code extends FaultCode>(
  code: Code,
  source: Source,
  at: Spot,
  details: (placeOf: PlaceOf) => FaultDetails[Code],
): Fault {
  return { code, source, at, wording: (written, placeOf) => catalogue[code](details(placeOf), written) };
}

/** A fault of a file as a whole, without a place in its text. */
export const fileFault = <Code extends FaultCode>(code: Code, file: string, details: FaultDetails[Code]): Fault =>
  fault(code, { file, format: "json", text: "" }, { start: 0, end: 0 }, () => details);

export type WithFaults<T> = Checked<T, Fault>;

/** Collects the defined values and all faults. */
export const collect = <T>(results: readonly WithFaults<T | undefined>[]): WithFaults<readonly T[]> => [
  results.flatMap(([value]) => (value === undefined ? [] : [value])),
  results.flatMap(([, faults]) => faults),
];
