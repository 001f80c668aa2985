// Decodes files. They must be UTF-8, may have a byte order mark, and may have the line ends of any system.
import type { FoundFile } from "./discover.ts";
import { fault, fileFault, type WithFaults } from "./faults/fault.ts";
import { formatOf } from "./formats/formats.ts";
import type { FormatName, Source } from "./source.ts";

/** A file, or some of its lines, to decode. */
export interface Encoded extends FoundFile {
  readonly format?: FormatName | undefined;
  /** The line numbers, if these are only some lines of the file. */
  readonly lines?: readonly number[];
}

/** V8's length limit of strings, applied to bytes. */
const maxText = 2 ** 29 - 24;

/** Removes a byte order mark. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** Decodes bytes without a byte order mark; undefined if they are not UTF-8 or too long. */
export function decode({ file, bytes, format, lines }: Encoded, most = maxText): WithFaults<Source | undefined> {
  if (bytes.length > most) return [undefined, [fileFault("too-large", file, {})]];
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // A lone carriage return ends a line, as in YAML and editors. It is replaced by one character, so offsets do not
  // change.
  const text = decoded.replace(/\r(?!\n)/g, "\n");
  const source: Source = { file, format: format ?? formatOf(file) ?? "yaml", text, ...(lines && { lines }) };
  const start = firstForeign(text, bytes);
  if (start === undefined) return [source, []];
  return [undefined, [fault("invalid-utf8", source, { start, end: start + 1 }, () => ({}))]];
}

/** The index of the first character that UTF-8 text does not have: a NUL, as in UTF-16, or U+FFFD for invalid bytes. */
function firstForeign(text: string, bytes: Uint8Array): number | undefined {
  const nul = text.indexOf("\0");
  const replaced = firstReplaced(text, bytes);
  return nul === -1 ? replaced : Math.min(nul, replaced ?? nul);
}

const replacement = "\u{fffd}";

/** The index of the first U+FFFD that the bytes do not contain. */
function firstReplaced(text: string, bytes: Uint8Array): number | undefined {
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, at + 1)) {
    offset += Buffer.byteLength(text.slice(from, at));
    const written = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!written) return at;
    from = at;
  }
  return undefined;
}
