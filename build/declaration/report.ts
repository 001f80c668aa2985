// Collects the faults of a declaration, each with its place.
import * as z from "zod";
import type { DeclarationCode, Diagnostic } from "../diagnostics.ts";
import { shown } from "../quote.ts";
import { listed } from "../words.ts";
import type { Places, Spot } from "./places.ts";

export interface Report {
  readonly faults: readonly Diagnostic[];
  /** `at` are the possible places of the fault. The first known place counts. */
  add(code: DeclarationCode, at: readonly Spot[], message: string, hint?: string): void;
}

export function openReport(places: Places): Report {
  const faults: Diagnostic[] = [];
  return {
    faults,
    add(code, at, message, hint) {
      const place = at.map(places.find).find((each) => each !== undefined) ?? places.whole;
      faults.push({ ...place, code, message, ...(hint === undefined ? {} : { hint }) });
    },
  };
}

/**
 * Reports what the code of a declaration throws, at its place, or at `spot` if it comes from elsewhere. `what` starts the
 * sentence, if there is one.
 */
export function thrown(error: unknown, places: Places, what: string | undefined, spot?: Spot): Diagnostic {
  const stack = error instanceof Error ? error.stack : undefined;
  const place = places.find({ site: stack, path: [] }) ?? (spot && places.find(spot)) ?? places.start;
  if (error instanceof z.core.$ZodError) {
    const paths = error.issues.map((issue) => z.core.toDotPath(issue.path) || "the value itself");
    return {
      ...place,
      code: "throws",
      message: `A value does not match its schema here: ${shown(listed(paths), 300)}.`,
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const [line = ""] = reason.split("\n");
  const text = `${shown(line, 300).replace(/\.$/, "")}.`;
  return { ...place, code: "throws", message: what === undefined ? text : `${what}: ${text}` };
}
