// Documents: files that the API publishes besides the answers of its operations. The routing table lists them.
import { once } from "../values/once.ts";
import { encode, type OutputFile } from "./file.ts";

/** A file of the publish root with a fixed path; the query is ignored. */
export interface Document extends OutputFile {
  /** The path in a request. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

export const minutes = "public, max-age=300";

export const jsonType = "application/json";

/** `file` is only needed if it differs from the path. */
export function textDocument(path: string, contentType: string, text: string, file = path.slice(1)): Document {
  const bytes = encode(text);
  return {
    path,
    file,
    contentType,
    cacheControl: minutes,
    length: bytes.length,
    parts: () => [bytes],
  };
}

/** A document whose text is computed when its bytes or their length are first used, and then kept. */
export function lazyDocument(head: Omit<Document, "length" | "parts">, text: () => string): Document {
  const bytes = once(() => encode(text()));
  return {
    ...head,
    get length() {
      return bytes().length;
    },
    parts: () => [bytes()],
  };
}
