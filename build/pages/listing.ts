// A listing is an operation's items in order, all of them or those with one value of its filter. An item is serialised
// once; a listing is the bytes of its items in a row, of which every page is a slice.
import { type ListOperation, operations, orderKey, referenced } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { encode } from "../file.ts";

export interface Listing {
  readonly operation: ListOperation;
  readonly filter: { readonly param: string; readonly value: string } | undefined;
  readonly items: SerializedItems;
}

export interface SerializedItems {
  readonly count: number;
  /** The order key of each item. */
  readonly orderKeys: readonly string[];
  /** The JSON of the items from `start` up to but without `end`, separated by commas. */
  slice(start: number, end: number): Uint8Array;
  /** The length of that slice. */
  length(start: number, end: number): number;
}

/** The listings of a deployment: for each operation the whole one, then one for each known value of its filter. */
export function* listings(catalog: Catalog, deployment: Deployment): Generator<Listing> {
  for (const operation of operations) {
    if (operation.kind !== "list" || !deployment.operations.includes(operation.name)) continue;
    const items = catalog.items.get(operation.name) ?? [];
    const pieces = items.map((item) => ({ bytes: encode(JSON.stringify(item)), orderKey: orderKey(operation, item) }));
    yield { operation, filter: undefined, items: join(pieces) };
    if (operation.filter === undefined) continue;
    const { param, field } = operation.filter;
    const target = referenced(operation.resource, field);
    const groups = groupBy(items, pieces, field);
    for (const known of catalog.items.get(target.name) ?? []) {
      const value = String(known[target.resource.key]);
      yield { operation, filter: { param, value }, items: join(groups.get(value) ?? []) };
    }
  }
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly orderKey: string;
}

function groupBy(
  items: readonly Item[],
  pieces: readonly Piece[],
  field: string,
): ReadonlyMap<string, readonly Piece[]> {
  const groups = new Map<string, Piece[]>();
  for (const [index, piece] of pieces.entries()) {
    const value = String(items[index]?.[field]);
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [piece]);
    else group.push(piece);
  }
  return groups;
}

const comma = 0x2c;

function join(pieces: readonly Piece[]): SerializedItems {
  const offsets = [0];
  let length = 0;
  for (const { bytes } of pieces) {
    length += bytes.length + 1;
    offsets.push(length);
  }
  const all = new Uint8Array(length).fill(comma);
  for (const [index, { bytes }] of pieces.entries()) all.set(bytes, offsets[index] ?? 0);
  const offsetOf = (index: number): number => offsets[index] ?? length;
  const endOf = (start: number, end: number): number => (start === end ? offsetOf(start) : offsetOf(end) - 1);
  return {
    count: pieces.length,
    orderKeys: pieces.map(({ orderKey }) => orderKey),
    slice: (start, end) => all.subarray(offsetOf(start), endOf(start, end)),
    length: (start, end) => endOf(start, end) - offsetOf(start),
  };
}
