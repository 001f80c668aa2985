// An operation of an API, as `completeApi` makes it from a declaration.
import type { Deprecable } from "./deprecation.ts";
import type { Filter } from "./filter.ts";
import type { OrderField } from "./order.ts";
import type { RawContext, RawItem } from "./raw.ts";
import type { DocumentResource, Item, Resource } from "./resource.ts";

/** Single items at BASE/NAME/KEY, and at the values of the field `aliases`. */
export interface ItemAccess {
  readonly aliases: string | undefined;
}

/** An operation that lists the items of a resource. */
export interface ListOperation extends Deprecable {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource;
  /** Items are in order of the first field, then of the second and so on. The last fields belong to the key. */
  readonly order: readonly OrderField[];
  /** In the order in which they are checked and occur in a path. */
  readonly filters: readonly Filter[];
  /** The parameters of filters that may be sent together. */
  readonly together: readonly (readonly string[])[];
  /** Whether lists have the parameters `limit` and `cursor`, and their answers `pagination`. */
  readonly paged: boolean;
  /** Undefined if items can only be listed. */
  readonly item: ItemAccess | undefined;
  /** The fields that lists have, in the order of the schema. Undefined: all fields, as single items and dumps have. */
  readonly brief: readonly string[] | undefined;
  /** The schema of the items in lists. */
  readonly listed: Resource["schema"];
  /** Globs of files, with `{field}` for a part that supplies a field. Undefined: `NAME.*` and `NAME/**`. */
  readonly files?: readonly string[] | undefined;
  /** Returns the raw items, in place of files. */
  readonly load?: (() => Promise<readonly unknown[]>) | undefined;
  /** Returns the item of a raw item; undefined if the raw item is left out. */
  readonly transform?: ((raw: RawItem, context: Omit<RawContext, "date">) => unknown) | undefined;
  /** `each` returns the items that are made from an item of another operation, in place of files. */
  readonly from?: { readonly operation: string; readonly each: (item: Item) => readonly unknown[] } | undefined;
  readonly cacheControl: string;
  /** Where the declaration has an option, if that is known, for reports of what follows from it. */
  readonly placeOf?: (option: string) => DeclaredPlace | undefined;
}

/** A place in a file, from 1, in UTF-16 code units. The file is relative to the folder of the declaration. */
export interface DeclaredPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Whether the files of an operation hold its items in the form of the answers. */
export const isWritten = ({ load, from, transform }: ListOperation): boolean =>
  (load ?? from ?? transform) === undefined;

/** An operation that returns one document. Its content is in each deployment's file, under the operation's name. */
export interface DocumentOperation extends Deprecable {
  readonly kind: "document";
  readonly name: string;
  readonly purpose: string;
  readonly resource: DocumentResource;
  /** Whether every deployment has the document. If not, only deployments with content for it have it. */
  readonly required?: boolean;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** The filters of an operation, in the order in which they are checked and occur in a path. */
export const filtersOf = (operation: Operation): readonly Filter[] =>
  operation.kind === "list" ? operation.filters : [];
