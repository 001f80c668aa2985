// The formats of content files and their extensions. NDJSON is read by its lines, and not as one text.
import type { FormatName } from "../source.ts";
import { csv } from "./csv.ts";
import type { ContentFormat } from "./format.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<Exclude<FormatName, "ndjson">, ContentFormat>> = { yaml, json, csv, markdown };

const extensions: Readonly<Record<string, FormatName>> = {
  yaml: "yaml",
  yml: "yaml",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  md: "markdown",
};

export const dataExtensions = Object.keys(extensions);

/** The format of a file by its extension. Case matters: `.JSON` is not an extension of content. */
export function formatOf(file: string): FormatName | undefined {
  const extension = file.slice(file.lastIndexOf(".") + 1);
  return file.includes(".") && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}
