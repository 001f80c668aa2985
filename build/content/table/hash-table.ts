// Finds items by their texts without keeping the texts.

interface HashTable {
  /** `isSame`: whether an item has the text of the hash. */
  find(hash: number, isSame: (item: number) => boolean): number | undefined;
  /** Returns the item that has the text already. */
  add(hash: number, item: number, isSame: (item: number) => boolean): number | undefined;
}

/**
 * Items by their texts. One array has a 32-bit hash of each text, and texts are compared only if their hashes are equal. A Map
 * of a million strings takes three times as long to build, which adds a tenth to the time of reading a million items.
 */
export function hashTable(): HashTable {
  let size = 1 << 10;
  let count = 0;
  /** The hash of a text and its item plus 1, which is 0 if the place is free. */
  let places = new Uint32Array(2 * size);

  /** The place of a text, or the free place for it. */
  function placeOf(hash: number, isSame: (item: number) => boolean): number {
    let place = hash & (size - 1);
    for (let item = places[2 * place + 1]; item !== 0; item = places[2 * place + 1]) {
      if (places[2 * place] === hash && isSame((item ?? 0) - 1)) break;
      place = (place + 1) & (size - 1);
    }
    return 2 * place;
  }

  function grow(): void {
    const before = places;
    size *= 2;
    places = new Uint32Array(2 * size);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue;
      const hash = before[at] ?? 0;
      const place = placeOf(hash, () => false);
      places[place] = hash;
      places[place + 1] = before[at + 1] ?? 0;
    }
  }

  return {
    find(hash, isSame) {
      const item = places[placeOf(hash, isSame) + 1] ?? 0;
      return item === 0 ? undefined : item - 1;
    },
    add(hash, item, isSame) {
      const place = placeOf(hash, isSame);
      const first = places[place + 1] ?? 0;
      if (first !== 0) return first - 1;
      places[place] = hash;
      places[place + 1] = item + 1;
      if (2 * ++count > size) grow();
      return undefined;
    },
  };
}

/** FNV-1a of the code units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
