// The formats of content files and their extensions.
import type { FormatName } from "../source.ts";
import type { Format } from "./format.ts";
import { json, ndjson } from "./json.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FormatName, Format>> = { yaml, json, ndjson };

const extensions: Readonly<Record<string, FormatName>> = {
  yaml: "yaml",
  yml: "yaml",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
};

export const dataExtensions = Object.keys(extensions);

/** The format of a file by its extension. Case matters: `.JSON` is not an extension of content. */
export function formatOf(file: string): FormatName | undefined {
  const extension = file.slice(file.lastIndexOf(".") + 1);
  return file.includes(".") && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}
