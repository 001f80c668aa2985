import type { FileFacts } from "../../src/declare/assets.ts";
import type { Api } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Filter } from "../../src/model/filter.ts";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import {
  everyPageSize,
  type Fnv,
  fnvAdd,
  fnvAddBytes,
  type PageSizes,
  type PagingKind,
} from "../../src/model/paging.ts";
import type { Place } from "../../src/model/place.ts";
import type { Spot } from "../messages.ts";
import type { StoredFile } from "./formats/source.ts";
import type { SettingsContent } from "./settings/settings-form.ts";

/** All content: valid, linked and sorted. */
export interface Catalog {
  readonly api: Api;
  /** By the name of the list operation. */
  readonly items: ReadonlyMap<string, Items>;
  /** The files beside the data that the items name, by the name of the list operation and by path below content/; undefined if
   * they are not read. */
  readonly assets?: ReadonlyMap<string, ReadonlyMap<string, Asset>> | undefined;
  /** Where the items of a list operation name an SVG, by the name of the operation; undefined if the files are not read. */
  readonly svgs?: ReadonlyMap<string, readonly NamedAsset[]> | undefined;
  /** By name. */
  readonly deployments: ReadonlyMap<string, Deployment>;
  readonly settings: Settings;
  /** Undefined: the build has no other API. */
  readonly placement?: Placement | undefined;
}

/** The place of an API among those of a build. */
export interface Placement {
  /** Whether it has what is outside of all bases: the front page, the 404 page and `llms.txt`. */
  readonly isFirst: boolean;
  /** In the order of the declaration. */
  readonly others: readonly OtherApi[];
}

/** An API as the documents of the others name it. */
export interface OtherApi {
  readonly base: string;
  /** Undefined: it has none. */
  readonly title: string | undefined;
}

/** Whether the API has what is outside of all bases. */
export const isFirst = ({ placement }: Pick<Catalog, "placement">): boolean => placement?.isFirst !== false;

/** The bases of the other APIs, which the first one names where there is nothing. */
export const basesBeside = ({ placement }: Pick<Catalog, "placement">): readonly string[] =>
  placement?.isFirst === true ? placement.others.map(({ base }) => base) : [];

/** A file beside the data. */
export interface Asset extends StoredFile {
  /** Below content/, with slashes. */
  readonly file: string;
  /** The path of the published file, below the folder of files. */
  readonly path: string;
  readonly facts: FileFacts;
  /** The SHA-256 of the bytes, in hexadecimal. Reads the file when it is first called. */
  readonly digest: () => string;
  /** What a browser that opens the file might run, as a clause about it. Undefined: nothing. Reads an SVG when first called. */
  readonly harm: () => string | undefined;
  /** Whether it is a photo that contains the position at which it was taken. */
  readonly hasPosition: boolean;
}

/** A file beside the data, and where an item names it. */
export interface NamedAsset {
  readonly asset: Asset;
  readonly at: Spot;
  /** Whether the item is made from another one, which may name the file too. */
  readonly isMade: boolean;
}

/** Items as JSON. */
export interface ItemsJson {
  /** The JSON of all items, each followed by a comma. */
  readonly bytes: Uint8Array;
  /** The start of each item, and the end of the last one. */
  readonly offsets: Uint32Array;
}

/** The JSON of an item, without the comma that follows it. */
export const jsonAt = ({ bytes, offsets }: ItemsJson, index: number): Uint8Array =>
  bytes.subarray(offsets[index], (offsets[index + 1] ?? 0) - 1);

/** The items of an operation, in its order, as its lists return them. */
export interface Items extends ItemsJson {
  readonly count: number;
  /** The items with all fields. Undefined if lists have all fields as well. */
  readonly whole?: ItemsJson | undefined;
  readonly keys: OrderKeys;
  /** The keys of the items (see `keyOf`) if others refer to them, or each has a file; otherwise empty. */
  readonly names: readonly string[];
  /** By the parameter of a filter. */
  readonly filters: ReadonlyMap<string, Values>;
  /** The further orders of the items, by name. */
  readonly orders: ReadonlyMap<string, ItemOrder>;
  /** The aliases of the items, if the operation has aliases. */
  readonly aliases?: Values | undefined;
}

/** An order of items that a request may ask for. */
export interface ItemOrder {
  /** The indices of the items in this order. */
  readonly indices: Uint32Array;
  /** The order keys of the items, by index. */
  readonly keys: OrderKeys;
}

/** The values of a filter in each item, or its aliases: several, one or none. */
export interface Values {
  /** The values that occur, each once. */
  readonly known: readonly string[];
  /** The indices in `known` of the values of all items, one item after the other. */
  readonly numbers: Uint32Array;
  /** Where the numbers of each item start in `numbers`, and the end of the last. */
  readonly starts: Uint32Array;
}

/** The values of one item. */
export function valuesAt({ known, numbers, starts }: Values, item: number): readonly string[] {
  const values: string[] = [];
  const end = starts[item + 1] ?? 0;
  for (let at = starts[item] ?? 0; at < end; at++) values.push(known[numbers[at] ?? 0] ?? "");
  return values;
}

/**
 * The order keys of items (see `orderKey` in src/model/order.ts). A code unit of more than seven bits takes
 * three bytes (CESU-8), so that bytes and code units have the same order.
 */
