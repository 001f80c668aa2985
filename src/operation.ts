// An operation of an API, as `completeApi` makes it from a declaration.
import type { RawContext, RawItem } from "./raw.ts";
import type { DocumentResource, Item, Resource } from "./resource.ts";

export interface Filter {
  /** The query parameter. */
  readonly param: string;
  /** The field that is compared with the parameter. */
  readonly field: string;
  /**
   * What is compared: the value of the field, each element of its list, each name in its record, or the slug of its
   * value. An item may have several values of a filter, or none.
   */
  readonly by: "value" | "elements" | "names" | "slug";
  readonly accepts: Accepted;
}

/** The values that a filter accepts. */
export type Accepted =
  /** The keys of the items of an operation. */
  | { readonly kind: "keys"; readonly of: string }
  /** Those of an enum, a literal or a boolean. */
  | { readonly kind: "listed"; readonly values: readonly string[] }
  /** The words that api.yaml lists; while it lists none, those that occur. */
  | { readonly kind: "words"; readonly vocabulary: string }
  /** Those that occur in the items. Texts are in order of code units, integers in order of their values. */
  | { readonly kind: "occurring"; readonly type: "text" | "integer" };

/** A field by which lists are ordered. */
export interface OrderField {
  readonly field: string;
  readonly type: "text" | "number" | "boolean";
  readonly descending: boolean;
}

/** Single items at BASE/NAME/KEY. */
export interface ItemAccess {
  /** The field with other names of an item, at each of which it is as well: a text, an integer, or a list of them. */
  readonly aliases: string | undefined;
}

/** An operation that lists the items of a resource. */
export interface ListOperation {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource;
  /** The items are in order of the first field, then of the second and so on. The last ones are the key's. */
  readonly order: readonly OrderField[];
  /** In the order in which they are checked and occur in a path. */
  readonly filters: readonly Filter[];
  /** The parameters of filters that may be sent with one another. */
  readonly together: readonly (readonly string[])[];
  /** Whether it has the parameters `limit` and `cursor`, and its answers have `pagination`. */
  readonly paged: boolean;
  /** Undefined if items can only be listed. */
  readonly item: ItemAccess | undefined;
  /** The fields that lists have, in the order of the schema. Undefined: all fields, as single items and dumps have. */
  readonly brief: readonly string[] | undefined;
  /** The schema of the items in lists. */
  readonly listed: Resource["schema"];
  /** Globs of its files, with `{field}` for a part that gives a field. Undefined: `NAME.*` and `NAME/**`. */
  readonly files?: readonly string[] | undefined;
  /** Returns the JSON of each item, in place of files. */
  readonly load?: (() => Promise<readonly string[]>) | undefined;
  /** Returns the JSON of the item that a raw item is; undefined if it is none. */
  readonly transform?: ((raw: RawItem, context: Omit<RawContext, "date">) => string | undefined) | undefined;
  /** Returns the JSON of the items that are made from each item of another operation, in place of files. */
  readonly from?: { readonly operation: string; readonly each: (item: Item) => readonly string[] } | undefined;
  readonly cacheControl: string;
}

/** Whether the files of an operation hold its items as they are answered. */
export const isWritten = ({ load, from, transform }: ListOperation): boolean =>
  (load ?? from ?? transform) === undefined;

/** An operation that returns one document. Its content is in each deployment's file, under the operation's name. */
export interface DocumentOperation {
  readonly kind: "document";
  readonly name: string;
  readonly purpose: string;
  readonly resource: DocumentResource;
  /** Whether every deployment has it. If not, only the deployments with content for it do. */
  readonly required?: boolean;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** The filters of an operation, in the order in which they are checked and occur in a path. */
export const filtersOf = (operation: Operation): readonly Filter[] =>
  operation.kind === "list" ? operation.filters : [];

/** The filters that a request may send, alone and together, each set once and in the order of the filters. */
export function combinationsOf({ filters, together }: ListOperation): readonly (readonly Filter[])[] {
  const sets = [...filters.map(({ param }) => [param]), ...together.flatMap(pairsIn), ...together];
  const chosen = sets.map((params) => filters.filter(({ param }) => params.includes(param)));
  return [...new Map(chosen.map((set) => [JSON.stringify(set.map(({ param }) => param)), set])).values()];
}

/** The pairs of three parameters. */
const pairsIn = (params: readonly string[]): readonly (readonly string[])[] =>
  params.length < 3 ? [] : params.map((each) => params.filter((other) => other !== each));

/**
 * The order key of an item: a part for each field of the order, joined by spaces. Order keys compare by code unit, across
 * builds as well, as the values do one after the other: numbers by value, false before true, null and missing ones last.
 */
export const orderKey = (operation: Pick<ListOperation, "order">, item: Item): string =>
  operation.order.map(({ field, descending }) => orderPart(item[field], descending)).join(" ");

export function orderPart(value: unknown, descending: boolean): string {
  if (value === null || value === undefined) return last;
  if (typeof value === "number") return sortableNumber(descending ? 0 - value : value + 0);
  if (typeof value === "boolean") return value === descending ? "0" : "1";
  const text = String(value).replace(/[\0-!\uffff]/g, marked);
  return descending ? complement(`${text} `) : text;
}

/** After every text: in texts, something else follows the first of these characters. */
const last = "\uffff\uffff";

/**
 * Characters that do not sort after the space between parts, or that mark such a character, are written as `!` and a
 * letter or sign in the same order.
 */
const marked = (character: string): string =>
  character === "\uffff" ? `${character}!` : `!${String.fromCharCode(character.charCodeAt(0) + 0x21)}`;

const bits = new DataView(new ArrayBuffer(8));

/** The bits of a double, of a negative number inverted, in 16 hexadecimal digits, which have the order of the numbers. */
function sortableNumber(value: number): string {
  bits.setFloat64(0, value);
  const [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  const mask = high >>> 31 === 1 ? 0xffffffff : 0;
  return hexadecimal((high ^ (mask | 0x80000000)) >>> 0, 8) + hexadecimal((low ^ mask) >>> 0, 8);
}

/** Four digits for each code unit, in the opposite order. */
const complement = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hexadecimal(0xffff - text.charCodeAt(index), 4)).join("");

const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** The name of an order in a declaration: the field, behind a hyphen if it descends. */
export const orderName = ({ field, descending }: OrderField): string => `${descending ? "-" : ""}${field}`;

/** The text of a field's value: its own, or its JSON if it is a list or an object. Undefined for null. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The values of a filter in an item, each once. `text` is that of the field, empty for null. */
export function valuesIn({ by }: Pick<Filter, "by">, text: string): readonly string[] {
  if (text === "") return [];
  switch (by) {
    case "value":
      return [text];
    case "slug":
      return [slugOf(text)].filter((slug) => slug !== "");
    case "elements":
      return [...new Set(Object.values(JSON.parse(text)).flatMap((value) => textOf(value) ?? []))];
    case "names":
      return Object.keys(JSON.parse(text));
  }
}

/** A text as a part of paths: lowercase letters and digits of ASCII, and hyphens between them. Empty if there are none. */
export const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]/g, (character) => letters[character] ?? "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");

/** Letters that are not a letter of ASCII with a mark. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "n" },
  // Those within words separate nothing.
  ...{ "'": "", "’": "" },
};
