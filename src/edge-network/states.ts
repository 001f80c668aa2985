// The states of regions, nodes and components in words, counted, and ordered by their severity.
import type { Tone } from "../index.ts";

/** Vocabularies are open: an unknown word is neither good nor bad. */
export const severities = {
  outage: "down",
  offline: "down",
  failed: "down",
  degraded: "warn",
  draining: "warn",
  processing: "warn",
  operational: "good",
  ready: "good",
} as const;

const toneByWord: ReadonlyMap<string, Tone> = new Map(Object.entries(severities));

/** `other` for `maintenance` and for an unknown word. */
export const toneOf = (state: string): Tone => toneByWord.get(state) ?? "other";

/** The worst first. */
export const tones: readonly Tone[] = ["down", "warn", "other", "good"];

/** `partial outage` for `partial_outage`. */
export const stateName = (state: string): string => state.replaceAll(/\b-\b|_/g, " ");

/** The worst first. */
export const bySeverity = (one: Tone, other: Tone): number => tones.indexOf(one) - tones.indexOf(other);

/** The severity of the worst state; good if there is none. */
export const worstTone = (states: Iterable<string>): Tone => Array.from(states, toneOf).sort(bySeverity)[0] ?? "good";

/** The number of things in each state. */
export type Counts = ReadonlyMap<string, number>;

export const countsOf = (states: readonly string[]): Counts => sumOf(states.map((state) => new Map([[state, 1]])));

export function sumOf(all: Iterable<Counts>): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [state, count] of counts) sums.set(state, (sums.get(state) ?? 0) + count);
  }
  return sorted(sums);
}

/** The number of things in all states. */
export const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The worst first, then the most frequent. */
const sorted = (counts: ReadonlyMap<string, number>): Counts =>
  new Map(
    [...counts].toSorted(
      ([one, many], [other, more]) => bySeverity(toneOf(one), toneOf(other)) || more - many || (one < other ? -1 : 1),
    ),
  );

/** The states that are not good. */
export const issuesIn = (counts: Counts): Counts => new Map([...counts].filter(([state]) => toneOf(state) !== "good"));
