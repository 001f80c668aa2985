import { printOf } from "./print.ts";

/** A file of the publish root. */
export interface OutputFile {
  /** Relative to the publish root, with slashes. */
  readonly file: string;
  /** The bytes are the parts in a row. */
  readonly parts: readonly Uint8Array[];
  /** Another number where the bytes are others; see print.ts. */
  readonly print: number;
}

const encoder = new TextEncoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);

export function textFile(file: string, text: string): OutputFile {
  const parts = [encode(text)];
  return { file, parts, print: printOf(parts) };
}
