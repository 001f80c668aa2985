// A cursor names the position after an item of a listing. The hash resists collisions, because anyone may propose
// content: if two items had the same cursor, readers would skip items.
import { hash } from "node:crypto";

/**
 * The cursor after the item with this order key: "k" and 120 bits of SHA-256 in base 36. `listing` is the listing's
 * name.
 */
export function cursorAfter(listing: string, orderKey: string): string {
  const bits = hash("sha256", listing + orderKey, "hex").slice(0, 30);
  return `k${BigInt(`0x${bits}`).toString(36).padStart(24, "0")}`;
}
