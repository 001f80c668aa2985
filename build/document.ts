// Documents: what the API publishes beside the answers of its operations. The routing table lists them, so that hosts,
// the preview and the tests know them.
import { encode, fileOf, type OutputEntry, type OutputFile } from "./file.ts";

/** A file of the publish root that is answered at a path of its own, whatever the query. */
export interface Document {
  /** As in a request. */
  readonly path: string;
  /** Relative to the publish root. */
  readonly file: string;
  readonly contentType: string;
  /** What its text holds near its start, so that it is not taken for another program's. Undefined: nothing can be. */
  readonly mark?: string;
  readonly cacheControl: string;
  /** Where they are known without making the bytes. */
  readonly known?: Pick<OutputEntry, "length" | "digest">;
  /** The bytes, in pieces. */
  readonly parts: () => readonly Uint8Array[];
}

export const minutes = "public, max-age=300";

export const json = "application/json";

/** A document whose bytes are a text. */
export const textDocument = (about: Omit<Document, "parts">, text: string): Document => ({
  ...about,
  parts: () => [encode(text)],
});

export const documentFile = ({ file, known, parts }: Document): OutputFile =>
  known === undefined ? fileOf(file, parts()) : { entry: { file, ...known }, parts };

/** In bytes. */
export const lengthOf = ({ known, parts }: Document): number =>
  known?.length ?? parts().reduce((sum, part) => sum + part.length, 0);
