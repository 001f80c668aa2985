// A cursor names the position behind an item of a listing. The hash resists collisions, because the items come from anyone
// who may propose content: two items with one cursor would let readers skip items.
import { hash } from "node:crypto";

/** The cursor behind the item with this order key, given the listing's name: "k" and 120 bits of SHA-256 in base 36. */
export function cursorAfter(listing: string, orderKey: string): string {
  const bits = hash("sha256", listing + orderKey, "hex").slice(0, 30);
  return `k${BigInt(`0x${bits}`).toString(36).padStart(24, "0")}`;
}
