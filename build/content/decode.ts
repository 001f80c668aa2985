// Decodes files. They must be UTF-8, may have a byte order mark, and may have the line ends of any system.
import type { TextProblem } from "./formats/format.ts";
import type { FormatName, Source } from "./source.ts";

export const sourceOf = (file: string, format: FormatName, bytesOf: () => Uint8Array): Source => ({
  file,
  format,
  get text() {
    return decode(bytesOf()).text;
  },
});

interface Decoded {
  /** Without the byte order mark. Lines end with LF or CRLF. */
  readonly text: string;
  /** Undefined if all of it is text. */
  readonly problem: TextProblem | undefined;
}

/** V8's length limit of strings, applied to bytes. */
const maxText = 2 ** 29 - 24;

/** Removes a byte order mark. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

export const tooLarge = {
  code: "too-large",
  span: { start: 0, end: 0 },
  message: "This file is too large: the limit is 512 MB.",
  hint: "Split it into several files.",
} satisfies TextProblem;

/** Decodes bytes without a byte order mark. */
export function decode(bytes: Uint8Array, most = maxText): Decoded {
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
    return [new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), true];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), false];
  }
}

const notText = (start: number): TextProblem => ({
  code: "invalid-utf8",
  span: { start, end: start + 1 },
  message: "The file is not UTF-8 text from here on.",
  hint: "Save it as UTF-8.",
});
