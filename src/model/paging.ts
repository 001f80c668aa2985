// How listings are cut into pages. A limit without pages is answered with the next smaller size, because a limit is a
// maximum.
//
// A position is the start of a page. Its cursor is derived from the listing and from the order key of the item before
// it, so changes of other items do not change the cursor: cursorAfter in build/files/cursor.ts.

export const maxLimit = 100;

/** The limit of a request without one. The paths of its pages contain no limit. */
export const defaultLimit = 100;

/** The sizes for which there are pages: ascending, without repeats, from 1 to 100; the last one is always 100. */
export type PageSizes = readonly number[];

export const everyPageSize: PageSizes = /* @__PURE__ */ Array.from({ length: maxLimit }, (_, index) => index + 1);

/** Adds the default size, which every listing needs, to sizes from 1 to 100. */
export const pageSizes = (sizes: Iterable<number>): PageSizes =>
  [...new Set([...sizes, defaultLimit])].sort((a, b) => a - b);

/** The page size that answers a limit from 1 to 100; undefined if the limit is below the smallest size. */
export const sizeFor = (limit: number, sizes: PageSizes): number | undefined =>
  sizes.filter((size) => size <= limit).at(-1);

/**
 * How a listing is cut into pages. `exact`: the pages of size L start at every L-th item, so that an added or removed
 * item moves all later pages. `stable`: pages end at certain items, so that the edit moves only a few pages.
 */
export type PagingKind = "exact" | "stable";

/** The items of a listing, as far as the cuts depend on them. Only stable cuts need ranks; see `rankOf`. */
interface RankedItems {
  readonly count: number;
  readonly rankAt: (index: number) => number;
}

/** The positions at which the pages of a listing start. */
export interface Cuts {
  readonly kind: PagingKind;
  readonly sizes: PageSizes;
  readonly count: number;
  /** For each size the positions in ascending order, starting with 0. A page ends at the start of the next one. */
  readonly starts: ReadonlyMap<number, Uint32Array>;
  /** The positions at which pages of any size start. The cursors of these pages may be sent without a limit. */
  readonly anyStarts: Uint32Array;
}

/** Cuts a listing into pages; a listing without items has one empty page of each size. */
export function cutPages(kind: PagingKind, items: RankedItems, sizes: PageSizes): Cuts {
  const { count } = items;
  const startsOf = kind === "exact" ? exactStarts(count) : stableStarts(items);
  const starts = new Map(sizes.map((size) => [size, startsOf(size)]));
  const isStart = new Uint8Array(Math.max(count, 1));
  for (const positions of starts.values()) {
    for (const start of positions) isStart[start] = 1;
  }
  const anyStarts = new Uint32Array(isStart.length);
  let length = 0;
  for (let position = 0; position < isStart.length; position++) {
    if (isStart[position]) anyStarts[length++] = position;
  }
  return { kind, sizes, count, starts, anyStarts: anyStarts.slice(0, length) };
}

const exactStarts = (count: number) => (limit: number) =>
  new Uint32Array(Math.max(1, Math.ceil(count / limit))).map((_, page) => page * limit);

/**
 * The first page has exactly `limit` items; the last ends with the listing. Each other page ends after the item with
 * the lowest rank among its last places. Choosing cuts by content is content-defined chunking (Muthitacharoen, Chen,
 * Mazières, "A Low-bandwidth Network File System", SOSP 2001): two cuttings that differ meet again as soon as they
 * choose the same item.
 */
function stableStarts({ count, rankAt }: RankedItems) {
  // All sizes share the ranks, which are never 0.
  const ranks = new Uint32Array(count);
  const rank = (index: number): number => {
    ranks[index] ||= rankAt(index);
    return ranks[index];
  };
  return (limit: number): Uint32Array => {
    const slack = limit === 1 ? 0 : Math.ceil(limit / 5);
    const nextAfter = (start: number): number => {
      const last = start + limit;
      if (last >= count) return count;
      let next = last - slack;
      for (let place = next + 1; place <= last; place++) if (rank(place - 1) < rank(next - 1)) next = place;
      return next;
    };
    const starts = [0];
    for (let start = limit; start < count; start = nextAfter(start)) starts.push(start);
    return Uint32Array.from(starts);
  };
}

