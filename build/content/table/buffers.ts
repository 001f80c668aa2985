// Buffers that grow while items are read. A million items are a few large arrays; a million objects would be slow.
import { MachineError } from "../../files/machine-error.ts";
import type { ItemsJson, OrderKeys, Values } from "./items.ts";

/** Numbers in an array that grows. */
export function numberList() {
  let numbers = new Uint32Array(1 << 10);
  const list = {
    length: 0,
    push(number: number): void {
      if (list.length === numbers.length) numbers = enlarged(numbers, new Uint32Array(2 * numbers.length));
      numbers[list.length++] = number;
    },
    done: () => numbers.subarray(0, list.length),
  };
  return list;
}

function enlarged<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Offsets have 32 bits. */
const maxBytes = 2 ** 32 - 1;

/** The length of the texts that are encoded together. */
const together = 1 << 16;

/** Texts of JSON as bytes, each followed by a comma. Throws MachineError if they exceed `max` bytes. */
export function jsonBuffer(room: number, max: number = maxBytes) {
  let bytes = releasable(Math.min(room + together, max));
  let end = 0;
  const offsets = numberList();
  offsets.push(0);
  let text = "";
  /** The ends of the texts in `text`, in UTF-16 code units. */
  let ends: number[] = [];
  return {
    add(json: string): void {
      text += `${json},`;
      ends.push(text.length);
      if (text.length > together) encode();
    },
    done(): ItemsJson {
      encode();
      // Views of a Uint8Array are made three times as quickly as those of a Buffer.
      return { bytes: new Uint8Array(bytes.buffer, 0, end), offsets: offsets.done() };
    },
    /** Frees the memory at once. The garbage collector would free it much later, because it sees little garbage of its own. */
    release(): void {
      bytes.buffer.resize(0);
    },
  };

  function encode(): void {
    const all = text;
    const allEnds = ends;
    text = "";
    ends = [];
    const length = Buffer.byteLength(all);
    makeRoom(length);
    bytes.write(all, end);
    const isAscii = length === all.length;
    let start = 0;
    for (const textEnd of allEnds) {
      end += isAscii ? textEnd - start : Buffer.byteLength(all.slice(start, textEnd));
      offsets.push(end);
      start = textEnd;
    }
  }

  function makeRoom(length: number): void {
    if (end + length > max) throw tooLarge(end + length);
    if (end + length > bytes.length)
      bytes = enlarged(bytes, releasable(Math.min(Math.max(2 * bytes.length, end + length), max)));
  }
}

const releasable = (length: number) => Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));

const tooLarge = (length: number): MachineError =>
  new MachineError(
    `The items of one operation are ${(length / 1e9).toFixed(1)} GB as JSON; at most ${(maxBytes / 1e9).toFixed(1)} GB can be built.`,
    "Divide them among several deployments.",
  );

/** Order keys as bytes that compare as the code units do (CESU-8). */
export function keyBuffer() {
  let bytes = Buffer.alloc(1 << 16);
  let end = 0;
  let areAscii = true;
  const ends = numberList();
  return {
    add(key: string): void {
      makeRoom(3 * key.length);
      for (let index = 0; index < key.length; index++) {
        const unit = key.charCodeAt(index);
        if (unit < 0x80) {
          bytes[end++] = unit;
        } else {
          areAscii = false;
          bytes[end++] = 0xe0 | (unit >> 12);
          bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
          bytes[end++] = 0x80 | (unit & 0x3f);
        }
      }
      ends.push(end);
    },
    /** The keys follow each other. */
    done(): OrderKeys {
      const all = ends.done();
      const starts = new Uint32Array(all.length);
      starts.set(all.subarray(0, -1), Math.min(1, all.length));
      return { bytes, starts, ends: all, areAscii };
    },
  };

  function makeRoom(length: number): void {
    if (end + length > bytes.length) bytes = enlarged(bytes, Buffer.alloc(2 * bytes.length + length));
  }
}

/** The values of a filter in each item, as indices of distinct values. */
export function valueList() {
  const numberOf = new Map<string, number>();
  const names: string[] = [];
  const numbers = numberList();
  const starts = numberList();
  starts.push(0);
  return {
    add(values: readonly string[]): void {
      for (const value of values) {
        const number = numberOf.get(value) ?? names.length;
        if (number === names.length) {
          numberOf.set(value, number);
          names.push(value);
        }
        numbers.push(number);
      }
      starts.push(numbers.length);
    },
    /** `isKept`: whether items keep a value. */
    done(order: Uint32Array, isKept: (value: string) => boolean = () => true): Values {
      const all = numbers.done();
      const allStarts = starts.done();
      const known: string[] = [];
      const numberIn = Int32Array.from(names, (value) => (isKept(value) ? known.push(value) - 1 : -1));
      const sorted = { numbers: new Uint32Array(all.length), starts: new Uint32Array(order.length + 1) };
      for (let place = 0, end = 0; place < order.length; place++) {
        const index = order[place] ?? 0;
        for (let at = allStarts[index] ?? 0; at < (allStarts[index + 1] ?? 0); at++) {
          const number = numberIn[all[at] ?? 0] ?? -1;
          if (number >= 0) sorted.numbers[end++] = number;
        }
        sorted.starts[place + 1] = end;
      }
      return { known, ...sorted };
    },
  };
}
