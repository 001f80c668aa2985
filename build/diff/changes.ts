// The differences of two values field by field, and of two lists of items by their keys.
import { type Item, type Key, keyFields, keyOf } from "../../src/resource.ts";
import { type Items, wholeItem } from "../content/catalog.ts";
import { compare } from "../content/order.ts";

/** `before` is absent if the field was added, `after` if it was removed. */
export interface FieldChange {
  /** `status`, `fields[title].type`; `fields[title]` for an added or removed element, `sizes[]` if it has no name. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** In the order of the fields. An undefined value counts as absent. */
export function fieldChanges(before: unknown, after: unknown, field = ""): readonly FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return elementChanges(before, after, field);
  if (!isObject(before) || !isObject(after)) return [changeOf(field, before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    fieldChanges(before[name], after[name], field === "" ? name : `${field}.${name}`),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const changeOf = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

type List = readonly unknown[];

/** Matches elements by their names. Lists whose elements have no names that are unique change as a whole. */
function elementChanges(before: List, after: List, field: string): readonly FieldChange[] {
  const nameOf = namesIn([...before, ...after]);
  const byName = (list: List) => new Map(list.map((each) => [nameOf?.(each), each]));
  const [olds, news] = [byName(before), byName(after)];
  if (nameOf === undefined || olds.size < before.length || news.size < after.length)
    return [changeOf(field, before, after)];
  const changes = [...new Set([...olds.keys(), ...news.keys()])].flatMap((name) => {
    const [old, own] = [olds.get(name), news.get(name)];
    return fieldChanges(old, own, isObject(old ?? own) ? `${field}[${name}]` : `${field}[]`);
  });
  const [common, again] = [
    [...olds.keys()].filter((key) => news.has(key)),
    [...news.keys()].filter((key) => olds.has(key)),
  ];
  const isMoved = common.some((name, index) => name !== again[index]);
  return isMoved ? [...changes, changeOf(`${field} in order`, common, again)] : changes;
}

/** An object is named by its first field that is a text in all of them, another value by its JSON. */
function namesIn(all: List): ((value: unknown) => string) | undefined {
  if (all.every((each) => typeof each !== "object")) return (value) => JSON.stringify(value);
  const objects = all.filter(isObject);
  const field = Object.keys(objects[0] ?? {}).find((name) => objects.every((each) => typeof each[name] === "string"));
  if (field === undefined || objects.length < all.length) return undefined;
  return (value) => String(isObject(value) && value[field]);
}

export interface ItemChange {
  readonly kind: "added" | "removed" | "changed";
  /** The parts of a composite key are joined by slashes. */
  readonly key: string;
  /** For an item that was added or removed, all fields except the key. */
  readonly fields: readonly FieldChange[];
}

/** The items as lines of JSON with all fields, as a dump has them. */
export const linesOf = (items: Items | undefined): readonly string[] =>
  items === undefined ? [] : Array.from({ length: items.count }, (_, index) => decoder.decode(wholeItem(items, index)));

const decoder = new TextDecoder();

/** In the order of the keys. Only lines that differ are parsed. */
export function itemChanges(before: readonly string[], after: readonly string[], resource: Key): readonly ItemChange[] {
  const byKey = (lines: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    const items = lines.filter((line) => !known.has(line)).map((line): Item => JSON.parse(line));
    return new Map(items.map((item) => [keyOf(resource, item) ?? "", item]));
  };
  const [olds, news] = [byKey(before, after), byKey(after, before)];
  const changes = [...new Set([...olds.keys(), ...news.keys()])].map((key): ItemChange => {
    const [old, own] = [olds.get(key), news.get(key)];
    const fields = fieldChanges(old ?? {}, own ?? {});
    if (old !== undefined && own !== undefined) return { kind: "changed", key, fields };
    const others = fields.filter(({ field }) => !keyFields(resource).includes(field));
    return { kind: old === undefined ? "added" : "removed", key, fields: others };
  });
  return changes
    .filter(({ kind, fields }) => kind !== "changed" || fields.length > 0)
    .sort((a, b) => compare(a.key, b.key));
}
