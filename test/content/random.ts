// A random generator with a seed (mulberry32).
export function random(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  function pick<T>(all: readonly T[]): T {
    const chosen = all[int(all.length)];
    if (chosen === undefined) throw new Error("There is nothing to choose from.");
    return chosen;
  }
  return { int, pick, chance: (probability: number): boolean => next() < probability };
}
