// What changed in the items of a build: fields with their old and new values. The old values are in the dump of the build
// before it. A line of the dump counts only if it has the digest of the item in the state of that build.

import type { CollectionChanges, DeclaredChanges, FieldChanges } from "../../src/answers/answers.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import { type Items, itemAt, type Settings } from "../content/catalog.ts";
import { encode } from "../files/file.ts";
import { fieldChanges } from "../values/field-changes.ts";
import { parseBytes } from "../values/json.ts";
import { digestLength, digestsIn } from "./digests.ts";

/** An item that changed, with its indices in both builds. */
export interface EditedItem {
  readonly key: string;
  readonly before: number;
  readonly after: number;
}

/** By the name of the list. */
export type EditedItems = ReadonlyMap<string, readonly EditedItem[]>;

export type ItemFields = NonNullable<CollectionChanges["fields"]>;

/** Whether the list of changes may have the values of a field of an item. `path` may be that of a field within it. */
export type IsTold = (list: string, key: string, path: string) => boolean;

/** The limit of items of a collection in a change. */
export const maxItems = 100;

/** The limit of a value as JSON, and of the path of a field. */
const maxCharacters = 200;

/** The lines of a dump with these indices. */
function linesAt(dump: Buffer, indices: Iterable<number>): ReadonlyMap<number, Buffer> {
  const wanted = new Set(indices);
  const lines = new Map<number, Buffer>();
  let start = 0;
  for (let index = 0; lines.size < wanted.size && start < dump.length; index++) {
    const newline = dump.indexOf(newlineByte, start);
    const end = newline === -1 ? dump.length : newline;
    if (wanted.has(index)) lines.set(index, dump.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

const newlineByte = 10;

/** `dump` is that of the build before, whose items have the digests `digests`; `items` are those of this build. */
export function fieldsIn(
  edited: readonly EditedItem[],
  dump: Buffer,
  digests: Buffer,
  items: Items,
  isTold: (key: string, path: string) => boolean,
): ItemFields {
  const lines = linesAt(
    dump,
    edited.map(({ before }) => before),
  );
  const fields = new Map<string, FieldChanges>();
  for (const { key, before, after } of edited) {
    const line = lines.get(before);
    const item = line && parseBytes(line);
    const start = digestLength * before;
    if (item === undefined || !digestOf(item).equals(digests.subarray(start, start + digestLength))) continue;
    const changes = changesBetween(Object(item), itemAt(items, after), (path) => isTold(key, path));
    if (Object.keys(changes).length > 0) fields.set(key, changes);
  }
  return Object.fromEntries(fields);
}

/**
 * The digest of an item is that of its JSON and the comma behind it. The line of a dump may have escapes that the JSON lacks;
 * see `linesOf`.
 */
function digestOf(item: unknown): Buffer {
  const json = encode(`${JSON.stringify(item)},`);
  return digestsIn(json, [0, json.length]);
}

function changesBetween(before: Item, after: Item, isTold: (path: string) => boolean): FieldChanges {
  const toldIn = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([name]) => isTold(name)));
  const changes = fieldChanges(toldIn(before), toldIn(after), "", "whole");
  return Object.fromEntries(
    changes
      .filter(({ field }) => field.length <= maxCharacters)
      .map(({ field, before = null, after = null }) => [
        field,
        isShort(before) && isShort(after) ? [before, after] : [],
      ]),
  );
}

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= maxCharacters;

/** The entry without the values that it may not have (any more). */
export function withoutUntold(list: string, changes: CollectionChanges, isTold: IsTold): CollectionChanges {
  const { fields, ...others } = changes;
  if (fields === undefined) return changes;
  const told = new Map<string, FieldChanges>();
  for (const [key, ofItem] of Object.entries(fields)) {
    const kept = Object.entries(ofItem).filter(([path]) => isTold(list, key, path));
    if (kept.length > 0) told.set(key, Object.fromEntries(kept));
  }
  return told.size === 0 ? others : { ...others, fields: Object.fromEntries(told) };
}

/** Whose values are told: `ofEarlier` those of the entries of earlier builds, `ofToday` those of the entry of this build. */
export interface Telling {
  /** Whether the entry of this build may have values of a list. */
  readonly isToldOf: (list: string) => boolean;
  readonly ofEarlier: IsTold;
  readonly ofToday: IsTold;
}

/**
 * `forgotten` are items as in `nodes/nod_x`. What the declaration does not have any more is not told, and what it changed is
 * not told for each item: `declared` is what it changed.
 */
export function tellingOf(
  { changesFields }: Pick<Settings, "changesFields">,
  forgotten: readonly string[],
  declared: DeclaredChanges,
): Telling {
  const chosen: IsTold = (list, key, path) => {
    if (changesFields === false || forgotten.includes(`${list}/${key}`)) return false;
    const fields = ownField(changesFields, list);
    return fields === undefined || (fields !== false && fields.some((field) => isWithin(path, field)));
  };
  const isToldOf = (list: string) => changesFields !== false && ownField(changesFields, list) !== false;
  const isRemoved = touchedBy(declared.removed);
  const isAdded = touchedBy(declared.added);
  const ofEarlier: IsTold = (list, key, path) => chosen(list, key, path) && !isRemoved(list, path);
  const ofToday: IsTold = (list, key, path) => ofEarlier(list, key, path) && !isAdded(list, path);
  return { isToldOf, ofEarlier, ofToday };
}

/** Whether a name of a declaration is that of a list, or of a part of the field of its items at a path. */
function touchedBy(names: readonly string[]): (list: string, path: string) => boolean {
  const all = new Set(names.map((name) => /^[^.]+\.fields\.[^.[]+/.exec(name)?.[0] ?? name));
  return (list, path) => all.has(list) || all.has(`${list}.fields.${/^[^.[]*/.exec(path)?.[0]}`);
}

const isWithin = (path: string, field: string): boolean =>
  path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
