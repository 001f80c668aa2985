import type { FaultCode, FaultDetails, Place } from "../../diagnostics.ts";
import { type Fault, type Spot as NewSpot, fault as newFault, type WithFaults, wholeFile } from "../fault.ts";
import type { Part, Span } from "../formats/format.ts";
import type { Path, Source } from "../source.ts";
import { catalogue } from "./kinds.ts";

export type { Fault, WithFaults };

/** The value, key or alias at fault, or a span if the reader found the place already. */
export type Spot = { readonly path: Path; readonly part?: Part } | Span;

type PlaceOf = (source: Source, at: Spot) => Place;

/** `details` is a function because the places of other values are found later. */
export const fault = <Code extends FaultCode>(
  code: Code,
  source: Source,
  at: Spot,
  details: (placeOf: PlaceOf) => FaultDetails[Code],
): Fault =>
  newFault(code, { ...at, source }, (written, placeOf: (at: NewSpot) => Place) =>
    catalogue[code](
      details((of, spot) => placeOf({ ...spot, source: of })),
      written,
    ),
  );

/** A fault of a file as a whole, without a place in its text. */
export const fileFault = <Code extends FaultCode>(code: Code, file: string, details: FaultDetails[Code]): Fault =>
  newFault(code, wholeFile(file), (written) => catalogue[code](details, written));
