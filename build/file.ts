import { digestOf } from "./digest.ts";

/** What tells a file of the publish root from another without its bytes. An unchanged file keeps its entry. */
export interface OutputEntry {
  /** Relative to the publish root, with slashes. */
  readonly file: string;
  /** In bytes. */
  readonly length: number;
  /** Differs where the bytes differ; see digest.ts. */
  readonly digest: number;
}

/** A file of the publish root. */
export interface OutputFile {
  readonly entry: OutputEntry;
  /** The bytes, in pieces. They may be made when they are asked for, which is only done for a file that changes. */
  parts(): readonly Uint8Array[];
}

/** In UTF-8, several times as quickly as a TextEncoder, which matters for the end of each page. */
export const encode = (text: string): Uint8Array => Buffer.from(text);

export function textFile(file: string, text: string): OutputFile {
  return fileOf(file, [encode(text)]);
}

export function fileOf(file: string, parts: readonly Uint8Array[]): OutputFile {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { entry: { file, length, digest: digestOf(parts) }, parts: () => parts };
}
