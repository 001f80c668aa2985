/** The program's name in the files that it writes, by which it recognises them. */
export const generator = "stillapi";

/** A file of the publish root, or of the folder beside it. */
export interface OutputFile {
  /** Relative to its folder, with slashes. */
  readonly file: string;
  /** In bytes. */
  readonly length: number;
  /** Of the bytes, if it is known without them; those of equal files are equal. */
  readonly digest?: () => string;
  /** The bytes, in pieces. They may be generated on request, one at a time, so that a large file is never in memory. */
  parts(): Iterable<Uint8Array>;
}

/** Encodes as UTF-8. Several times as fast as TextEncoder, which matters for the end of each page. */
export const encode = (text: string): Uint8Array => Buffer.from(text);

export const bytesOf = (file: OutputFile): Buffer => Buffer.concat([...file.parts()], file.length);

export const textFile = (file: string, text: string): OutputFile => outputFile(file, [encode(text)]);

export function outputFile(file: string, parts: readonly Uint8Array[]): OutputFile {
  return { file, length: totalLength(parts), parts: () => parts };
}

/** Of files or of parts of one, in bytes. */
export const totalLength = (parts: readonly { readonly length: number }[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);
