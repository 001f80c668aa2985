// A fault is found where values are known and places are not. It names its source and the path of the value, and is
// worded when the places are worked out: once for each file that has any.

import type { Checked, FaultCode, FaultDetails, Place, Wording } from "../../diagnostics.ts";
import type { Part, Span } from "../formats/format.ts";
import type { Path, Source } from "../source.ts";
import { catalogue } from "./kinds.ts";

/** The value, key or alias that a fault is about; a span where the reading of the text gave it away already. */
export type Spot = { readonly path: Path; readonly part?: Part } | Span;

export interface Fault {
  readonly code: FaultCode;
  readonly source: Source;
  readonly at: Spot;
  /** `written` is the text of the value at the spot. */
  readonly wording: (written: string, placeOf: PlaceOf) => Wording;
}

/** Finds the places of other values that a report names. */
export type PlaceOf = (source: Source, at: Spot) => Place;

/** `details` is a function because they may name what is only known later: the places of other values. */
export function fault<Code extends FaultCode>(
  code: Code,
  source: Source,
  at: Spot,
  details: (placeOf: PlaceOf) => FaultDetails[Code],
): Fault {
  return { code, source, at, wording: (written, placeOf) => catalogue[code](details(placeOf), written) };
}

/** A fault of a file whose text says nothing about it, or was not read. */
export const fileFault = <Code extends FaultCode>(code: Code, file: string, details: FaultDetails[Code]): Fault =>
  fault(code, { file, format: "json", text: "" }, { start: 0, end: 0 }, () => details);

export type WithFaults<T> = Checked<T, Fault>;

/** The values that are there, and all faults. */
export const collect = <T>(results: readonly WithFaults<T | undefined>[]): WithFaults<readonly T[]> => [
  results.flatMap(([value]) => (value === undefined ? [] : [value])),
  results.flatMap(([, faults]) => faults),
];
