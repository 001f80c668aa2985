// Chooses how each file of items is read. Files of NDJSON take the quick lane, which converts plain lines to rows
// without parsing them, and so do cached lines of YAML files. Other files are parsed.
import type { ListOperation } from "../../src/operation.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { withoutMark } from "./decode.ts";
import { fault } from "./faults/fault.ts";
import { formatOf } from "./formats/formats.ts";
import { pathFields } from "./globs.ts";
import { hasAliases } from "./names.ts";
import { plainRules } from "./path-parts.ts";
import { plainForm } from "./plain-form.ts";
import { type Lane, type Suspicion, sortLines } from "./plain-lines.ts";
import { type ContentFile, type Reading, read, readPart } from "./read.ts";
import { cacheKey, linesOf, worthCaching } from "./yaml-cache.ts";

/** Only items that nothing is made from, and that nothing makes or completes, can be rows without being parsed. */
export const laneOf = (
  operation: ListOperation,
  isReferredTo: boolean,
  vocabulary: Vocabulary,
  isSource = false,
): Lane => ({
  operation,
  isReferredTo,
  keepsKeys: isReferredTo || operation.item !== undefined,
  form:
    isSource || hasAliases(operation) || operation.transform !== undefined || pathFields(operation).length > 0
      ? undefined
      : plainForm(operation.resource, vocabulary, plainRules(operation)),
});

export function readByLane(file: ContentFile, lane: Lane, cache: Cache | undefined): Reading {
  if (formatOf(file.file) === "ndjson") return readLines(file, withoutMark(file.bytes), lane);
  if (cache === undefined || !worthCaching(file)) return read(file);
  const key = cacheKey(file);
  const cached = cache.get(key);
  if (cached !== undefined) return { ...readLines(file, cached, lane), exact: false };
  const reading = read(file);
  const lines = linesOf(reading);
  if (lines !== undefined) cache.set(key, lines);
  return reading;
}

/** Reads a file again with the places of its values, and parses its suspect plain lines. */
export const readAgain = (file: ContentFile, lane: Lane, suspicion: Suspicion): Reading =>
  formatOf(file.file) === "ndjson" ? readLines(file, withoutMark(file.bytes), lane, suspicion) : read(file);

function readLines(file: ContentFile, bytes: Uint8Array, lane: Lane, suspicion?: Suspicion): Reading {
  const { rows, others } = sortLines(bytes, lane, suspicion);
  const parts = others.map((some) => readPart({ file: file.file, ...some, format: "ndjson" }));
  const [first] = parts;
  const lost = parts.find(({ decoded }) => !decoded);
  const entries = lost === undefined ? parts.flatMap((part) => part.entries) : [];
  const found = lost?.faults ?? parts.flatMap((part) => part.faults);
  const source = first?.source ?? { file: file.file, format: "ndjson", text: "" };
  const isEmpty = rows === undefined && entries.length === 0 && found.length === 0;
  const faults = isEmpty ? [fault("empty-file", source, { start: 0, end: 0 }, () => ({}))] : found;
  const whole = !isEmpty && parts.every((part) => part.whole);
  return { file, source, entries, shape: "lines", whole, rows, faults, exact: true };
}
