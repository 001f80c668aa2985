import { type FoundFile, kept } from "../../build/content/find/discover.ts";

/** A file of a content folder with a text or bytes. */
export function foundFile(file: string, text: string | Uint8Array): FoundFile {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { file, size: bytes.length, ...kept(bytes) };
}
