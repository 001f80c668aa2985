// An operation of an API, as `completeApi` makes it from a declaration.
import type { RawContext, RawItem } from "./declare.ts";
import type { Deprecable } from "./deprecation.ts";
import type { Filter } from "./filter.ts";
import type { OrderField } from "./order.ts";
import type { DocumentResource, Item, Resource } from "./resource.ts";

/** Single items at BASE/NAME/KEY, and at the values of the field `aliases`. */
export interface ItemAccess {
  readonly aliases: string | undefined;
}

export interface ListOperation extends Deprecable {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource;
  readonly order: readonly OrderField[];
  /** In the order in which they are checked and occur in a path. */
  readonly filters: readonly Filter[];
  readonly together: readonly (readonly string[])[];
  readonly paged: boolean;
  readonly item: ItemAccess | undefined;
  /** The fields that lists have, in the order of the schema. Undefined: all fields, as single items and dumps have. */
  readonly brief: readonly string[] | undefined;
  readonly listed: Resource["schema"];
  /** Globs of files, with `{field}` for a part that supplies a field. Undefined: `NAME.*` and `NAME/**`. */
  readonly files?: readonly string[] | undefined;
  readonly load?: (() => Promise<readonly unknown[]>) | undefined;
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
  readonly required?: boolean;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** The filters of an operation, in the order in which they are checked and occur in a path. */
export const filtersOf = (operation: Operation): readonly Filter[] =>
  operation.kind === "list" ? operation.filters : [];
