import type { PageSizes } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";

/** All content, valid, linked and sorted. */
export interface Catalog {
  /** By the name of the operation that lists them. */
  readonly items: ReadonlyMap<string, Items>;
  /** By name. */
  readonly deployments: ReadonlyMap<string, Deployment>;
  readonly settings: Settings;
}

/** The items of an operation, in its order, as the API gives them. */
export interface Items {
  readonly count: number;
  /** The JSON of all of them, each followed by a comma. */
  readonly bytes: Uint8Array;
  /** Where each item starts, and last where a further one would. */
  readonly offsets: Uint32Array;
  /** By the name of a field that refers to other items: a number for each value, and the number of each item's. */
  readonly references: ReadonlyMap<
    string,
    { readonly numbers: ReadonlyMap<string, number>; readonly rows: Uint32Array }
  >;
}

const decoder = new TextDecoder();

export const itemAt = ({ bytes, offsets }: Items, index: number): Item =>
  JSON.parse(decoder.decode(bytes.slice(offsets[index], (offsets[index + 1] ?? 0) - 1)));

export const allItems = (items: Items | undefined): readonly Item[] =>
  Array.from({ length: items?.count ?? 0 }, (_, index) => (items === undefined ? {} : itemAt(items, index)));

/** A host of the API: the operations it answers and the content of its documents. */
export interface Deployment {
  readonly name: string;
  /** Names of operations, in the order of the table. */
  readonly operations: readonly string[];
  /** By the name of their operation. */
  readonly documents: ReadonlyMap<string, Item>;
}

interface Contact {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

export interface Settings {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The origin that the API is published at, such as https://api.example.com. */
  readonly url: string | undefined;
  /** What consumers may do with the data. `url` is an http or https address. */
  readonly license: { readonly name: string; readonly url: string } | undefined;
  /** Whom consumers may ask. */
  readonly contact: Contact | undefined;
  readonly vocabulary: Vocabulary;
  readonly defaultDeployment: string;
  /** By the name of a paged operation. */
  readonly pageSizes: ReadonlyMap<string, PageSizes>;
}
