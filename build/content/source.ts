export type FormatName = "yaml" | "json" | "ndjson" | "csv" | "markdown";

/** A file of the content folder that holds data. */
export interface Source {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly format: FormatName;
  /** The text without a byte order mark; lines end with LF or CRLF. */
  readonly text: string;
  /** The line numbers of the text in the file, from 0; undefined if the text is the whole file. */
  readonly lines?: readonly number[];
  /** The place in the text of a value that was made from those in the text. */
  readonly placed?: (path: Path) => PlacedPath;
  /** Names the item that a path is in, if its place does not show it. Starts a message: `The book "orlando"`. */
  readonly named?: (path: Path) => string | undefined;
}

/** The keys and indices that lead to a value in a source. Line numbers of NDJSON are the first index. */
export type Path = readonly (string | number)[];

export interface PlacedPath {
  readonly path: Path;
  /** Whether the value is written there. */
  readonly isWritten: boolean;
}

/** An object that should be an item; its fields have not been checked yet. */
export interface Entry {
  readonly source: Source;
  readonly path: Path;
  readonly value: unknown;
}

/**
 * An unreadable value, which is reported already. As a key it means unreadable fields of the object. Nothing follows
 * from missing values there.
 */
export const unread = Symbol("unread");

export const isPartial = (value: unknown): boolean => value === unread || Object.hasOwn(Object(value), unread);
