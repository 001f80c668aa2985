import { digestOf, type Key } from "./digest.ts";
import { flatten } from "./flatten.ts";

/** Describes a file of the publish root without its bytes. */
export interface OutputEntry {
  /** Relative to the publish root, with slashes. */
  readonly file: string;
  /** In bytes. */
  readonly length: number;
}

/** A file of the publish root. */
export interface OutputFile {
  readonly entry: OutputEntry;
  /** With the same key, it differs if the path or the bytes differ; see digest.ts. */
  digest(key: Key): number;
  /** The bytes, in pieces. They may be generated on request; only files that change are requested. */
  parts(): readonly Uint8Array[];
}

/** Consecutive files of a plan, such as pages of a listing. */
export interface FileGroup {
  readonly count: number;
  /** With the same key, it differs if the path or the bytes of one of the files differ. */
  digest(key: Key): number;
  /** Generates the files one at a time. */
  files(): Iterable<OutputFile>;
}

/** If a group is unchanged, none of its files has to be generated. */
export type PlannedFiles = Iterable<OutputFile | FileGroup>;

export const eachFile = (planned: PlannedFiles): Iterable<OutputFile> => flatten(listsOf(planned));

function* listsOf(planned: PlannedFiles): Generator<Iterable<OutputFile>> {
  for (const each of planned) yield "files" in each ? each.files() : [each];
}

/** Encodes as UTF-8. Several times as fast as TextEncoder, which matters for the end of each page. */
export const encode = (text: string): Uint8Array => Buffer.from(text);

export function textFile(file: string, text: string): OutputFile {
  return outputFile(file, [encode(text)]);
}

export function outputFile(file: string, parts: readonly Uint8Array[]): OutputFile {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { entry: { file, length }, digest: (key) => digestOf([encode(file), ...parts], key), parts: () => parts };
}
