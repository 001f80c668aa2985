import { hash } from "node:crypto";

/**
 * The cursor after the item with this order key in the listing of this name: "k" and 120 bits of SHA-256 in base 36. The
 * hash resists collisions, because anyone may propose content: if two items had the same cursor, readers would skip items.
 */
export function cursorAfter(listing: string, orderKey: string): string {
  const bits = hash("sha256", listing + orderKey, "hex").slice(0, 30);
  return `k${BigInt(`0x${bits}`).toString(36).padStart(24, "0")}`;
}
