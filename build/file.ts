import { printOf } from "./digest.ts";

/** A file of the publish root. */
export interface OutputFile {
  /** Relative to the publish root, with slashes. */
  readonly file: string;
  /** In bytes. */
  readonly length: number;
  /** Another number where the bytes are others; see print.ts. */
  readonly print: number;
  /** Where the same file stands in what the last build of this process has left, if that is known. */
  readonly same?: number | undefined;
  /** The bytes are the parts in a row. They may be made when they are asked for, for a file that changes. */
  readonly parts: readonly Uint8Array[];
}

const encoder = new TextEncoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);

export function textFile(file: string, text: string): OutputFile {
  return fileOf(file, [encode(text)]);
}

export const fileOf = (file: string, parts: readonly Uint8Array[]): OutputFile => ({
  file,
  length: parts.reduce((sum, part) => sum + part.length, 0),
  print: printOf(parts),
  parts,
});
