export type FormatName = "yaml" | "json" | "ndjson";

/** A file of the content folder that holds data. */
export interface Source {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly format: FormatName;
  /** Without a byte order mark; its lines end with line feeds, or with carriage returns and line feeds. */
  readonly text: string;
  /** The numbers in the file, from 0, of the lines that the text has; undefined where it has all of them. */
  readonly lines?: readonly number[];
}

/** Where a value is in a source: the keys and indices that lead to it. The lines of NDJSON are its first index. */
export type Path = readonly (string | number)[];

/** An object that is, or should be, an item, before anything is known about its fields. */
export interface Entry {
  readonly source: Source;
  readonly path: Path;
  readonly value: unknown;
}

/**
 * A value that could not be read, which is already reported; as a key, the fields of an object that could not be read.
 * Nothing follows from what is missing there.
 */
export const unread = Symbol("unread");

export const isPartial = (value: unknown): boolean => value === unread || Object.hasOwn(Object(value), unread);
