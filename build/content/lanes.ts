// Chooses how each file of items is read. Lines of NDJSON take the quick lane, where the plain ones become rows
// without being parsed (see plain-form.ts). So do the lines that the cache has for a YAML file. All else is parsed.
import type { ListOperation } from "../../src/operations.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { formatOf } from "./formats/formats.ts";
import { type PlainForm, plainForm } from "./plain-form.ts";
import { type ContentFile, type Reading, read, readBytes } from "./read.ts";
import { collectRows, isReferredTo, layoutOf, type Rows } from "./rows.ts";
import { linesOf, worthCaching } from "./yaml-cache.ts";

/** What the files of an operation have in common. */
export interface Lane {
  readonly operation: ListOperation;
  readonly form: PlainForm | undefined;
}

export const laneOf = (operation: ListOperation, vocabulary: Vocabulary): Lane => ({
  operation,
  form: plainForm(operation.resource, vocabulary),
});

export function readByLane(file: ContentFile, lane: Lane, cache: Cache | undefined): Reading {
  if (formatOf(file.file) === "ndjson") return readLines(file, file.bytes, lane);
  if (cache === undefined || !worthCaching(file)) return read(file);
  const cached = cache.recall(file.bytes);
  if (cached !== undefined) return readLines(file, cached, lane);
  const reading = read(file);
  const lines = linesOf(reading);
  if (lines !== undefined) cache.keep(file.bytes, lines);
  return reading;
}

function readLines(file: ContentFile, bytes: Uint8Array, lane: Lane): Reading {
  const taken = takePlainLines(bytes, lane);
  const reading = readBytes(file, taken?.rest ?? bytes, "ndjson");
  if (taken === undefined) return { ...reading, exact: bytes === file.bytes };
  // The file is not empty if only its rest is.
  const rest = isBlank(taken.rest) ? { ...reading, faults: [], whole: true } : reading;
  return { ...rest, rows: taken.rows, exact: false };
}

interface Taken {
  readonly rows: Rows;
  /** The lines that are not plain. */
  readonly rest: Uint8Array;
}

/** Undefined where there are no plain lines. */
function takePlainLines(bytes: Uint8Array, { operation, form }: Lane): Taken | undefined {
  if (form === undefined) return undefined;
  const { fields, line, accepts } = form;
  const layout = layoutOf(operation, (field) => fields.indexOf(field) + 1);
  const rows = collectRows(operation, bytes, layout);
  const rest: Uint8Array[] = [];
  let count = 0;
  for (const { text, start } of chunksOf(bytes)) {
    let at = 0;
    while (at < text.length) {
      line.lastIndex = at;
      const match = line.exec(text);
      if (match !== null && accepts(match)) {
        rows.add(start + at, start + text.lastIndexOf("}", line.lastIndex) + 1, match);
        at = line.lastIndex;
        count++;
      } else {
        const end = text.indexOf("\n", at) + 1 || text.length;
        rest.push(bytes.subarray(start + at, start + end));
        at = end;
      }
    }
  }
  const remaining = Buffer.concat(rest);
  // A misspelt reference is a slip of the first of the nearest keys, so rows must not come before the lines around them.
  const isMixed = isReferredTo(operation) && !isBlank(remaining);
  return count === 0 || isMixed ? undefined : { rows: rows.done(), rest: remaining };
}

const isBlank = (bytes: Uint8Array): boolean => Buffer.from(bytes).toString().trim() === "";

/** Whole lines, as text with a character for each byte; plain lines are ASCII. Short enough to be collected soon. */
function* chunksOf(bytes: Uint8Array): Generator<{ text: string; start: number }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf("\n", start + chunkLength) + 1 || buffer.length;
    yield { text: buffer.toString("latin1", start, end), start };
    start = end;
  }
}

const chunkLength = 1 << 18;
