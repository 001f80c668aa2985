import { type FoundFile, kept } from "../../build/content/files.ts";
import { sha256 } from "../../build/files/sha256.ts";

/** A file of a content folder with a text or bytes. */
export function foundFile(file: string, text: string | Uint8Array): FoundFile {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const stored = () => ({
    size: bytes.length,
    state: `${file} ${sha256(bytes)}`,
    parts: () => [bytes],
    head: (length: number) => Uint8Array.from(bytes).slice(0, length),
  });
  return { file, size: bytes.length, stored, ...kept(bytes) };
}
