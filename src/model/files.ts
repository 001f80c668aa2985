// Files of data: which of them a collection has, and how each is written. Its entry in the option `files` says it, else the
// ending of its name.
import type { FileFormat, FileOptions } from "../declare/declare.ts";

/** The options of an entry in `files`, apart from its globs. */
export type DialectOptions = Omit<FileOptions, "match">;

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
  /** Whether an item has a text below its fields. */
  readonly hasBody?: true;
  /** Whether numbers may be written as JSON does not write them, such as 0x1F. */
  readonly hasOtherNumbers?: true;
}

export const dataFormats: Readonly<Record<FileFormat, DataFormat>> = {
  yaml: { name: "yaml", hasOtherNumbers: true },
  json: { name: "json" },
  ndjson: { name: "ndjson", hasLines: true },
  csv: { name: "csv", hasCells: true, hasLines: true },
  markdown: { name: "markdown", hasBody: true, hasOtherNumbers: true },
};

/** Where the items are within the value of a file. */
export interface ItemsPath {
  /** The names of the members that lead to them. */
  readonly names: readonly string[];
  /** Whether each member there is an item, of a list as of an object. */
  readonly isEach: boolean;
}

/** Where the option `items` says that the items are: `features`, `data.nodes` or `data.*`. */
export function itemsPath(items: string): ItemsPath {
  const names = items.split(".");
  const isEach = names.at(-1) === "*";
  return { names: isEach ? names.slice(0, -1) : names, isEach };
}

/** The texts of cells that mean null, true and false, and the sign before decimals, if no option names others. */
export const usualCells = { null: [""], booleans: ["true", "false"], decimal: "." } as const;

/** How a file of a format is written. */
export const dialectIn = (format: FileFormat, { items, quote = '"', ...options }: DialectOptions = {}): Dialect => ({
  memberName: undefined,
  delimiter: ",",
  header: undefined,
  rename: {},
  encoding: undefined,
  ...usualCells,
  ...options,
  format: dataFormats[format],
  items: items === undefined ? undefined : itemsPath(items),
  quote: quote === false ? "" : quote,
});

const endings: ReadonlyMap<string, DialectOptions & { readonly format: FileFormat }> = new Map([
  ["yaml", { format: "yaml" }],
  ["yml", { format: "yaml" }],
  ["json", { format: "json" }],
  ["geojson", { format: "json" }],
  ["ndjson", { format: "ndjson" }],
  ["jsonl", { format: "ndjson" }],
  ["csv", { format: "csv" }],
  ["tsv", { format: "csv", delimiter: "\t" }],
  ["md", { format: "markdown" }],
  ["markdown", { format: "markdown" }],
]);

export const dataEndings = [...endings.keys()];

/**
 * How a file is written; undefined if neither the options of its entry nor its ending tell the format. Case matters: `.JSON`
 * is not an ending of content.
 */
export function dialectOf(file: string, options: DialectOptions = {}): Dialect | undefined {
  const usual = endings.get(/\.([^.]*)$/.exec(file)?.[1] ?? "");
  const { format = usual?.format } = options;
  if (format === undefined) return undefined;
  return dialectIn(format, usual?.format === format ? { ...usual, ...options } : options);
}

/** An entry of the option `files`. */
export interface FileRule {
  /** Globs, with `{field}` for a part that supplies a field. */
  readonly match: readonly string[];
  /** Globs of files that are excluded. */
  readonly except: readonly string[];
  readonly options: DialectOptions;
}

/** A name in braces; with commas or dots, braces are alternatives or ranges of a glob. */
export const fieldForm = /\{([^{},/.]+)\}/g;

/** The names of the fields in some globs. */
export const fieldsInGlobs = (globs: readonly string[]): readonly string[] => [
  ...new Set(globs.flatMap((glob) => [...glob.matchAll(fieldForm)].map(([, field = ""]) => field))),
];

const excludedBy = (glob: string): readonly string[] => (glob.startsWith("!") ? [glob.slice(1)] : []);

/** The rules of the option `files`. A glob after `!` that is an entry of its own excludes files from all entries. */
export function fileRules(entries: readonly (string | FileOptions)[]): readonly FileRule[] {
  const excluded = entries.filter((entry) => typeof entry === "string").flatMap(excludedBy);
  return entries.flatMap((entry) => {
    const { match, ...given } = typeof entry === "string" ? { match: entry } : entry;
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const globs = [match].flat();
    const included = globs.filter((glob) => !glob.startsWith("!"));
    if (included.length === 0) return [];
    return { match: included, except: [...excluded, ...globs.flatMap(excludedBy)], options };
  });
}
