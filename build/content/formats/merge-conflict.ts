// Merges that are not finished.
import type { Draft, Span } from "../../messages.ts";
import { lineEnd } from "./format.ts";

/** Markers of Git in a text, which would be published, or be reported as faults of its format. */
export function mergeConflictIn(text: string): Draft<Span> | undefined {
  const markers = [...text.matchAll(/^(?:<{7} .*|={7}(?=\r?$)|>{7} .*)/gm)];
  const index = markers
    .map(([marker]) => marker.charAt(0))
    .join("")
    .search(/<=+>/);
  const marker = markers[index];
  if (marker === undefined) return undefined;
  const at = { start: marker.index, end: lineEnd(text, marker.index) };
  const hint = "Resolve it. If it is an example, indent its lines.";
  return { code: "syntax", at, text: "A conflict of Git is not resolved.", hint };
}
