// YAML takes eighty times as long to read as JSON. So what a large file of items holds is put into lines of NDJSON,
// which can be remembered for as long as the file stays the same, and which take the short way of plain-lines.ts.
import { encode } from "../file.ts";
import { classify } from "./classify.ts";
import { decode } from "./decode.ts";
import type { FoundFile } from "./discover.ts";
import { formatOf } from "./formats/formats.ts";
import { parse } from "./parse.ts";

/** Below this many bytes reading the file takes no longer than remembering it. */
const worthwhile = 4_096;

/** Whether it is a file whose items are worth remembering. */
export const isSlow = ({ file, bytes }: FoundFile): boolean =>
  bytes.length >= worthwhile && formatOf(file) === "yaml" && classify(file).kind === "items";

/** The items of a file, a line each; undefined where anything is wrong with the file. */
export function linesOf(found: FoundFile): Uint8Array | undefined {
  const [source, undecoded] = decode(found);
  if (source === undefined || undecoded.length > 0) return undefined;
  const [{ entries, whole }, faults] = parse(source);
  if (!whole || faults.length > 0) return undefined;
  return encode(entries.map(({ value }) => `${JSON.stringify(value)}\n`).join(""));
}
