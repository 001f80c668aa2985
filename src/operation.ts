// An operation of an API, as `completeApi` makes it from a declaration.
import type { RawContext, RawItem } from "./raw.ts";
import type { DocumentResource, Item, Resource } from "./resource.ts";

export interface Filter {
  /** The query parameter. */
  readonly param: string;
  /** The field that is compared with the parameter. */
  readonly field: string;
  readonly accepts: Accepted;
}

/** The values that a filter accepts. */
export type Accepted =
  /** The keys of the items of an operation. */
  | { readonly kind: "keys"; readonly of: string }
  /** Those of an enum, a literal or a boolean. */
  | { readonly kind: "listed"; readonly values: readonly string[] }
  /** The words that api.yaml lists; while it lists none, those that occur. */
  | { readonly kind: "words"; readonly vocabulary: string };

/** An operation that lists the items of a resource. */
export interface ListOperation {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource;
  /** Fields with string values. The items ascend by the first, then the second and so on, in order of code units. */
  readonly order: readonly string[];
  /** In the order in which they are checked and occur in a path. */
  readonly filters: readonly Filter[];
  /** The parameters of filters that may be sent with one another. */
  readonly together: readonly (readonly string[])[];
  /** Whether it has the parameters `limit` and `cursor`, and its answers have `pagination`. */
  readonly paged: boolean;
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
 * The order key of an item: the values of the order's fields, joined by spaces. Order keys compare by code unit, across
 * builds as well, as the values do one after the other: a character that does not sort after the space, or that marks
 * such a character, is written as `!` and a letter or sign in the same order.
 */
export const orderKey = (operation: ListOperation, item: Item): string =>
  operation.order.map((field) => String(item[field]).replace(/[\0-!]/g, marked)).join(" ");

const marked = (character: string): string => `!${String.fromCharCode(character.charCodeAt(0) + 0x21)}`;
