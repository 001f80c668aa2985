/** A file of the publish root. */
export interface OutputFile {
  /** Relative to the publish root, with slashes. */
  readonly file: string;
  /** The bytes are the parts in a row. */
  readonly parts: readonly Uint8Array[];
}

const encoder = new TextEncoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);

export const textFile = (file: string, text: string): OutputFile => ({ file, parts: [encode(text)] });
