import type { FormatName } from "../source.ts";

const extensions: Readonly<Record<string, FormatName>> = {
  yaml: "yaml",
  yml: "yaml",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
};

export const dataExtensions = Object.keys(extensions);

/** The format that a file's name asks for. Names are compared as they are: `.JSON` is no extension of content. */
export function formatOf(file: string): FormatName | undefined {
  const extension = file.slice(file.lastIndexOf(".") + 1);
  return file.includes(".") && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}
