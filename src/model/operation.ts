// The operations of an API: each declared collection and document, with its defaults and with everything that is derived
// from its schema. Listings, paths, hosts' configurations and documents derive from them.
import type * as z from "zod";
import type { CollectionDeclaration, DocumentDeclaration, RawContext, RawItem } from "../declare/declare.ts";
import type { Deprecable, Deprecation } from "../declare/deprecation.ts";
import type { AssetOptions, ReferenceOptions, Tones } from "../declare/marks.ts";
import type { Vocabulary } from "../declare/vocabulary.ts";
import type { Aliases } from "./aliases.ts";
import type { Failure } from "./failure.ts";
import type { FileRule } from "./files.ts";
import type { Filter, Scalar } from "./filter.ts";
import type { Item, Key } from "./key.ts";
import type { Order, OrderField } from "./order.ts";
import type { Place } from "./place.ts";

export type Operation = ListOperation | DocumentOperation;

interface Described extends Deprecable {
  readonly name: string;
  readonly purpose: string;
  /** The name of the type in programs, such as EdgeNode. */
  readonly title: string;
  /** Describes one item, or the document, in a sentence for the API's consumers. */
  readonly meaning: string;
  /**
   * By the path of a field, its meaning for consumers, without its form. `fields[].name` is the name of each object in
   * the list `fields`.
   */
  readonly meanings: Readonly<Record<string, string>>;
  readonly deprecatedFields: Readonly<Record<string, Deprecation>>;
  readonly schema: SchemaFor;
  readonly example: Item;
  /** What the files have, for editors. Undefined if only a `transform` knows it. */
  readonly written: WrittenItem | undefined;
  /**
   * The place of an option in the declaration, for messages; undefined if it is unknown. The file is relative to the folder
   * of the declaration.
   */
  readonly placeOf: (option: string) => Place | undefined;
}

/** The form of an item, or of a document's content, in files. */
export interface WrittenItem {
  readonly schema: SchemaFor;
  /** By the path of a field, as in `meanings` of an operation. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly references: readonly Reference[];
  readonly assets: readonly AssetField[];
}

/** The schema with the words of a vocabulary: exactly the declared fields, in their order, which the JSON has too. */
type SchemaFor = (vocabulary: Vocabulary) => z.ZodType<Item>;

/** The options of a declaration that an operation has unchanged, or with their defaults. */
type Kept = "together" | "paged" | "cache" | "defining";

export interface ListOperation extends Described, Key, Required<Pick<CollectionDeclaration, Kept>> {
  readonly kind: "list";
  readonly noun: string;
  readonly nouns: string;
  /** Fields whose value is null or the key of an item of another operation, within lists and objects as well. */
  readonly references: readonly Reference[];
  /** Fields that name files beside the data, within lists and objects as well. */
  readonly assets: readonly AssetField[];
  /** By the path of a field that holds states, the tones of its words. */
  readonly tones: Readonly<Record<string, Tones>>;
  /** All fields of the order, with those of the key. */
  readonly order: readonly OrderField[];
  /** Further orders that a request may ask for. */
  readonly orders: readonly Order[];
  /** In the order in which they are checked and occur in a path. */
  readonly filters: readonly Filter[];
  /** Single items at BASE/NAME/KEY, and at their aliases. */
  readonly item: ItemAccess | undefined;
  /** The fields that lists have, in the order of the schema. Undefined: all fields, as single items and dumps have. */
  readonly brief: readonly string[] | undefined;
  readonly listed: SchemaFor;
  readonly source: ItemSource;
  /** Makes an item from a raw item of a file or of `load`. Returns a Failure if it throws. */
  readonly transform: ((raw: RawItem, context: Omit<RawContext, "date">) => unknown) | undefined;
}

/** The values that the functions of filters derive from an item, by parameter. */
export type DerivedValues = ReadonlyMap<string, readonly string[]>;

/** Where the items of a collection come from. */
export type ItemSource =
  /** Undefined: `NAME.*` and `NAME/**`. */
  | { readonly kind: "files"; readonly rules: readonly FileRule[] | undefined }
  /** Collections with the same declared function are loaded once. */
  | {
      readonly kind: "load";
      readonly declared: () => unknown;
      readonly load: () => Promise<readonly unknown[] | Failure>;
    }
  | { readonly kind: "from"; readonly collections: readonly string[]; readonly make: MakeFrom | Groups };

/** Returns the items that are made from an item of one of the collections. */
export type MakeFrom = (item: Item, collection: string) => readonly unknown[] | Failure;

/** Items that are made from the items of one collection that share a value. */
export interface Groups {
  /** Returns the values of an item, each once. */
  readonly by: (item: Item) => readonly Scalar[] | Failure;
  /** Returns the item of the items with a value, in the order of their collection; undefined leaves it out. */
  readonly make: (value: Scalar, items: readonly Item[]) => unknown;
}

export interface ItemAccess {
  readonly aliases: Aliases | undefined;
}

export interface AssetField extends AssetOptions {
  /** The path of the field: `photo`, or `manuals[].file`. */
  readonly field: string;
  /** The parts of the path. */
  readonly steps: readonly string[];
  /** Whether the file is a picture. */
  readonly isImage: boolean;
  /** `max` in bytes; infinite if there is none. */
  readonly maxBytes: number;
}

export interface Reference extends ReferenceOptions {
  /** The path of the field: `parts[].maker`, or `sizes{}` for the keys of the record `sizes`. */
  readonly field: string;
  /** The parts of the path: `.parts`, `[]` and `.maker`, or `.sizes` and `{}`. */
  readonly steps: readonly string[];
  readonly to: string;
}

/** Returns one document. A deployment's file has its content, without the fields that `documentOf` adds: literals. */
export interface DocumentOperation extends Described, Required<Pick<DocumentDeclaration, "required" | "cache">> {
  readonly kind: "document";
  readonly content: SchemaFor;
  /** Makes the content from what a deployment's file has. Returns a Failure if it throws. */
  readonly transform: ((raw: RawItem) => unknown) | undefined;
  documentOf(content: Item): Item;
}

/** Whether each file of an operation is an item or a list of items in a known form. */
export const isWritten = (operation: ListOperation): operation is ListOperation & { readonly written: WrittenItem } =>
  operation.written !== undefined &&
  operation.source.kind === "files" &&
  operation.source.rules?.some(({ dialect }) => dialect.items !== undefined) !== true;

export const isPaged = (operation: Operation): operation is ListOperation & { readonly paged: true } =>
  operation.kind === "list" && operation.paged;

/** Whether an operation has single items, each at a path. */
export const hasItems = (operation: Operation): operation is ListOperation & { readonly item: ItemAccess } =>
  operation.kind === "list" && operation.item !== undefined;

/** Whether requests may ask for a further order. */
export const hasOrders = (operation: Operation): operation is ListOperation =>
  operation.kind === "list" && operation.orders.length > 0;

/** The filters of an operation, in the order in which they are checked and occur in a path. */
export const filtersOf = (operation: Operation): readonly Filter[] =>
  operation.kind === "list" ? operation.filters : [];
