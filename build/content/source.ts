// The text of a file. Files must be UTF-8, may have a byte order mark, and may have the line ends of any system.
import type { FormatName, TextProblem } from "./formats/format.ts";

/** A file of the content folder that holds data. */
export interface Source {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly format: FormatName;
  /** Decoded whenever it is asked for, which only reports do: no text outlives the reading of its file. */
  readonly text: string;
}

export const sourceOf = (file: string, format: FormatName, bytesOf: () => Uint8Array): Source => ({
  file,
  format,
  get text() {
    return decode(bytesOf()).text;
  },
});

/** V8's length limit of strings, applied to bytes. */
const maxText = 2 ** 29 - 24;

export const tooLarge = {
  code: "too-large",
  span: { start: 0, end: 0 },
  message: "This file is too large: the limit is 512 MB.",
  hint: "Split it into several files.",
} satisfies TextProblem;

/** The text without its byte order mark. Its lines end with LF or CRLF. */
export function decode(
  bytes: Uint8Array,
  most = maxText,
): { readonly text: string; readonly problem: TextProblem | undefined } {
  if (bytes.length > most) return { text: "", problem: tooLarge };
  const [text, isText] = textOf(bytes);
  // UTF-16 has NULs, which no text of UTF-8 needs.
  const start = isText ? text.indexOf("\0") : text.search(/[\0\ufffd]/);
  // A lone carriage return ends a line, as in YAML and editors.
  const lines = text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
  return { text: lines, problem: start === -1 ? undefined : notText(start) };
}

function textOf(bytes: Uint8Array): readonly [text: string, isText: boolean] {
  try {
    return [new TextDecoder("utf-8", { fatal: true }).decode(bytes), true];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [new TextDecoder().decode(bytes), false];
  }
}

const notText = (start: number): TextProblem => ({
  code: "invalid-utf8",
  span: { start, end: start + 1 },
  message: "The file is not UTF-8 text from here on.",
  hint: "Save it as UTF-8.",
});
