// Files of data: which of them a collection has, and how each is written. Its entry in the option `files` says it, else the
// ending of its name.
import type { FileFormat, FileOptions } from "../declare/declare.ts";
import type { Place } from "./place.ts";

/** How a file is written. */
export interface Dialect extends Required<Pick<FileOptions, "delimiter" | "rename" | "decimal" | "null" | "booleans">> {
  readonly format: DataFormat;
  /** Undefined: the file is an item or a list of items. */
  readonly items: ItemsPath | undefined;
  /** The field that gets the name of a member. */
  readonly memberName: string | undefined;
  /** Empty if cells have no quotes. */
  readonly quote: string;
  /** The names of the columns. Undefined: they are in the first row. */
  readonly header: readonly string[] | undefined;
  /** Undefined: UTF-8, or UTF-16 with a byte order mark. */
  readonly encoding: string | undefined;
}

/** What is known of a format before a file is read. */
export interface DataFormat {
  readonly name: FileFormat;
  /** Whether items are rows of cells, which are texts. */
  readonly hasCells?: true;
  /** Whether each line is an item, so that a file has no members. */
  readonly hasLines?: true;
  /** Whether a file is one text, which is kept as it is. */
  readonly isText?: true;
  /** Whether an item has a text below its fields. */
  readonly hasBody?: true;
  /** Whether numbers may be written as JSON does not write them, such as 0x1F. */
  readonly hasOtherNumbers?: true;
}

export const dataFormats: Readonly<Record<FileFormat, DataFormat>> = {
  yaml: { name: "yaml", hasOtherNumbers: true },
  json: { name: "json" },
  jsonc: { name: "jsonc" },
  ndjson: { name: "ndjson", hasLines: true },
  csv: { name: "csv", hasCells: true, hasLines: true },
  markdown: { name: "markdown", hasBody: true, hasOtherNumbers: true },
  toml: { name: "toml", hasOtherNumbers: true },
  text: { name: "text", hasBody: true, isText: true },
};

/** Where the items are within the value of a file: build/content/formats/members.ts finds them. */
export interface ItemsPath {
  /** The names of the members that lead to them. */
  readonly names: readonly string[];
  /** Whether each member there is an item, of a list as of an object. */
  readonly isEach: boolean;
}

/** The texts of cells that mean null, true and false, and the sign before decimals, if no option names others. */
export const usualCells = { null: [""], booleans: ["true", "false"], decimal: "." } as const;

/** How the files of an entry of the option `files` are written. What is undefined depends on the ending of a file. */
export interface EntryDialect extends Omit<Dialect, "format" | "delimiter"> {
  readonly format: FileFormat | undefined;
  readonly delimiter: string | undefined;
}

/** The dialect of files without options. */
export const usualDialect: EntryDialect = {
  format: undefined,
  delimiter: undefined,
  items: undefined,
  memberName: undefined,
  quote: '"',
  header: undefined,
  rename: {},
  encoding: undefined,
  ...usualCells,
};

const usualDelimiter = ",";

/** The dialect of a format without options. */
export const dialectIn = (format: FileFormat): Dialect => ({
  ...usualDialect,
  format: dataFormats[format],
  delimiter: usualDelimiter,
});

const endings: ReadonlyMap<string, FileFormat> = new Map([
  ["yaml", "yaml"],
  ["yml", "yaml"],
  ["json", "json"],
  ["geojson", "json"],
  ["jsonc", "jsonc"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["csv", "csv"],
  ["tsv", "csv"],
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["toml", "toml"],
]);

export const dataEndings = [...endings.keys()];

/**
 * How a file is written; undefined if neither its entry nor its ending tells the format. Case matters: `.JSON` is not an
 * ending of content.
 */
export function dialectOf(file: string, entry = usualDialect): Dialect | undefined {
  const ending = /\.([^.]*)$/.exec(file)?.[1] ?? "";
  const { format = endings.get(ending) } = entry;
  if (format === undefined) return undefined;
  const delimiter = entry.delimiter ?? (ending === "tsv" && format === "csv" ? "\t" : usualDelimiter);
  const all = dialects.get(entry) ?? [];
  const known = all.find((one) => one.format.name === format && one.delimiter === delimiter);
  if (known !== undefined) return known;
  const dialect = { ...entry, format: dataFormats[format], delimiter };
  dialects.set(entry, [...all, dialect]);
  return dialect;
}

/** All files of an entry that are written alike have the same dialect. */
const dialects = new WeakMap<EntryDialect, readonly Dialect[]>();

/** An entry of the option `files`. */
export interface FileRule extends FileGlobs {
  readonly dialect: EntryDialect;
  /** Whether the entry is one glob, without options. */
  readonly isPlain: boolean;
}

export interface FileGlobs {
  /** Globs, with `{field}` for a part that supplies a field. */
  readonly match: readonly string[];
  /** Globs of files that are excluded. */
  readonly except: readonly string[];
  /** The folder to which the globs are relative. Undefined: the content folder. */
  readonly folder?: SourceFolder;
}

/** A folder outside of the content folder that has files of a collection. */
export interface SourceFolder {
  /** Its path from the folder of the declaration, which starts with a dot: `../packages`, `./data`. */
  readonly name: string;
  /** Its absolute path. */
  readonly path: string;
  /** Its place in the declaration. */
  readonly at: () => Place | undefined;
}

/** A name in braces; with commas or dots, braces are alternatives or ranges of a glob. */
export const fieldForm = /\{([^{},/.]+)\}/g;

/** The names of the fields in some globs. */
export const fieldsInGlobs = (globs: readonly string[]): readonly string[] => [
  ...new Set(globs.flatMap((glob) => [...glob.matchAll(fieldForm)].map(([, field = ""]) => field))),
];

/** Divides globs: those after `!` exclude files. */
export const dividedGlobs = (globs: readonly string[]): FileGlobs => ({
  match: globs.filter((glob) => !glob.startsWith("!")),
  except: globs.flatMap((glob) => (glob.startsWith("!") ? [glob.slice(1)] : [])),
});