export interface OrderKeys {
  /** The keys in any order. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export function keyAt({ bytes, starts, ends }: OrderKeys, index: number): string {
  const start = starts[index] ?? 0;
  const end = ends[index] ?? 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  return text.replace(/[\xe0-\xef]../gs, (unit) => {
    const first = unit.charCodeAt(0);
    const second = unit.charCodeAt(1);
    const third = unit.charCodeAt(2);
    return String.fromCharCode(((first & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f));
  });
}

/** Adds the order key of an item to a hash. */
export function withKey(hash: Fnv, keys: OrderKeys, index: number): Fnv {
  const start = keys.starts[index] ?? 0;
  const end = keys.ends[index] ?? 0;
  for (let at = start; at < end; at++) {
    if ((keys.bytes[at] ?? 0) > 0x7f) return fnvAdd(hash, keyAt(keys, index));
  }
  return fnvAddBytes(hash, keys.bytes, start, end);
}

const decoder = new TextDecoder();

/** The items with all fields. */
export const wholeOf = (items: Items): Items =>
  items.whole === undefined ? items : { ...items, ...items.whole, whole: undefined };

/** The JSON of an item with all fields, as a single item is answered. */
export const wholeItem = (items: Items, index: number): Uint8Array => jsonAt(items.whole ?? items, index);

/** An item with all fields. */
export const itemAt = (items: Items, index: number): Item => JSON.parse(decoder.decode(wholeItem(items, index)));

/** Items with all fields. Parses several at a time, which takes a third of the time of parsing each. */
export function* eachItem(items: Items): Generator<Item> {
  const { bytes, offsets, count } = wholeOf(items);
  for (let index = 0; index < count; index += together) {
    const end = Math.min(index + together, count);
    yield* JSON.parse(`[${decoder.decode(bytes.subarray(offsets[index], (offsets[end] ?? 0) - 1))}]`);
  }
}

const together = 100;

export const allItems = (items: Items | undefined): readonly Item[] =>
  items === undefined ? [] : [...eachItem(items)];

/**
 * The values that a filter accepts: keys in the order of their items, other values of references in the order of texts, words
 * and listed values in the order of their list.
 */
export function filterValues(
  { items, settings }: Pick<Catalog, "items" | "settings">,
  { name }: ListOperation,
  filter: Filter,
): readonly string[] {
  const { param, accepts } = filter;
  const occurring = () => [...(items.get(name)?.filters.get(param)?.known ?? [])];
  switch (accepts.kind) {
    case "keys": {
      const keys = items.get(accepts.of)?.names ?? [];
      return accepts.isOpen ? [...new Set([...keys, ...occurring().sort()])] : keys;
    }
    case "listed":
      return accepts.values;
    case "words":
      return ownField(settings.vocabulary, accepts.vocabulary) ?? occurring().sort();
    case "occurring":
      return accepts.type === "text" ? occurring().sort() : occurring().sort((a, b) => Number(a) - Number(b));
  }
}

/** The page sizes of a list. A list that is not paged has none in the settings. */
export const pageSizesOf = ({ pageSizes }: Settings, operation: string): PageSizes =>
  pageSizes.get(operation) ?? everyPageSize;

/** The paging of a paged operation. */
export const pagingOf = (settings: Pick<Settings, "paging">, operation: string): PagingKind =>
  settings.paging.get(operation) ?? "exact";

/** A deployment of the API: its operations and the content of its documents. */
export interface Deployment {
  readonly name: string;
  /** Names of operations, in the order of the table. */
  readonly operations: readonly string[];
  /** By the name of their operation. */
  readonly documents: ReadonlyMap<string, Item>;
}

/** An image of the publisher. */
export interface Logo {
  readonly file: "logo.svg" | "logo.png";
  readonly bytes: Uint8Array;
}

type Chosen = "title" | "description" | "language" | "license" | "contact" | "accent" | "accent_dark" | "hosts" | "url";

/** The choices of api.yaml, with defaults. Some are as written. */
export interface Settings extends Readonly<Pick<SettingsContent, Chosen>> {
  /** The path under which a host that only serves files has the publish root, such as `/my-api`; empty for its root. */
  readonly mount: string;
  /** The text before the operations of the reference, in Markdown. */
  readonly introduction: string | undefined;
  /** The text before the builds on the page about changes, in Markdown. */
  readonly changesText: string | undefined;
  readonly logo: Logo | undefined;
  readonly vocabulary: Readonly<Record<string, readonly string[] | undefined>>;
  readonly defaultDeployment: string;
  /** By the name of a paged operation, as `paging`. */
  readonly pageSizes: ReadonlyMap<string, PageSizes>;
  readonly paging: ReadonlyMap<string, PagingKind>;
  readonly frontPage: boolean;
  /** Seconds for which a cursor is still answered after the first build that no longer returns it. */
  readonly cursorLifetime: number;
  /** Seconds for which the list of changes has a change; 0 if there is no list. */
  readonly changes: number;
  /** The fields of which the list of changes has the values, by the name of a list. Default: all fields. */
  readonly changesFields: NonNullable<SettingsContent["changes_fields"]>;
  /** The place of a setting in api.yaml, or the start of the file. Undefined if it does not exist. */
  readonly placeOf: (setting?: string) => Place | undefined;
}
