// Documents: files that the API publishes besides the answers of its operations. The routing table lists them for
// hosts, the preview and the tests.
import { encode, type OutputFile, outputFile } from "./file.ts";
import { generator } from "./generator.ts";

/** A file of the publish root with a fixed path; the query is ignored. */
export interface Document {
  /** The path in a request. */
  readonly path: string;
  /** Relative to the publish root. */
  readonly file: string;
  readonly contentType: string;
  /** A text near the start of the file that identifies it as written by stillapi. Undefined: nothing identifies it. */
  readonly mark?: string;
  readonly cacheControl: string;
  /** The length and digest, if they are known without generating the bytes. */
  readonly known?: { readonly length: number; readonly digest: OutputFile["digest"] };
  /** The bytes, in pieces. */
  readonly parts: () => readonly Uint8Array[];
}

export const minutes = "public, max-age=300";

export const json = "application/json";

/** A document with a text that names this program. `file` is given if it differs from the path. */
export function textDocument(path: string, contentType: string, text: string, file = path.slice(1)): Document {
  const bytes = [encode(text)];
  return { path, file, contentType, cacheControl: minutes, mark: generator, parts: () => bytes };
}

export const documentFile = ({ file, known, parts }: Document): OutputFile =>
  known === undefined
    ? outputFile(file, parts())
    : { entry: { file, length: known.length }, digest: known.digest, parts };

/** In bytes. */
export const lengthOf = ({ known, parts }: Document): number =>
  known?.length ?? parts().reduce((sum, part) => sum + part.length, 0);
