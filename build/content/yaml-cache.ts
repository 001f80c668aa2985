// YAML takes eighty times as long to read as JSON. So the items of a large YAML file are cached as lines of NDJSON,
// by the file's bytes, and a later build reads these.
import { encode } from "../file.ts";
import { formatOf } from "./formats/extensions.ts";
import type { ContentFile, Reading } from "./read.ts";

/** The parser's version, and a number to be raised with every change to what is made of what it reads. */
export const readingVersion = "yaml 2.9.1, 2";

/** Below this many bytes, parsing the file takes no longer than asking the cache. */
const worthwhile = 4_096;

export const worthCaching = ({ file, bytes }: ContentFile): boolean =>
  bytes.length >= worthwhile && formatOf(file) === "yaml";

/** A line for each value of the file; undefined where anything is wrong with the file, or JSON cannot hold it. */
export function linesOf({ entries, whole, faults }: Reading): Uint8Array | undefined {
  const values = entries.map(({ value }) => value);
  if (!whole || faults.length > 0 || !values.every(isJson)) return undefined;
  return encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isJson);
}
