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
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = withLineFeeds(strict.decode(bytes));
    const nul = text.indexOf("\0");
    return { text, problem: nul === -1 ? undefined : notText(nul) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = loose.decode(bytes);
    const nul = `${text}\0`.indexOf("\0");
    return { text: withLineFeeds(text), problem: notText(Math.min(nul, firstReplaced(text, bytes))) };
  }
}

const loose = new TextDecoder("utf-8", { ignoreBOM: true });

/** A lone carriage return ends a line, as in YAML and editors. */
const withLineFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);

/** UTF-16 has NULs, which no text of UTF-8 needs. */
const notText = (start: number): TextProblem => ({
  code: "invalid-utf8",
  span: { start, end: start + 1 },
  message: "The file is not UTF-8 text from here on.",
  hint: "Save it as UTF-8.",
});

/** The index of the first character that stands for bytes that are not UTF-8. */
function firstReplaced(text: string, bytes: Uint8Array): number {
  const encoded = Buffer.from(text);
  const offset = encoded.findIndex((byte, index) => byte !== bytes[index]);
  // Bytes of a character that is cut off are no character yet.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(encoded.subarray(0, offset), { stream: true }).length;
}
