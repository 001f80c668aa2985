// The keys of a collection and the items that have them. A Map of a million strings takes five times as long to make: here
// a key is a 32-bit hash in one array, and keys are compared only if their hashes are equal.

/** A map from keys to the indices of their items. `keyOf` returns the key of an index. */
export function keyTable(keyOf: (index: number) => string | undefined) {
  let size = 1 << 10;
  let count = 0;
  /** The hash of a key, and its index plus 1, which is 0 if the place is free. */
  let places = new Uint32Array(2 * size);

  /** The place of a key, or the free place for it. */
  function placeOf(key: string, hash: number): number {
    let place = hash & (size - 1);
    for (; places[2 * place + 1] !== 0; place = (place + 1) & (size - 1)) {
      if (places[2 * place] === hash && keyOf((places[2 * place + 1] ?? 0) - 1) === key) break;
    }
    return place;
  }

  function grow(): void {
    const old = places;
    size *= 2;
    places = new Uint32Array(2 * size);
    for (let at = 0; at < old.length; at += 2) {
      const [hash = 0, entry = 0] = [old[at], old[at + 1]];
      if (entry === 0) continue;
      let place = hash & (size - 1);
      while (places[2 * place + 1] !== 0) place = (place + 1) & (size - 1);
      places[2 * place] = hash;
      places[2 * place + 1] = entry;
    }
  }

  return {
    find(key: string): number | undefined {
      const entry = places[2 * placeOf(key, hashOf(key)) + 1] ?? 0;
      return entry === 0 ? undefined : entry - 1;
    },
    /** Returns false if the table has the key already. */
    add(key: string, index: number): boolean {
      const hash = hashOf(key);
      const place = placeOf(key, hash);
      if (places[2 * place + 1] !== 0) return false;
      places[2 * place] = hash;
      places[2 * place + 1] = index + 1;
      if (2 * ++count > size) grow();
      return true;
    },
  };
}

/** FNV-1a of the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
