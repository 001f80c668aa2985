import type { FormatName } from "../source.ts";

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
