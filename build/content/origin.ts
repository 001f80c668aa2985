// Where an item is from: enough to point at each of its values in a report, whatever made the item.
import { fieldOf } from "../../src/model/fields.ts";
import { keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Part, Path, Spot } from "../messages.ts";
import type { ContentSource } from "./source.ts";
import { numberList } from "./store.ts";

export interface Origin {
  readonly operation: ListOperation;
  readonly source: ContentSource;
  /** The place of the item in its source, or of what it is made from. */
  readonly path: Path;
  /** What a transform made the item from. Its fields that are still the same are written in the source. */
  readonly raw?: unknown;
  /** Whether nothing of the item is written in the source. */
  readonly isMade?: boolean;
}

/** The place of a value of an item. */
export function spotOf(
  { operation, source, raw, isMade, ...origin }: Origin,
  item: unknown,
  path: Path,
  part?: Part,
): Spot {
  // Neither the lines that `load` would be nor another item show which item it is.
  const key = operation.source.kind === "files" ? undefined : keyOf(operation, item);
  const name = key && `${operation.noun} ${JSON.stringify(key)}`;
  const [field] = path;
  const isWritten = isMade !== true && (raw === undefined || field === undefined || isKept(raw, item, field));
  const at = { source, name, ...(part !== undefined && { part }) };
  return isWritten ? { ...at, path: [...origin.path, ...path] } : { ...at, path: origin.path, made: true };
}

/** Whether a transform left a field as it was. */
const isKept = (raw: unknown, item: unknown, field: string | number): boolean =>
  Object.hasOwn(Object(raw), field) && JSON.stringify(fieldOf(raw, field)) === JSON.stringify(fieldOf(item, field));

/**
 * The origins of a collection's items, by their indices, in four bytes each. `parentOf` returns the origin of the item
 * from which one is made.
 */
export function originList(operation: ListOperation, parentOf: (index: number) => Origin) {
  const places = numberList();
  const sources: { readonly first: number; readonly source: ContentSource }[] = [];
  return {
    /** Returns the index of the item. `place` is its index in its source, if it has one, or that of its parent. */
    add({ source }: Origin, place: Path[number] | undefined): number {
      if (sources.at(-1)?.source !== source) sources.push({ first: places.length, source });
      places.push(place === undefined ? 0 : Number(place) + 1);
      return places.length - 1;
    },
    at(index: number): Origin {
      const place = places.done()[index] ?? 0;
      const inSource = place === 0 ? [] : [place - 1];
      if (operation.source.kind === "from") return madeOrigin(operation, parentOf(inSource[0] ?? 0), undefined);
      const { source } = sources.findLast(({ first }) => first <= index) ?? {};
      if (source === undefined) throw new Error(`There is no item ${index}.`);
      return { operation, source, path: inSource };
    },
  };
}

/** The origin of an item that is made from another one: the key of the other one. */
export function madeOrigin(operation: ListOperation, parent: Origin, item: unknown): Origin {
  const at = spotOf(parent, item, [parent.operation.key]);
  return { operation, source: parent.source, path: "path" in at ? at.path : [], isMade: true };
}
