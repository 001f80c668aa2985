// The formats of content files and their extensions.
import type { FileFormat } from "../../../src/declare/declare.ts";
import { csv, csvWith } from "./csv.ts";
import type { ContentFormat } from "./format.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { membersWith } from "./members.ts";
import { ndjson } from "./ndjson.ts";
import type { Dialect } from "./value.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FileFormat, ContentFormat>> = { yaml, json, ndjson, csv, markdown };

/** The format with the options of a dialect. */
export function formatWith(dialect: Dialect): ContentFormat {
  const format = dialect.format === "csv" ? csvWith(dialect) : formats[dialect.format];
  if (dialect.items === undefined) return format;
  return membersWith(format, dialect.items, dialect.format === "csv" || dialect.format === "ndjson");
}

const dialects: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
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

export const dataExtensions = [...dialects.keys()];

/** The dialect of a file by its extension. Case matters: `.JSON` is not an extension of content. */
export const dialectOf = (file: string): Dialect | undefined => dialects.get(/\.([^.]*)$/.exec(file)?.[1] ?? "");

/** The dialect of a file with the options of its collection; undefined if neither tells the format. */
export function dialectWith(file: string, options: Partial<Dialect> = {}): Dialect | undefined {
  const usual = dialectOf(file);
  const format = options.format ?? usual?.format;
  if (format === undefined) return undefined;
  return usual?.format === format ? { ...usual, ...options } : { ...options, format };
}
