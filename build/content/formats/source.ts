// The text of a file, and the places of its values. Files are UTF-8, UTF-16 with a byte order mark, or in the encoding that
// the declaration names. They may have the line ends of any system.
import { LineCounter } from "yaml";
import type { Dialect } from "../../../src/model/files.ts";
import type { Place } from "../../../src/model/place.ts";
import { encodingOf, markedAs, streamed, utf8 } from "../../files/encoding.ts";
import type { Draft, Part, Path, Span, Spot, WrittenText } from "../../messages.ts";
import type { FileMatch } from "../globs.ts";
import type { Decoded, Problem } from "./format.ts";
import { formats } from "./formats.ts";
import type { ContentSource } from "./value.ts";

export interface FileBytes {
  /**
   * The bytes of the file. Those of a large one are not kept, because they would take as much memory as its items; reports
   * read it again. Throws MachineError if a large one has changed since it was read first. Empty if the file is no content.
   */
  readonly read: () => Uint8Array;
  /** The same bytes in parts of whole lines, so that a large file is never in memory as a whole. */
  readonly lines: () => Iterable<Uint8Array>;
}

/** A file beside the data, which is never in memory as a whole. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Differs after each change of the file. */
  readonly state: string;
  /** At most so many of the first bytes. */
  readonly head: (length: number) => Uint8Array;
  /** The bytes in order. Throws MachineError if the file has another state then. */
  readonly parts: () => Iterable<Uint8Array>;
}

/** A file is opened for a report only. The text of a large one is read again then. */
export const sourceOf = (
  file: string,
  dialect: Dialect,
  read: () => Uint8Array,
  { rule, fields = {} }: Partial<FileMatch> = {},
  path = file,
): ContentSource => ({
  file,
  path,
  dialect,
  rule,
  fields,
  encoding: dialect.encoding,
  open: () => opened(decode(read(), dialect.encoding).text, dialect),
});

function opened(text: string, dialect: Dialect): (at: Spot) => WrittenText {
  let find: ((path: Path, part: Part) => Span) | undefined;
  const spanOf = (at: Spot): Span => {
    if (!("path" in at)) return at;
    find ??= formats[dialect.format.name].open(text, dialect);
    return find(at.path, at.part ?? "value");
  };
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return (at) => {
    const { start, end } = spanOf(at);
    const from = lines.linePos(start);
    const to = lines.linePos(end);
    // The text of a YAML alias is not that of its value.
    const isWritten = (!("path" in at) || at.made !== true) && text[start] !== "*";
    return {
      line: from.line,
      column: from.col,
      endLine: to.line,
      endColumn: to.col,
      written: isWritten ? text.slice(start, end) : "",
    };
  };
}

/** The place of a single value or key. */
export function placeOf(at: Draft["at"]): Place {
  if (!("source" in at)) return at;
  const { written: _, ...range } = at.source.open()(at);
  return { file: at.source.file, ...range };
}

/** V8's length limit of strings, applied to bytes. */
export const maxFileSize = 2 ** 29 - 24;

export const tooLarge = {
  code: "too-large",
  at: { start: 0, end: 0 },
  text: "This file is too large: the limit is 512 MB.",
  hint: "Split it into several files.",
} satisfies Draft<Span>;

/** The text without its byte order mark. Its lines end with LF or CRLF. `label`: the encoding that the declaration names. */
export function decode(bytes: Uint8Array, label?: string, max = maxFileSize): Decoded {
  if (bytes.length > max) return { text: "", problem: tooLarge };
  const encoding = encodingOf(bytes, label);
  const text = isSingleByte(encoding) ? wholeTextOf(bytes, utf8) : undefined;
  const start = text?.search(/[^\0-\x7f]/) ?? -1;
  return text === undefined || start === -1
    ? decoded(bytes, encoding)
    : { text, problem: wronglyNamed(start, encoding) };
}

/** The same in parts of whole lines, if the bytes show where lines end. */
export function* decodeParts({ read, lines }: FileBytes, label?: string): Generator<Decoded> {
  let isFirst = true;
  for (const part of lines()) {
    if (isFirst && encodingOf(part, label) !== utf8) {
      yield decode(read(), label);
      return;
    }
    yield decoded(part, utf8, !isFirst, read);
    isFirst = false;
  }
}

/** Text in these encodings is never UTF-8 by chance: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings */
const isSingleByte = (encoding: string): boolean => /^(?:ibm|iso-8859|koi8|macintosh|windows|x-mac)/.test(encoding);

/** `ignoreBOM`: whether a byte order mark is a character of the text. `read` returns the bytes of the whole file. */
function decoded(bytes: Uint8Array, encoding: string, ignoreBOM = false, read = () => bytes): Decoded {
  const whole = wholeTextOf(bytes, encoding, ignoreBOM);
  const text = whole ?? streamed(bytes, encoding, { ignoreBOM });
  // UTF-16 that is read as another encoding has NULs. No text needs them.
  const start = whole === undefined ? text.search(/[\0\ufffd]/) : text.indexOf("\0");
  // A lone carriage return ends a line, as in YAML and editors.
  const lines = text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
  if (start === -1) return { text: lines, problem: undefined, ...(lines !== text && { raw: text }) };
  return {
    text: lines,
    problem: encoding === utf8 ? notUtf8(start, text, read()) : notEncoded(start, encoding, bytes),
  };
}

/** Undefined if some bytes are no text. */
function wholeTextOf(bytes: Uint8Array, encoding: string, ignoreBOM = false): string | undefined {
  try {
    return encoding === utf8
      ? (ignoreBOM ? partDecoder : decoder).decode(bytes)
      : streamed(bytes, encoding, { fatal: true, ignoreBOM });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

const decoder = new TextDecoder(utf8, { fatal: true });
const partDecoder = new TextDecoder(utf8, { fatal: true, ignoreBOM: true });

const wronglyNamed = (start: number, encoding: string): Problem => ({
  code: "invalid-utf8",
  at: { start, end: start + 1 },
  text: `This file is UTF-8, and not ${encoding}.`,
  hint: "Delete the option encoding. If other files have that encoding, give this one an entry of its own in the option files.",
});

const notEncoded = (start: number, encoding: string, bytes: Uint8Array): Problem => ({
  code: "invalid-utf8",
  at: { start, end: start + 1 },
  text: `The file is not text in the encoding ${encoding} from here on.`,
  hint: markedAs(bytes) === undefined ? "Correct the option encoding, or save the file as UTF-8." : "Save it as UTF-8.",
});

/** `bytes`: those of the whole file. */
function notUtf8(start: number, text: string, bytes: Uint8Array): Problem {
  const at = { start, end: start + 1 };
  // Text in another encoding has neither a byte order mark nor characters of several bytes that are UTF-8.
  if (text.charAt(start) === "\ufffd" && /[^\0-\x7f\ufffd]/.test(streamed(bytes, utf8, { ignoreBOM: true })))
    return {
      code: "invalid-utf8",
      at,
      text: "A character is damaged here: the file is UTF-8, but its bytes are not.",
      hint: "Write it anew.",
    };
  const problem: Problem = {
    code: "invalid-utf8",
    at,
    text: "The file is not UTF-8 text from here on.",
    hint: "Save it as UTF-8.",
  };
  return isWindowsText(bytes) ? { ...problem, option: 'encoding: "windows-1252"' } : problem;
}

/** Whether there are no bytes that a text in windows-1252 does not have: control characters but tabs and line ends. */
const isWindowsText = (bytes: Uint8Array): boolean =>
  !bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
