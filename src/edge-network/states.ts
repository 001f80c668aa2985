// The severity of states in the publisher's words. The vocabularies are open: an unknown word is neither good nor bad.

export const tones = ["down", "warn", "other", "good"] as const;

/** The severity of a state: an outage, degraded, anything else such as planned maintenance, or good. */
export type Tone = (typeof tones)[number];

const words: Readonly<Record<Tone, readonly string[]>> = {
  down: [
    ...["outage", "major outage", "full outage", "down", "offline", "unavailable", "unreachable", "unhealthy"],
    ...["critical", "dead", "disrupted", "error", "failed", "failing", "failure", "red"],
  ],
  warn: [
    ...["degraded", "degraded performance", "partial", "partial outage", "minor outage", "partially degraded"],
    ...["at risk", "draining", "impaired", "limited", "overloaded", "slow", "unstable", "warning", "yellow", "amber"],
  ],
  other: [],
  good: [
    ...["operational", "active", "available", "enabled", "green", "healthy", "in service", "live", "normal"],
    ...["ok", "online", "open", "ready", "running", "serving", "up"],
  ],
};

const known: ReadonlyMap<string, Tone> = new Map(
  tones.flatMap((tone) => words[tone].map((word) => [word, tone] as const)),
);

export const toneOf = (state: string): Tone => known.get(state) ?? known.get(stateName(state).toLowerCase()) ?? "other";

/** `partial outage` for `partial_outage`. */
export const stateName = (state: string): string => state.replaceAll(/\b-\b|_/g, " ");

/** The worst first. */
export const byGravity = (one: Tone, other: Tone): number => tones.indexOf(one) - tones.indexOf(other);

/** The severity of the worst state; good if there is none. */
export const gravest = (states: Iterable<string>): Tone => Array.from(states, toneOf).sort(byGravity)[0] ?? "good";

/** The number of things in each state. */
export type Counts = ReadonlyMap<string, number>;

export const countsOf = (states: readonly string[]): Counts => sumOf(states.map((state) => new Map([[state, 1]])));

export function sumOf(all: Iterable<Counts>): Counts {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [state, count] of counts) sums.set(state, (sums.get(state) ?? 0) + count);
  return sorted(sums);
}

/** The number of things in all states. */
export const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The worst first, then the most frequent. */
const sorted = (counts: ReadonlyMap<string, number>): Counts =>
  new Map(
    [...counts].toSorted(
      ([one, many], [other, more]) => byGravity(toneOf(one), toneOf(other)) || more - many || (one < other ? -1 : 1),
    ),
  );

/** The states that are not good. */
export const troubles = (counts: Counts): Counts => new Map([...counts].filter(([state]) => toneOf(state) !== "good"));
