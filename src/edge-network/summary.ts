// Sums up the network in one line: the worst of the status document, its components and the regions. Nodes are details
// below the line. Planned states, such as maintenance, and unknown words are facts, not alarms.
import type { Tone } from "../index.ts";
import type { Network } from "./network.ts";
import { bySeverity, type Counts, countsOf, issuesIn, stateName, toneOf, total } from "./states.ts";
import { counted, numberText } from "./text.ts";

export interface NetworkSummary {
  readonly tone: Tone;
  readonly headline: string;
  /** Further facts, a sentence each. */
  readonly details: readonly string[];
}

export function summaryOf({ status, regions = [], load }: Network): NetworkSummary {
  const components = countsOf((status?.components ?? []).map((component) => component.status));
  const places = countsOf(regions.map((region) => region.status));
  const details = [issuesOf(components, "component"), issuesOf(places, "region"), issuesOf(load.states, "node")].flat();
  const alarms = [...alarmsOf(components, "component"), ...alarmsOf(places, "region")].toSorted((one, other) =>
    bySeverity(one.tone, other.tone),
  );
  const [worst] = alarms;
  const named = [...(status?.components ?? []), ...regions].filter((thing) => thing.status === worst?.state);
  const names = alarms.length === 1 && named.length <= maxNames ? `: ${named.map(({ name }) => name).join(", ")}` : "";
  const texts = alarms.map(({ text }) => text).join(" and ") + names;
  const overall = status === undefined ? "good" : toneOf(status.status);
  const tone = worst === undefined || bySeverity(overall, worst.tone) < 0 ? overall : worst.tone;
  if (status === undefined) return { tone, headline: texts === "" ? "No problems reported" : texts, details };
  if (overall !== "good") return { tone, headline: `Service status: ${stateName(status.status)}`, details };
  if (texts === "") return { tone, headline: "All systems operational", details };
  const word = stateName(status.status);
  return { tone, headline: `${word.charAt(0).toUpperCase()}${word.slice(1)}, with ${texts}`, details };
}

/** More names would hide the rest of the headline. */
const maxNames = 3;

interface Alarm {
  readonly tone: Tone;
  readonly state: string;
  readonly text: string;
}

/** The most alarming state of some things: `2 degraded regions`, `1 region with an outage`. None if there is no alarm. */
function alarmsOf(states: Counts, noun: string): readonly Alarm[] {
  const [worst] = states;
  if (worst === undefined) return [];
  const [state, count] = worst;
  const tone = toneOf(state);
  if (tone !== "down" && tone !== "warn") return [];
  const words = predicate(state);
  const nouns = count === 1 ? noun : `${noun}s`;
  const phrase = words.startsWith("with") ? `${nouns} ${words}` : `${words} ${nouns}`;
  return [{ tone, state, text: `${numberText(count)} ${phrase}` }];
}

/** At most one sentence: `2 of 14 nodes degraded, 1 in maintenance`. */
function issuesOf(states: Counts, noun: string): readonly string[] {
  const [worst, ...others] = issuesIn(states);
  if (worst === undefined) return [];
  const [state, count] = worst;
  const more = others.map(([other, amount]) => `, ${numberText(amount)} ${predicate(other)}`).join("");
  return [`${numberText(count)} of ${counted(total(states), noun)} ${predicate(state)}${more}`];
}

/** A state as a predicate: `in maintenance`. */
function predicate(state: string): string {
  const words = stateName(state);
  if (/\boutage$/i.test(words)) return `with ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
  return /\bmaintenance$/i.test(words) ? `in ${words}` : words;
}
