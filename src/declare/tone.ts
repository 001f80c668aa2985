// The meaning of the words of a status, the same on every page. Vocabularies are open: an unknown word is neither good nor
// bad. Nor is a word for a planned state, or for something that is no longer in use.

/** The severity of a state: an outage, degraded, anything else such as planned maintenance, or good. */
export type Tone = "down" | "warn" | "other" | "good";

const words: Readonly<Record<Exclude<Tone, "other">, readonly string[]>> = {
  down: [
    "outage",
    "major",
    "major outage",
    "full outage",
    "down",
    "offline",
    "unavailable",
    "unreachable",
    "unhealthy",
    "broken",
    "critical",
    "dead",
    "disrupted",
    "error",
    "failed",
    "failing",
    "failure",
    "red",
    "rejected",
  ],
  warn: [
    "degraded",
    "partial",
    "partially degraded",
    "minor outage",
    "at risk",
    "draining",
    "impaired",
    "limited",
    "overloaded",
    "slow",
    "unstable",
    "warning",
    "yellow",
    "amber",
    "beta",
    "deprecated",
    "draft",
    "pending",
    "processing",
  ],
  good: [
    "operational",
    "active",
    "available",
    "done",
    "enabled",
    "green",
    "healthy",
    "in service",
    "live",
    "normal",
    "ok",
    "online",
    "open",
    "passed",
    "published",
    "ready",
    "running",
    "serving",
    "up",
  ],
};

const toneByWord: ReadonlyMap<string, Tone> = new Map(
  (["down", "warn", "good"] as const).flatMap((tone) => words[tone].map((word) => [word, tone] as const)),
);

/**
 * The severity of a state in words, with spaces, hyphens or underscores between them: `warn` for `draining`. If the whole
 * state is unknown, its first word decides, unless that word is good: `partial_outage` is `warn`, `open issues` is `other`.
 */
export function toneOf(state: string): Tone {
  const text = state.toLowerCase().replaceAll(/[-_ ]+/g, " ");
  const [first = ""] = text.split(" ");
  const ofFirst = toneByWord.get(first) ?? "other";
  return toneByWord.get(text) ?? (ofFirst === "good" ? "other" : ofFirst);
}
