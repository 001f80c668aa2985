// Sorts lines of NDJSON as bytes: plain lines become rows without being parsed (see plain-form.ts), the others keep
// their line numbers. A file may exceed the length limit of strings, so no step decodes all of it at once.
import type { ListOperation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { isBlank } from "./formats/format.ts";
import type { PlainForm } from "./plain-form.ts";
import { collectRows, keyFrom, layoutOf, type Rows } from "./rows.ts";

/** The properties that the files of an operation share. */
export interface Lane {
  readonly operation: ListOperation;
  /** Whether other items refer to its items. */
  readonly isReferredTo: boolean;
  /** Whether their keys are needed: others refer to them, or each has a file. */
  readonly keepsKeys: boolean;
  readonly form: PlainForm | undefined;
  /** Returns a valid item. Undefined if validity depends on other items. */
  readonly accepted: ((value: unknown) => Item | undefined) | undefined;
}

/** Whether the key or the references of a plain line may conflict with other items. */
export type Suspicion = (key: string, references: readonly string[], isFirst: boolean) => boolean;

/** Some lines of a file with their line numbers, from 0. */
export interface SomeLines {
  readonly bytes: Uint8Array;
  readonly lines: readonly number[];
}

export interface SortedLines {
  readonly rows: readonly Rows[];
  /** The lines that are neither plain nor blank, and the suspect ones. */
  readonly others: readonly SomeLines[];
  /** The number of lines. */
  readonly count: number;
}

/** A range has fewer lines than `sortKeys` can sort. */
const longest = 1 << 26;

/** Ranges of so many bytes, and of the rest of their last line. What is read does not depend on the ranges. */
export function rangesOf(bytes: Uint8Array, most = longest): readonly Uint8Array[] {
  const ranges: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start + most) + 1 || bytes.length;
    ranges.push(bytes.subarray(start, end));
    start = end;
  }
  return ranges;
}

const lineFeed = 0x0a;

/**
 * Lines end with a line feed or a lone carriage return; plain lines contain no carriage return. `isFirst`: whether the
 * range starts its file.
 */
export function sortLines(
  bytes: Uint8Array,
  { operation, keepsKeys, form }: Omit<Lane, "accepted">,
  isFirst = true,
  suspicion?: Suspicion,
): SortedLines {
  const layout = layoutOf(operation, (field) => (form?.fields.indexOf(field) ?? -1) + 1);
  const rows = collectRows(operation, keepsKeys, bytes, layout);
  const segments: Uint8Array[] = [];
  const lines: number[] = [];
  let count = 0;
  let number = 0;
  let isFirstRow = isFirst;
  /** Whether the previous line may start a value of several lines, which blank lines do not end. */
  let mayGoOn = !isFirst;
  const isSuspect = (match: readonly string[]): boolean => {
    if (suspicion === undefined) return false;
    const references = layout.columns.map((group) => match[group] ?? "");
    const suspect = suspicion(keyFrom(match, layout.key), references, isFirstRow);
    isFirstRow = false;
    return suspect;
  };
  for (const { text, start } of chunksOf(bytes)) {
    for (let at = 0; at < text.length; number++) {
      const match = form === undefined ? undefined : plainAt(text, at, form);
      const end = match === undefined ? text.indexOf("\n", at) + 1 || text.length : at + match[0].length;
      if (match === undefined || isSuspect(match)) {
        const line = text.slice(at, end);
        const first = number;
        number += loneReturns(line);
        const isEmpty = isBlank(line);
        if (!isEmpty || mayGoOn) {
          segments.push(bytes.subarray(start + at, start + end));
          for (let each = first; each <= number; each++) lines.push(each);
        }
        mayGoOn = !isEmpty;
      } else {
        mayGoOn = false;
        rows.add(start + at, start + text.lastIndexOf("}", end) + 1, match);
        count++;
      }
      at = end;
    }
  }
  const others = segments.length === 0 ? [] : [{ bytes: Buffer.concat(segments), lines }];
  return { rows: count === 0 ? [] : [rows.done()], others, count: number };
}

function plainAt(text: string, at: number, { line, accepts }: PlainForm): RegExpExecArray | undefined {
  line.lastIndex = at;
  const match = line.exec(text);
  return match !== null && accepts(match) ? match : undefined;
}

/** The number of carriage returns without a line feed, each of which ends a line. */
const loneReturns = (text: string): number => (text.includes("\r") ? (text.match(/\r(?!\n)/g)?.length ?? 0) : 0);

/** Far below the length limit of strings, and more than almost every file has. */
const partLength = 2 ** 28;

/** The lines of consecutive ranges as few texts, with their numbers in the file. */
export function joinedLines(ranges: readonly SortedLines[], most = partLength): readonly SomeLines[] {
  const parts: SomeLines[] = [];
  let segments: Uint8Array[] = [];
  let lines: number[] = [];
  let [length, before] = [0, 0];
  const end = () => {
    if (segments.length > 0) parts.push({ bytes: Buffer.concat(segments), lines });
    segments = [];
    lines = [];
    length = 0;
  };
  for (const { others, count } of ranges) {
    for (const some of others) {
      if (length + some.bytes.length > most) end();
      segments.push(some.bytes);
      for (const line of some.lines) lines.push(before + line);
      length += some.bytes.length;
    }
    before += count;
  }
  end();
  return parts;
}

/**
 * Yields whole lines as latin1 text; plain lines are ASCII. Chunks are short, so that they are soon garbage-collected.
 */
function* chunksOf(bytes: Uint8Array): Generator<{ text: string; start: number }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf("\n", start + chunkLength) + 1 || buffer.length;
    yield { text: buffer.toString("latin1", start, end), start };
    start = end;
  }
}

const chunkLength = 1 << 18;
