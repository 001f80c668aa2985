export type FormatName = "yaml" | "json" | "ndjson" | "csv" | "markdown";

/** A file of the content folder that holds data. */
export interface Source {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly format: FormatName;
  /** Decoded whenever it is asked for, which only reports do: no text outlives the reading of its file. */
  readonly text: string;
}

/** The keys and indices that lead to a value in a source. Line numbers of NDJSON, from 0, are the first index. */
export type Path = readonly (string | number)[];
