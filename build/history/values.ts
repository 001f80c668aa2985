// What changed in the items of a build: fields with their old and new values. The old values are in the dump of the build
// before it. A line of the dump counts only if it has the digest of the item in the state of that build.

import type { Change, CollectionChanges, FieldChanges } from "../../src/answers/answers.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import type { Catalog } from "../content/catalog.ts";
import type { Settings } from "../content/settings/chosen-settings.ts";
import { type Items, itemAt } from "../content/table/items.ts";
import { encode } from "../files/file.ts";
import { type Draft, type Log, noFile } from "../messages.ts";
import { fieldChanges } from "../values/field-changes.ts";
import { parseBytes } from "../values/json.ts";
import type { CollectionStates } from "./build-state.ts";
import { digestLength, digestsIn } from "./digests.ts";
import type { FoundState } from "./previous.ts";

/** An item that changed, with its indices in both builds. */
export interface ChangedItem {
  readonly key: string;
  readonly before: number;
  readonly after: number;
}

/** By the name of the list. */
export type ChangedItems = ReadonlyMap<string, readonly ChangedItem[]>;

export type ItemFields = NonNullable<CollectionChanges["fields"]>;

/** Whether the list of changes may have the values of a field of an item. `path` may be that of a field within it. */
export type MayPublish = (list: string, key: string, path: string) => boolean;

/** The limit of items of a collection in a change. */
export const maxItems = 100;

/** The limit of a value as JSON, and of the path of a field. */
const maxCharacters = 200;

type ChosenFields = Pick<Settings, "changesFields">;

/**
 * `forgotten` are items as in `nodes/nod_x`, and `names` are names of the declaration whose values are not published: of a
 * list, or of a field or one within it, as in `nodes.fields.place.city`. Of a field within another one, all values of that
 * one are left out.
 */
export const mayPublishOf =
  (settings: ChosenFields, forgotten: readonly string[] = [], names: readonly string[]): MayPublish =>
  (list, key, path) => {
    if (forgotten.includes(`${list}/${key}`)) return false;
    const field = `${list}.fields.${/^[^.[]*/.exec(path)?.[0]}`;
    if (names.some((name) => name === list || isWithin(name, field))) return false;
    const chosen = fieldsOfList(settings, list);
    return chosen === undefined || (chosen !== false && chosen.some((one) => isWithin(path, one)));
  };

/** The fields of a list whose values are published: false for none, and undefined for all. */
const fieldsOfList = ({ changesFields }: ChosenFields, list: string): readonly string[] | false | undefined =>
  changesFields === false ? false : ownField(changesFields, list);

const isWithin = (path: string, field: string): boolean =>
  path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));

/** The entry with those of its values that may be published. */
export function withPublishable(change: Change, mayPublish: MayPublish): Change {
  const collections = Object.entries(change.collections).map(([list, changes]) => [
    list,
    changes && publishableIn(changes, (key, path) => mayPublish(list, key, path)),
  ]);
  return { ...change, collections: Object.fromEntries(collections) };
}

function publishableIn(
  { fields = {}, ...others }: CollectionChanges,
  mayPublish: (key: string, path: string) => boolean,
): CollectionChanges {
  const items = Object.entries(fields)
    .map(([key, changes]) => [key, Object.entries(changes).filter(([path]) => mayPublish(key, path))] as const)
    .filter(([, changes]) => changes.length > 0)
    .map(([key, changes]) => [key, Object.fromEntries(changes)]);
  return items.length === 0 ? others : { ...others, fields: Object.fromEntries(items) };
}

/** The changed items, in both builds. */
interface ChangeSources {
  readonly edited: ChangedItems;
  readonly before: CollectionStates;
  readonly after: Catalog["items"];
}

/** The values of edited items, by list. Items without old values in the dumps are left out. */
export async function changedValues(
  { edited, before, after }: ChangeSources,
  { readDumps }: FoundState,
  settings: ChosenFields,
  mayPublish: MayPublish,
  log: Log,
): Promise<ReadonlyMap<string, ItemFields>> {
  const values = new Map<string, ItemFields>();
  const lists = [...edited.keys()].filter((list) => fieldsOfList(settings, list) !== false);
  if (lists.length === 0) return values;
  for await (const { list, bytes, lost } of readDumps(lists)) {
    if (lost !== undefined) log.report(unreadDump(list, lost));
    const digests = before.get(list)?.digests?.bytes;
    const items = after.get(list);
    if (bytes === undefined || digests === undefined || items === undefined) continue;
    const mayPublishIn = (key: string, path: string) => mayPublish(list, key, path);
    values.set(list, fieldsIn(edited.get(list) ?? [], bytes, digests, items, mayPublishIn));
  }
  return values;
}

const unreadDump = (list: string, reason: string): Draft => ({
  code: "previous-unread",
  at: noFile,
  text: `Could not read the dump of ${list} of the previous build (${reason}), so the list of changes does not say what changed in its items.`,
  hint: `To leave this out, set changes_fields to { ${list}: false } in api.yaml.`,
});

/** `dump` is that of the build before, whose items have the digests `digests`; `items` are those of this build. */
function fieldsIn(
  edited: readonly ChangedItem[],
  dump: Buffer,
  digests: Buffer,
  items: Items,
  mayPublish: (key: string, path: string) => boolean,
): ItemFields {
  const lines = linesAt(dump, new Set(edited.map(({ before }) => before)));
  const fields = new Map<string, FieldChanges>();
  for (const { key, before, after } of edited) {
    const line = lines.get(before);
    const item = line && parseBytes(line);
    const start = digestLength * before;
    if (item === undefined || !digestOf(item).equals(digests.subarray(start, start + digestLength))) continue;
    const all = Object.entries(changesBetween(Object(item), itemAt(items, after)));
    const changes = all.filter(([path]) => mayPublish(key, path));
    if (changes.length > 0) fields.set(key, Object.fromEntries(changes));
  }
  return Object.fromEntries(fields);
}

/** The lines of a dump with these indices. */
function linesAt(dump: Buffer, indices: ReadonlySet<number>): ReadonlyMap<number, Buffer> {
  const lines = new Map<number, Buffer>();
  let start = 0;
  for (let index = 0; lines.size < indices.size && start < dump.length; index++) {
    const newline = dump.indexOf(newlineByte, start);
    const end = newline === -1 ? dump.length : newline;
    if (indices.has(index)) lines.set(index, dump.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

const newlineByte = 10;

/**
 * The digest of an item covers its JSON and the comma behind it. The line of a dump may have escapes that the JSON lacks:
 * see `jsonLines` in pages/items.ts.
 */
function digestOf(item: unknown): Buffer {
  const json = encode(`${JSON.stringify(item)},`);
  return digestsIn(json, [0, json.length]);
}

const changesBetween = (before: Item, after: Item): FieldChanges =>
  Object.fromEntries(
    fieldChanges(before, after, "", "whole")
      .filter(({ field }) => field.length <= maxCharacters)
      .map(({ field, before = null, after = null }) => [
        field,
        isShort(before) && isShort(after) ? [before, after] : [],
      ]),
  );

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= maxCharacters;
