// Documents: files that the API publishes besides the answers of its operations. The routing table lists them.
import { once } from "../values/once.ts";
import { encode, type OutputFile } from "./file.ts";

/** A file of the publish root with a fixed path; the query is ignored. */
export interface Document {
  /** The path in a request. */
  readonly path: string;
  readonly file: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** In bytes, if it is known without generating them. */
  readonly length?: number;
  /** The bytes, in pieces. */
  readonly parts: () => readonly Uint8Array[];
}

export const minutes = "public, max-age=300";

export const json = "application/json";

/** `file` is given if it differs from the path. */
export function textDocument(path: string, contentType: string, text: string, file = path.slice(1)): Document {
  const bytes = [encode(text)];
  return { path, file, contentType, cacheControl: minutes, parts: () => bytes };
}

/** A document whose text is made when its bytes are asked for, and then kept. */
export function lazyDocument(about: Omit<Document, "parts" | "length">, text: () => string): Document {
  return { ...about, parts: once(() => [encode(text())]) };
}

export const lengthOf = ({ length, parts }: Document): number =>
  length ?? parts().reduce((sum, part) => sum + part.length, 0);

export const documentFile = (document: Document): OutputFile => ({ ...document, length: lengthOf(document) });
