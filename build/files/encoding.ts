// The encodings of texts: UTF-8, that of a byte order mark, or one that the declaration names.

export const utf8 = "utf-8";

/** The name of the encoding of a text: a byte order mark wins, as in https://encoding.spec.whatwg.org/#decode. */
export const encodingOf = (bytes: Uint8Array, label = utf8): string =>
  markedAs(bytes) ?? new TextDecoder(label).encoding;

/** The encoding that a byte order mark names. */
export function markedAs([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? utf8 : undefined;
}

/** Node takes windows-1252 for Latin-1 unless it streams (https://github.com/nodejs/node/issues/56542). */
export function streamed(
  bytes: Uint8Array,
  encoding: string,
  options: ConstructorParameters<typeof TextDecoder>[1] = {},
): string {
  const streaming = new TextDecoder(encoding, options);
  return streaming.decode(bytes, { stream: true }) + streaming.decode();
}
