import { createHash, hash } from "node:crypto";

/** In hexadecimal, of the parts one after the other. */
export const sha256 = (...parts: readonly (string | Uint8Array)[]): string => sha256Of(parts);

/** In hexadecimal, of parts that are not in memory together. */
export function sha256Of(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/**
 * The cursor after the item with this order key in the listing of this name: "k" and 120 bits of SHA-256 in base 36. The
 * hash resists collisions, because anyone may propose content: if two items had the same cursor, readers would skip items.
 */
export function cursorAfter(listing: string, orderKey: string): string {
  const bits = hash("sha256", listing + orderKey, "hex").slice(0, 30);
  return `k${BigInt(`0x${bits}`).toString(36).padStart(24, "0")}`;
}
