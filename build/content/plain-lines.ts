// Sorts lines of NDJSON as bytes: plain lines become rows without being parsed (see plain-form.ts), the others keep
// their line numbers. A file may exceed the length limit of strings, so no step decodes all of it at once.
import type { ListOperation } from "../../src/operation.ts";
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
}

/** Whether the key or the references of a plain line may conflict with other items. */
export type Suspicion = (key: string, references: readonly string[], isFirst: boolean) => boolean;

/** Some lines of a file with their line numbers, from 0. */
export interface SomeLines {
  readonly bytes: Uint8Array;
  readonly lines: readonly number[];
}

export interface SortedLines {
  /** Undefined if no line is plain. */
  readonly rows: Rows | undefined;
  /** The lines that are neither plain nor blank, and the suspect ones, in texts of limited length. */
  readonly others: readonly SomeLines[];
}

/** Lines end with a line feed or a lone carriage return; plain lines contain no carriage return. */
export function sortLines(bytes: Uint8Array, lane: Lane, suspicion?: Suspicion, most = partLength): SortedLines {
  const sorted = sortByForm(bytes, lane, suspicion, most);
  // Suggestions for a misspelt reference prefer the first of equally similar keys, so rows must not come before the
  // lines around them.
  const isMixed = lane.isReferredTo && sorted.others.length > 0;
  return isMixed ? sortByForm(bytes, { ...lane, form: undefined }, undefined, most) : sorted;
}

function sortByForm(
  bytes: Uint8Array,
  { operation, keepsKeys, form }: Lane,
  suspicion: Suspicion | undefined,
  most: number,
): SortedLines {
  const layout = layoutOf(operation, (field) => (form?.fields.indexOf(field) ?? -1) + 1);
  const rows = collectRows(operation, keepsKeys, bytes, layout);
  const others = collectLines(bytes, most);
  let count = 0;
  let number = 0;
  let isFirst = true;
  /** Whether the previous line may start a value of several lines, which blank lines do not end. */
  let mayGoOn = false;
  const isSuspect = (match: readonly string[]): boolean => {
    if (suspicion === undefined) return false;
    const references = layout.columns.map((group) => match[group] ?? "");
    const suspect = suspicion(keyFrom(match, layout.key), references, isFirst);
    isFirst = false;
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
        if (!isEmpty || mayGoOn) others.add(start + at, start + end, first, number);
        mayGoOn = !isEmpty;
      } else {
        mayGoOn = false;
        rows.add(start + at, start + text.lastIndexOf("}", end) + 1, match);
        count++;
      }
      at = end;
    }
  }
  return { rows: count === 0 ? undefined : rows.done(), others: others.done() };
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

function collectLines(bytes: Uint8Array, most: number) {
  const parts: SomeLines[] = [];
  let segments: Uint8Array[] = [];
  let lines: number[] = [];
  let length = 0;
  const end = () => {
    if (segments.length > 0) parts.push({ bytes: Buffer.concat(segments), lines });
    segments = [];
    lines = [];
    length = 0;
  };
  return {
    /** Adds the lines numbered `first` to `last`. */
    add(from: number, to: number, first: number, last: number): void {
      if (length + to - from > most) end();
      segments.push(bytes.subarray(from, to));
      for (let number = first; number <= last; number++) lines.push(number);
      length += to - from;
    },
    done(): readonly SomeLines[] {
      end();
      return parts;
    },
  };
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
