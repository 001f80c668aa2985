// Parsing YAML takes eighty times as long as JSON. So the items of large files of YAML, and of Markdown with front matter,
// are cached as lines of NDJSON, by the hash of the file's bytes.
import { type Cache, openCache } from "../cache/cache.ts";
import { encode } from "../file.ts";
import { formatOf } from "./formats/formats.ts";
import type { ContentFile, Reading } from "./read.ts";

/** The parser's version, and a number to increase with every change to the conversion of its results. */
export const readingVersion = "yaml 2.9.1, 2";

/** `folder` is the cache folder; undefined if nothing is cached. */
export const openYamlCache = (folder: string | undefined): Cache | undefined =>
  folder === undefined ? undefined : openCache(`${folder}/yaml`, readingVersion);

/** Parsing a file of fewer bytes takes no longer than reading the cache. */
const worthwhile = 4_096;

export const worthCaching = ({ file, bytes }: ContentFile): boolean =>
  bytes.length >= worthwhile && (formatOf(file) === "yaml" || isMarkdown(file));

/** The bytes by which the items of a file are cached. No valid file starts with a NUL. */
export const cacheKey = ({ file, bytes }: ContentFile): Uint8Array =>
  isMarkdown(file) ? Buffer.concat([Buffer.from("\0markdown\n"), bytes]) : bytes;

const isMarkdown = (file: string): boolean => formatOf(file) === "markdown";

/** A line for each value of the file; undefined if the file has faults, or JSON cannot represent a value. */
export function linesOf({ entries, whole, faults }: Reading): Uint8Array | undefined {
  const values = entries.map(({ value }) => value);
  if (!whole || faults.length > 0 || !values.every(isJson)) return undefined;
  return encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isJson);
}
