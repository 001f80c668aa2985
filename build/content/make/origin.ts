// Where an item comes from. Reports derive the place of each value from it, also if a function made the item.
import { fieldOf } from "../../../src/model/fields.ts";
import { keyOf } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import type { Part, Path, Spot } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { pathOfItems } from "../formats/members.ts";
import type { ContentSource } from "../formats/source.ts";

export interface Origin {
  readonly operation: ListOperation;
  readonly source: ContentSource;
  /** The place of the item in its source, or of the item from which it is made. */
  readonly path: Path;
  /** The raw item from which a transform made the item. Fields that the transform kept are written in the source. */
  readonly raw?: unknown;
  /** Whether the place is that of several items. */
  readonly isShared?: boolean;
  /** Whether nothing of the item is written in the source. */
  readonly isMade?: boolean;
}

/** The path below which the items of a source are. */
export const prefixOf = ({ dialect }: ContentSource): Path => pathOfItems(dialect.items);

/** The folder below content/ to which paths in an item are relative. */
export const folderOf = ({ operation, source: { file } }: Origin): string =>
  operation.source.kind === "load" ? "" : file.slice(0, file.lastIndexOf("/") + 1);

/** The place of a value of an item. */
export function spotOf(
  { operation, source, raw, isMade, isShared, ...origin }: Origin,
  item: unknown,
  path: Path,
  part?: Part,
): Spot {
  // Reports name an item by its key if its place does not show which item it is.
  const isNamed = isShared === true || operation.source.kind !== "files";
  const key = isNamed ? keyOf(operation, item) : undefined;
  const name = key && `${operation.noun} ${quote(key)}`;
  const [field] = path;
  const isWritten = isMade !== true && (raw === undefined || field === undefined || isKept(raw, item, field));
  const at = { source, name, ...(part !== undefined && { part }) };
  return isWritten ? { ...at, path: [...origin.path, ...path] } : { ...at, path: origin.path, made: true };
}

/** Whether a transform left a field as it was. */
const isKept = (raw: unknown, item: unknown, field: string | number): boolean =>
  Object.hasOwn(Object(raw), field) && JSON.stringify(fieldOf(raw, field)) === JSON.stringify(fieldOf(item, field));

/** The origin of an item that is made from another one: the place of the other one's key. */
export function madeOrigin(operation: ListOperation, parent: Origin, item: unknown): Origin {
  const at = spotOf(parent, item, [parent.operation.key]);
  return { operation, source: parent.source, path: "path" in at ? at.path : [], isMade: true };
}
