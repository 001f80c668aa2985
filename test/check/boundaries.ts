// Computes item by item at which positions pages start, as section 10 of the contract defines them. It shares no code with
// the paging of the build, so that tests can compare both.
import type { PagingKind } from "../../src/model/paging.ts";

/** The positions at which pages of a size start, ascending. A text is the name of the listing and an order key. */
export function pageStarts(kind: PagingKind, texts: readonly string[]): (limit: number) => readonly number[] {
  const ranks: number[] = [];
  const rankAt = (place: number): number => {
    ranks[place] ??= rank(texts[place - 1] ?? "");
    return ranks[place];
  };
  const nextStart = (limit: number, start: number): number => {
    const last = start + limit;
    if (kind === "exact" || limit === 1 || last >= texts.length) return last;
    const fewer = Math.ceil(limit / 5);
    const places = Array.from({ length: fewer + 1 }, (_, index) => last - fewer + index);
    const lowest = Math.min(...places.map(rankAt));
    return places.find((place) => rankAt(place) === lowest) ?? last;
  };
  return (limit) => {
    const starts = [0];
    for (let start = limit; start < texts.length; start = nextStart(limit, start)) starts.push(start);
    return starts;
  };
}

/** The 64-bit FNV-1a hash of a text, folded to 32 bits and finished as MurmurHash3 (fmix32) does. */
function rank(text: string): number {
  const hash = new TextEncoder()
    .encode(text)
    .reduce((sum, byte) => ((sum ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n), 0xcbf29ce484222325n);
  let bits = (hash ^ (hash >> 32n)) & 0xffffffffn;
  bits = ((bits ^ (bits >> 16n)) * 0x85ebca6bn) & 0xffffffffn;
  bits = ((bits ^ (bits >> 13n)) * 0xc2b2ae35n) & 0xffffffffn;
  return Math.max(1, Number(bits ^ (bits >> 16n)));
}
