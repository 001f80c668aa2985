// What the script of a table knows about its list: JSON in an attribute of the page.
import type { Filter } from "../../../src/filter.ts";

/** The id of the row of an item. */
export const rowAnchor = (key: string): string => `row-${key}`;

/** A column, as the script of the tables receives it. */
export interface CellColumn {
  /** The path of the field: `name.common` is in the object `name`. */
  readonly path: string;
  readonly kind?: "number" | "state" | undefined;
  /** Whether its cells are the names of a record. */
  readonly isRecord?: boolean | undefined;
  /** Whether every integer has separators. In a column without large numbers, 2024 may be a year. */
  readonly isLarge?: boolean | undefined;
  /** The list to which its values refer. */
  readonly to?: string | undefined;
}

export interface ListData {
  /** The path of the table. */
  readonly table: string | undefined;
  /** The path of all items as NDJSON; undefined if they are too many to load. */
  readonly dump: string | undefined;
  readonly keys: readonly string[];
}

export interface TableData extends ListData {
  /** The path of the script that loads and shows the items. */
  readonly script: string;
  /** The path of the list's request. */
  readonly request: string;
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly CellColumn[];
  readonly rows: number;
  readonly paged: boolean;
  readonly hasItems: boolean;
  readonly filters: readonly Pick<Filter, "param" | "field" | "by">[];
  /** The path of the values of filters. */
  readonly values: string;
  readonly together: readonly (readonly string[])[];
  /** The lists to which items refer, and the paths of the fields that do, without brackets. */
  readonly lists: Readonly<Record<string, ListData>>;
  readonly references: readonly (readonly [field: string, list: string])[];
  /** The filters of lists by which they refer to items of this one. */
  readonly referrers: readonly Referrer[];
}

export interface Referrer {
  readonly table: string;
  readonly param: string;
  /** The path of the values of filters, with their counts. */
  readonly values: string;
  readonly noun: string;
  readonly nouns: string;
}
