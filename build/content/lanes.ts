// Chooses how each file of items is read. Plain lines of NDJSON become rows without being parsed, and so do cached lines of
// YAML files. Other files, and other lines, are parsed.
import type { Api } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { withoutMark } from "./decode.ts";
import { fault } from "./faults/fault.ts";
import { formatOf } from "./formats/formats.ts";
import { pathFields } from "./globs.ts";
import { hasAliases } from "./names.ts";
import { meets, plainRules } from "./path-parts.ts";
import { plainForm } from "./plain-form.ts";
import { joinedLines, type Lane, rangesOf, type SortedLines, type Suspicion, sortLines } from "./plain-lines.ts";
import { type ContentFile, type Reading, read, readPart } from "./read.ts";
import { rowsOf } from "./rows.ts";
import { isKept } from "./validate.ts";
import { cacheKey, linesOf, worthCaching } from "./yaml-cache.ts";

/** Only items that nothing is made from, and that nothing makes or completes, can be rows before others are known. */
export function laneOf(operation: ListOperation, { lists }: Pick<Api, "lists">, vocabulary: Vocabulary): Lane {
  const { name, resource, item, transform } = operation;
  const isReferredTo = lists.some((each) =>
    [...each.resource.references, ...each.resource.innerReferences].some(({ to }) => to === name),
  );
  const isSource = lists.some(({ from }) => from?.operation === name);
  const lane = { operation, keepsKeys: isReferredTo || item !== undefined, isReferredTo };
  const isMade = transform !== undefined || pathFields(operation).length > 0;
  const isLinked = isSource || hasAliases(operation) || resource.innerReferences.length > 0;
  if (isMade || isLinked) return { ...lane, form: undefined, accepted: undefined };
  const rules = plainRules(operation);
  const schema = resource.schema(vocabulary);
  const accepted = (value: unknown): Item | undefined => {
    const { success, data } = schema.safeParse(value);
    return success && isKept(value, data) && [...rules].every(([field, rule]) => meets(rule, data[field]))
      ? data
      : undefined;
  };
  return { ...lane, form: plainForm(resource, vocabulary, rules), accepted };
}

/** The parts of a file that have been read: its ranges of lines, or the values of a file in another format as NDJSON. */
export type Done = readonly SortedLines[] | Uint8Array;

/** The file is not read again if it is `done`. */
export function readByLane(file: ContentFile, lane: Lane, cache?: Cache, done?: Done): Reading {
  if (formatOf(file.file) === "ndjson") {
    return readLines(
      file,
      done === undefined || done instanceof Uint8Array ? linesIn(file, lane, withoutMark(file.bytes)) : done,
    );
  }
  const lines = done instanceof Uint8Array ? done : cachedLines(file, cache);
  if (lines !== undefined) return { ...readLines(file, linesIn(file, lane, lines)), exact: false };
  return cache === undefined || !worthCaching(file) ? read(file) : itemLines(file, cache)[0];
}

/** A file, and its items as NDJSON if it has no faults, which are cached. */
export function itemLines(file: ContentFile, cache: Cache | undefined): readonly [Reading, Uint8Array | undefined] {
  const reading = read(file);
  const lines = linesOf(reading);
  if (lines !== undefined && worthCaching(file)) cache?.set(cacheKey(file), lines);
  return [reading, lines];
}

export const cachedLines = (file: ContentFile, cache: Cache | undefined): Uint8Array | undefined =>
  cache !== undefined && worthCaching(file) ? cache.get(cacheKey(file)) : undefined;

const linesIn = ({ file }: ContentFile, lane: Lane, bytes: Uint8Array): readonly SortedLines[] =>
  rangesOf(bytes).map((range, index) => readRange(file, range, lane, index === 0));

/** Sorts a range of lines of NDJSON. If the lines that are not plain are all valid, they become rows as well. */
export function readRange(file: string, range: Uint8Array, lane: Lane, isFirst: boolean): SortedLines {
  const sorted = sortLines(range, lane, isFirst);
  if (lane.accepted === undefined) return sorted;
  const parts = sorted.others.map((some) => readPart({ file, ...some, format: "ndjson" }));
  if (parts.some(({ whole, faults }) => !whole || faults.length > 0)) return sorted;
  const items: Item[] = [];
  for (const { value } of parts.flatMap(({ entries }) => entries)) {
    const item = lane.accepted(value);
    if (item === undefined) return sorted;
    items.push(item);
  }
  if (items.length === 0) return sorted;
  return { ...sorted, rows: [...sorted.rows, rowsOf(lane.operation, lane.keepsKeys, items)], others: [] };
}

/** Reads a file again with the places of its values, and parses its suspect plain lines. */
export function readAgain(file: ContentFile, lane: Lane, suspicion: Suspicion): Reading {
  if (formatOf(file.file) !== "ndjson") return read(file);
  const ranges = rangesOf(withoutMark(file.bytes));
  return readLines(
    file,
    ranges.map((range, index) => sortLines(range, lane, index === 0, suspicion)),
  );
}

function readLines(file: ContentFile, ranges: readonly SortedLines[]): Reading {
  const parts = joinedLines(ranges).map((some) => readPart({ file: file.file, ...some, format: "ndjson" }));
  const [first] = parts;
  const lost = parts.find(({ decoded }) => !decoded);
  const entries = lost === undefined ? parts.flatMap((part) => part.entries) : [];
  const found = lost?.faults ?? parts.flatMap((part) => part.faults);
  const source = first?.source ?? { file: file.file, format: "ndjson", text: "" };
  const rows = ranges.flatMap((range) => range.rows);
  const isEmpty = rows.length === 0 && entries.length === 0 && found.length === 0;
  const faults = isEmpty
    ? [fault("empty-file", source, { start: 0, end: 0 }, () => ({ format: source.format }))]
    : found;
  const whole = !isEmpty && parts.every((part) => part.whole);
  return { file, source, entries, shape: "lines", whole, rows, faults, exact: true };
}
