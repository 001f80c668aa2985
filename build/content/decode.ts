// From bytes to text. A file must be UTF-8; it may have a byte order mark, and the line ends of any system.
import type { FoundFile } from "./discover.ts";
import { fault, fileFault, type WithFaults } from "./faults/fault.ts";
import { formatOf } from "./formats/extensions.ts";
import type { FormatName, Source } from "./source.ts";

/** Bytes of a file that are decoded at once. */
export interface Encoded extends FoundFile {
  readonly format?: FormatName | undefined;
  /** The numbers of these lines, where they are only some of the file's. */
  readonly lines?: readonly number[];
}

/** What a string can hold, in bytes: V8's limit, which it has for the characters. */
const maxText = 2 ** 29 - 24;

/** Without the byte order mark with which a file may start. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** Bytes without a byte order mark as text; undefined where they are not UTF-8, or too many. */
export function decode({ file, bytes, format, lines }: Encoded, most = maxText): WithFaults<Source | undefined> {
  if (bytes.length > most) return [undefined, [fileFault("too-large", file, {})]];
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // A carriage return alone ends a line, as in YAML and editors. It stays one character, so places do not move.
  const text = decoded.replace(/\r(?!\n)/g, "\n");
  const source: Source = { file, format: format ?? formatOf(file) ?? "yaml", text, ...(lines && { lines }) };
  const start = firstForeign(text, bytes);
  if (start === undefined) return [source, []];
  return [undefined, [fault("invalid-utf8", source, { start, end: start + 1 }, () => ({}))]];
}

/** The index of the first character that UTF-8 text does not have: a NUL, as in UTF-16, or a replacement character. */
function firstForeign(text: string, bytes: Uint8Array): number | undefined {
  const nul = text.indexOf("\0");
  const replaced = firstReplaced(text, bytes);
  return nul === -1 ? replaced : Math.min(nul, replaced ?? nul);
}

const replacement = "\u{fffd}";

/** The index of the first replacement character that is not in the bytes themselves. */
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
