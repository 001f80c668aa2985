// The text of a file, and the places of its values. Files must be UTF-8, may have a byte order mark, and may have the line
// ends of any system.
import { LineCounter } from "yaml";
import type { Place } from "../../../src/model/place.ts";
import type { Draft, Part, Path, Source, Span, Spot, Written } from "../../messages.ts";
import type { Decoded, FormatName } from "./format.ts";
import { formats } from "./formats.ts";

/** A file of the content folder that holds data. It is relative to that folder, with slashes. */
export interface ContentSource extends Source {
  readonly format: FormatName;
}

/** The file is read again when the source is opened: neither bytes nor text outlive the reading of a file. */
export const sourceOf = (file: string, format: FormatName, read: () => Uint8Array): ContentSource => ({
  file,
  format,
  open: () => opened(decode(read()).text, format),
});

function opened(text: string, format: FormatName): (at: Spot) => Written {
  let find: ((path: Path, part: Part) => Span) | undefined;
  const spanOf = (at: Spot): Span => {
    if (!("path" in at)) return at;
    find ??= formats[format].open(text);
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

/** The text without its byte order mark. Its lines end with LF or CRLF. */
export function decode(bytes: Uint8Array, max = maxFileSize): Decoded {
  return bytes.length > max ? { text: "", problem: tooLarge } : decoded(bytes, false);
}

/** The same in parts of whole lines. */
export function* decodeParts(bytes: Uint8Array, length = 1 << 22): Generator<Decoded> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(lineFeed, start + length) + 1 || bytes.length;
    yield decoded(bytes.subarray(start, end), start > 0);
    start = end;
  }
}

const lineFeed = 0x0a;

/** `ignoreBOM`: whether a byte order mark is a character of the text. */
function decoded(bytes: Uint8Array, ignoreBOM: boolean): Decoded {
  const [text, isText] = textOf(bytes, ignoreBOM);
  // UTF-16 has NULs. No text in UTF-8 needs them.
  const start = isText ? text.indexOf("\0") : text.search(/[\0\ufffd]/);
  // A lone carriage return ends a line, as in YAML and editors.
  const lines = text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
  return { text: lines, problem: start === -1 ? undefined : notText(start) };
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const partDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array, ignoreBOM: boolean): readonly [text: string, isText: boolean] {
  try {
    return [(ignoreBOM ? partDecoder : decoder).decode(bytes), true];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [new TextDecoder("utf-8", { ignoreBOM }).decode(bytes), false];
  }
}

const notText = (start: number): Draft<Span> => ({
  code: "invalid-utf8",
  at: { start, end: start + 1 },
  text: "The file is not UTF-8 text from here on.",
  hint: "Save it as UTF-8.",
});
