// Finds the items that were added, removed or changed. Both lists are sorted by order key, and only items whose bytes
// differ are parsed.
import { type Item, type Key, keyFields, keyOf } from "../../src/resource.ts";
import { type Items, keyAt, wholeItem } from "../content/catalog.ts";
import { compare } from "../content/order.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";

export interface ItemChange {
  readonly kind: "added" | "removed" | "changed";
  /** The parts of a composite key are joined by slashes. */
  readonly key: string;
  /** For an item that was added or removed, all fields except the key. */
  readonly fields: readonly FieldChange[];
}

export interface ListChanges {
  readonly operation: string;
  readonly noun: string;
  /** The number of items. */
  readonly before: number;
  readonly after: number;
  readonly items: readonly ItemChange[];
}

/** In the order of the keys. The search stops after `most` differences. Undefined: there are no items. */
export function itemChanges(
  before: Items | undefined,
  after: Items | undefined,
  resource: Key,
  most = Number.POSITIVE_INFINITY,
): readonly ItemChange[] {
  const pairs = new Map<string, { old?: Item; own?: Item }>();
  const note = (bytes: Buffer, side: "old" | "own") => {
    const item: Item = JSON.parse(bytes.toString());
    const name = keyOf(resource, item) ?? "";
    pairs.set(name, { ...pairs.get(name), [side]: item });
  };
  for (let [at, from] = [0, 0]; pairs.size < most; ) {
    const [old, own] = [bytesAt(before, at), bytesAt(after, from)];
    if (old === undefined && own === undefined) break;
    const isSame = old !== undefined && own?.equals(old) === true;
    const order = isSame ? 0 : orderOf(before, at, after, from);
    if (old !== undefined && order <= 0) {
      if (!isSame) note(old, "old");
      at++;
    }
    if (own !== undefined && order >= 0) {
      if (!isSame) note(own, "own");
      from++;
    }
  }
  const changes = [...pairs].map(([key, { old, own }]): ItemChange => {
    const kind = old === undefined ? "added" : own === undefined ? "removed" : "changed";
    const isKey = ({ field }: FieldChange) => kind !== "changed" && keyFields(resource).includes(field);
    return { kind, key, fields: fieldChanges(old ?? {}, own ?? {}).filter((each) => !isKey(each)) };
  });
  return changes
    .filter(({ kind, fields }) => kind !== "changed" || fields.length > 0)
    .sort((a, b) => compare(a.key, b.key));
}

/** The JSON of an item with all fields. Undefined at the end. */
function bytesAt(items: Items | undefined, index: number): Buffer | undefined {
  if (items === undefined || index >= items.count) return undefined;
  const { buffer, byteOffset, length } = wholeItem(items, index);
  return Buffer.from(buffer, byteOffset, length);
}

/** Negative if the item of the first list comes first, or if the second list has ended. */
function orderOf(before: Items | undefined, at: number, after: Items | undefined, from: number): number {
  if (before === undefined || at >= before.count) return 1;
  if (after === undefined || from >= after.count) return -1;
  return compare(keyAt(before.keys, at), keyAt(after.keys, from));
}
