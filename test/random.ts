/** Numbers from 0 up to 1, reproducible by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices from `randomFrom`. */
export function random(seed: number) {
  const next = randomFrom(seed);
  const int = (below: number): number => Math.floor(next() * below);
  function pick<T>(all: readonly T[]): T {
    const chosen = all[int(all.length)];
    if (chosen === undefined) throw new Error("There is nothing to choose from.");
    return chosen;
  }
  return { int, pick, chance: (probability: number): boolean => next() < probability };
}
