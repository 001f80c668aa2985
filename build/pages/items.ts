// Views of a collection's items: all of them, or some of them in their order. No bytes are copied until a page is written.
import type { Fnv } from "../../src/model/paging.ts";
import { type ItemOrder, type Items, keyAt, withKey } from "../content/table/items.ts";
import { encode, type OutputFile } from "../files/file.ts";

export interface ItemView {
  readonly count: number;
  orderKey(index: number): string;
  /** The hash of a listing with the order key of an item added. */
  hash(listing: Fnv, index: number): Fnv;
  /** The JSON of the items from `start` up to but without `end`, separated by commas. */
  slice(start: number, end: number): Uint8Array;
  /** The length of that slice, in bytes. */
  length(start: number, end: number): number;
}

export const noItems: Items = {
  count: 0,
  bytes: new Uint8Array(0),
  offsets: new Uint32Array(1),
  orderKeys: { bytes: Buffer.alloc(0), starts: new Uint32Array(0), ends: new Uint32Array(0), areAscii: true },
  keys: [],
  filters: new Map(),
  orders: new Map(),
};

export const allOf = (items: Items): ItemView => rangeOf(items, 0, items.count);

/** The items with these indices, which are in another order. */
export const inOrder = (items: Items, { orderKeys }: ItemOrder, members: Uint32Array): ItemView =>
  chosenOf({ ...items, orderKeys }, members);

/** The items with these ascending indices. */
export function someOf(items: Items, members: readonly number[]): ItemView {
  const first = members[0] ?? 0;
  const last = members.at(-1) ?? 0;
  if (last - first === members.length - 1) return rangeOf(items, first, last + 1);
  return chosenOf(items, Uint32Array.from(members));
}

/** The items from one index up to another, whose bytes are one slice. A comma follows each. */
function rangeOf({ bytes, offsets, orderKeys }: Items, from: number, to: number): ItemView {
  const offsetOf = (index: number): number => offsets[from + index] ?? 0;
  const endOf = (start: number, end: number): number => (start === end ? offsetOf(end) : offsetOf(end) - 1);
  return {
    count: to - from,
    orderKey: (index) => keyAt(orderKeys, from + index),
    hash: (listing, index) => withKey(listing, orderKeys, from + index),
    slice: (start, end) => bytes.subarray(offsetOf(start), endOf(start, end)),
    length: (start, end) => endOf(start, end) - offsetOf(start),
  };
}

/** Items that are not adjacent. An item takes eight bytes: its index, and its offset in the listing. */
function chosenOf({ bytes, offsets, orderKeys }: Items, members: Uint32Array): ItemView {
  const starts = new Uint32Array(members.length + 1);
  for (const [position, index] of members.entries()) {
    starts[position + 1] = (starts[position] ?? 0) + (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
  }
  const memberAt = (index: number): number => members[index] ?? 0;
  const length = (start: number, end: number): number =>
    start === end ? 0 : (starts[end] ?? 0) - (starts[start] ?? 0) - 1;
  return {
    count: members.length,
    orderKey: (index) => keyAt(orderKeys, memberAt(index)),
    hash: (listing, index) => withKey(listing, orderKeys, memberAt(index)),
    slice(start, end) {
      const copy = new Uint8Array(length(start, end));
      const from = starts[start] ?? 0;
      for (let position = start; position < end; position++) {
        const index = memberAt(position);
        // The last item of a slice has no comma.
        const comma = position === end - 1 ? 1 : 0;
        copy.set(bytes.subarray(offsets[index], (offsets[index + 1] ?? 0) - comma), (starts[position] ?? 0) - from);
      }
      return copy;
    },
    length,
  };
}

const newline = 0x0a;

/** The number of items whose lines are a part. */
const together = 1_000;

/**
 * The JSON of all items, one a line. Escapes the characters that JSON allows in strings and that some readers, such as Python,
 * treat as ends of lines.
 */
export function jsonLines({ bytes, offsets, count }: Items): Pick<OutputFile, "length" | "parts"> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[count] ?? 0);
  const ends = lineEndsIn(text);
  return {
    length: text.length + ends.reduce((sum, { character, escaped }) => sum + escaped.length - character.length, 0),
    *parts() {
      for (let first = 0; first < count; first += together) {
        const start = offsets[first] ?? 0;
        const after = Math.min(first + together, count);
        const lines = Buffer.from(text.subarray(start, offsets[after]));
        for (const offset of offsets.subarray(first + 1, after + 1)) lines[offset - start - 1] = newline;
        yield ends.length === 0 ? lines : withEscapes(lines);
      }
    },
  };
}

interface LineEnd {
  readonly at: number;
  readonly character: Uint8Array;
  readonly escaped: Uint8Array;
}

const lineEnds: readonly Omit<LineEnd, "at">[] = ["\u0085", "\u2028", "\u2029"].map((character) => ({
  character: encode(character),
  escaped: encode(`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
}));

/** In UTF-8, no character occurs within another one. */
function placesOf(text: Buffer, character: Uint8Array): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + character.length)) {
    places.push(at);
  }
  return places;
}

const lineEndsIn = (text: Buffer): readonly LineEnd[] =>
  lineEnds.flatMap(({ character, escaped }) => placesOf(text, character).map((at) => ({ at, character, escaped })));

function withEscapes(lines: Buffer): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { at, character, escaped } of lineEndsIn(lines).toSorted((one, other) => one.at - other.at)) {
    parts.push(lines.subarray(from, at), escaped);
    from = at + character.length;
  }
  return Buffer.concat([...parts, lines.subarray(from)]);
}
