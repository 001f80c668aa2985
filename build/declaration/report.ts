import type { DeclarationCode, Diagnostic } from "../diagnostics.ts";
import type { Places, Span, Spot } from "./places.ts";

/** Collects the faults of a declaration. */
export interface Report {
  readonly faults: readonly Diagnostic[];
  /** `at` are the places of the fault, of which the first that is known counts. */
  add(code: DeclarationCode, at: readonly Spot[], message: string, hint?: string): void;
}

export function openReport(places: Places): Report {
  const faults: Diagnostic[] = [];
  const placeOf = (at: readonly Spot[]): Span => {
    for (const spot of at) {
      const place = places.find(spot);
      if (place !== undefined) return place;
    }
    return places.whole;
  };
  return {
    faults,
    add(code, at, message, hint) {
      faults.push({ ...placeOf(at), code, message, ...(hint === undefined ? {} : { hint }) });
    },
  };
}