/**
 * The rank of an item, from the hash of its listing's name and its order key: 32 bits, never 0. FNV keeps neighbouring
 * keys in order, so the bits are mixed with the finalizer of MurmurHash3.
 */
export function rankOf([a, b, c, d]: Fnv): number {
  let bits = (a | (b << 16)) ^ (c | (d << 16));
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0 || 1;
}

/** One page of a listing: its items from `start` to `end`, excluding `end`. */
export interface PageCut {
  /** The page size. Pages of the default size have at most 100 items, and end at the end of a page of size 100. */
  readonly limit: number;
  readonly start: number;
  readonly end: number;
}

/** The pages with this limit. Those of the default start at the start of a page of any size. */
export function pagesWith(cuts: Cuts, limit: number): readonly PageCut[] {
  const ends = cuts.starts.get(limit) ?? new Uint32Array();
  // Starts and ends ascend. Searching for each end would take four times as long.
  let next = 0;
  return Array.from(startsOf(cuts, limit), (start) => {
    while ((ends[next] ?? Number.POSITIVE_INFINITY) <= start) next++;
    return { limit, start, end: ends[next] ?? cuts.count };
  });
}

export const countPages = (cuts: Cuts): number =>
  cuts.sizes.reduce((sum, limit) => sum + startsOf(cuts, limit).length, 0);

/** The positions at which pages with this limit start, ascending. */
export const startsOf = ({ starts, anyStarts }: Cuts, limit: number): Uint32Array =>
  limit === defaultLimit ? anyStarts : (starts.get(limit) ?? new Uint32Array());

export function isStart(cuts: Cuts, limit: number, position: number): boolean {
  const positions = startsOf(cuts, limit);
  return positions[indexAfter(positions, position) - 1] === position;
}

/** The end of a page that starts at any position: the next start of its size. */
export function endOfPage({ starts, count }: Cuts, limit: number, position: number): number {
  const positions = starts.get(limit);
  return positions?.[indexAfter(positions, position)] ?? count;
}

/** The number of ascending values that are at most `value`. */
export function indexAfter<T extends number | string>(values: ArrayLike<T>, value: T): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = values[middle];
    if (candidate !== undefined && candidate <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const cursorForm = "^k[0-9a-z]{24}$";

/** The name of a listing. The hash of this name and an item's order key decides stable cuts. */
export const listingName = (operation: string, chosen: readonly Chosen[] = []): string =>
  chosen.length === 0
    ? `${operation}\n`
    : `${operation}?${chosen.map(({ param, value }) => `${param}=${value}`).join("&")}\n`;

export interface Chosen {
  readonly param: string;
  readonly value: string;
}

export const listingHash = (name: string): Fnv => fnvAdd(fnvStart, name);

// The 64-bit FNV-1a hash (Fowler, Noll, Vo; IETF draft-eastlake-fnv), in four 16-bit limbs because JavaScript's integers
// end at 53 bits.

/** A hash that more text can be added to: four 16-bit limbs, the least significant first. */
export type Fnv = readonly [number, number, number, number];

/** The offset basis 0xcbf29ce484222325. */
export const fnvStart: Fnv = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

const encoder = /* @__PURE__ */ new TextEncoder();

/** Adds the UTF-8 bytes of a text. Adding "a" and then "b" equals adding "ab". */
export function fnvAdd(hash: Fnv, text: string): Fnv {
  const bytes = encoder.encode(text);
  return fnvAddBytes(hash, bytes, 0, bytes.length);
}

/** Adds the bytes from `start` to `end`, excluding `end`. */
export function fnvAddBytes(hash: Fnv, bytes: Uint8Array, start: number, end: number): Fnv {
  let [a, b, c, d] = hash;
  for (let index = start; index < end; index++) {
    a ^= bytes[index] ?? 0;
    // times the prime 2^40 + 0x1b3: 0x1b3 reaches every limb, 2^40 moves the lowest 24 bits up by two limbs and a half
    const low = a * 0x1b3;
    const next = b * 0x1b3 + (low >>> 16);
    const third = c * 0x1b3 + (a << 8) + (next >>> 16);
    const last = d * 0x1b3 + (b << 8) + (third >>> 16);
    a = low & 0xffff;
    b = next & 0xffff;
    c = third & 0xffff;
    d = last & 0xffff;
  }
  return [a, b, c, d];
}
