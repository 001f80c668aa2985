// The formats of content files and their extensions.
import { csv } from "./csv.ts";
import type { ContentFormat, FormatName } from "./format.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FormatName, ContentFormat>> = { yaml, json, ndjson, csv, markdown };

const extensions: ReadonlyMap<string, FormatName> = new Map([
  ["yaml", "yaml"],
  ["yml", "yaml"],
  ["json", "json"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["csv", "csv"],
  ["md", "markdown"],
]);

export const dataExtensions = [...extensions.keys()];

/** The format of a file by its extension. Case matters: `.JSON` is not an extension of content. */
export const formatOf = (file: string): FormatName | undefined => extensions.get(/\.([^.]*)$/.exec(file)?.[1] ?? "");
