// What the client takes from the machine: time, chance, and whether a cache of the browser revalidates by itself.

export interface Environment {
  /** Calls back later: after so many milliseconds, at most 2^31-1. Returns what calls it off. */
  readonly timer: (ring: () => void, milliseconds: number) => () => void;
  /** From 0 up to but without 1. */
  readonly random: () => number;
  /** The milliseconds from now until an HTTP date; NaN where it is none. */
  readonly until: (date: string) => number;
  /** Whether fetch has an HTTP cache, as in windows and workers of browsers, which have a location. */
  readonly hasCache: boolean;
}

export const here: Environment = {
  timer: (ring, milliseconds) => {
    const timeout = setTimeout(ring, milliseconds);
    return () => clearTimeout(timeout);
  },
  random: Math.random,
  // biome-ignore lint/style/noRestrictedGlobals: Retry-After may be a date, which only a clock turns into a wait
  until: (date) => Date.parse(date) - Date.now(),
  hasCache: Reflect.get(globalThis, "location") !== undefined,
};
