// Sums up the nodes of each region. There may be a hundred thousand nodes, so the fields are read from the bytes of the
// JSON without parsing it.
import type { EdgeNode } from "../../src/edge-network/index.ts";
import type { Items } from "../content/catalog.ts";
import { encode } from "../file.ts";
import { type Counts, gravest, sumOf, type Tone, toneOf } from "./network-state.ts";

export interface Load {
  readonly nodes: number;
  /** In Gbit/s. Rounded to the nearest number above 2^53. */
  readonly capacity: number;
  /** The states of the nodes. */
  readonly states: Counts;
  readonly tone: Tone;
}

export function loadOfAll(loads: readonly Load[]): Load {
  const nodes = loads.reduce((sum, each) => sum + each.nodes, 0);
  const capacity = loads.reduce((sum, each) => finite(sum + each.capacity), 0);
  return load(nodes, capacity, sumOf(loads.map(({ states }) => states)));
}

const load = (nodes: number, capacity: number, states: Counts): Load => ({
  nodes,
  capacity,
  states,
  tone: gravest([...states.keys()].map(toneOf)),
});

export const noLoad: Load = load(0, 0, new Map());

/** The form of a capacity has no maximum. This bound keeps sums finite and can still be rounded. */
const finite = (capacity: number): number => Math.min(capacity, 1e300);

type Field = keyof EdgeNode;

const region: Field = "pop";

/** By the code of the region. */
export function loadsOf(items: Items | undefined): ReadonlyMap<string, Load> {
  const references = items?.columns.get(region);
  if (items === undefined || references === undefined) return new Map();
  const { numbers, rows } = references;
  const nodes = new Float64Array(numbers.size);
  const capacities = new Float64Array(numbers.size);
  const states: number[][] = Array.from(numbers, () => []);
  const findState = finder("status");
  const findCapacity = finder("capacity");
  const words = wordList();
  for (let index = 0; index < items.count; index++) {
    const own = rows[index] ?? 0;
    const [start = 0, end = 0] = [items.offsets[index], items.offsets[index + 1]];
    nodes[own] = (nodes[own] ?? 0) + 1;
    const capacity = integerAt(items.bytes, findCapacity(items.bytes, start, end));
    capacities[own] = finite((capacities[own] ?? 0) + capacity);
    const counts = states[own];
    const state = words.at(items.bytes, findState(items.bytes, start, end));
    if (counts !== undefined) counts[state] = (counts[state] ?? 0) + 1;
  }
  return new Map(
    [...numbers].map(([code, own]) => {
      // Leaves out the states that no node of the region has, which are holes in the list.
      const counts = (states[own] ?? []).flatMap((count, state) => [[words.word(state), count] as const]);
      return [code, load(nodes[own] ?? 0, capacities[own] ?? 0, sumOf([new Map(counts)]))];
    }),
  );
}

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;

/**
 * Finds the start of a field's text in the JSON of items. A key with its quotes is never part of a text, because quotes
 * in texts are escaped. The field is mostly at the same offset as in the item before.
 */
function finder(field: Field): (bytes: Uint8Array, start: number, end: number) => number {
  const key = encode(`"${field}":"`);
  const isAt = (bytes: Uint8Array, at: number): boolean => {
    for (let index = 0; index < key.length; index++) if (bytes[at + index] !== key[index]) return false;
    return true;
  };
  let last = 0;
  return (bytes, start, end) => {
    if (start + last + key.length < end && isAt(bytes, start + last)) return start + last + key.length;
    for (let at = start; at < end; at++) {
      if (bytes[at] !== quote || !isAt(bytes, at)) continue;
      last = at - start;
      return at + key.length;
    }
    throw new Error(`A node has no text as its ${field}.`);
  };
}

/** The number whose digits begin at `start`. */
function integerAt(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; ; at++) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** Numbers the distinct texts. There are few. */
function wordList() {
  const known: Uint8Array[] = [];
  const isSame = (bytes: Uint8Array, start: number, word: Uint8Array): boolean => {
    for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word[index]) return false;
    return true;
  };
  return {
    /** The number of the JSON text that begins at `start`. */
    at(bytes: Uint8Array, start: number): number {
      // A word includes its closing quote, so that it is no prefix of another word.
      for (let number = 0; number < known.length; number++) {
        const word = known[number];
        if (word !== undefined && isSame(bytes, start, word)) return number;
      }
      let end = start;
      while (bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
      return known.push(bytes.slice(start, end + 1)) - 1;
    },
    word: (number: number): string => JSON.parse(`"${decoder.decode(known[number])}`),
  };
}

const decoder = new TextDecoder();
