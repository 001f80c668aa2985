// The client's environment: time, chance, and whether the browser's cache revalidates answers.

export interface Environment {
  /** Calls back after so many milliseconds, at most 2^31-1. Returns a function that cancels the call. */
  readonly timer: (ring: () => void, milliseconds: number) => () => void;
  /** A number from 0 to 1, excluding 1. */
  readonly random: () => number;
  /** The milliseconds from now until an HTTP date; NaN if the text is not a date. */
  readonly until: (date: string) => number;
  /** Whether fetch has an HTTP cache, as in browsers' windows and workers, which have a location. */
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
