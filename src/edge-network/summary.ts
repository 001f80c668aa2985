// Sums up the network in one line: the worst of the status document, its components and the regions. Nodes are details
// below the line. Planned states, such as maintenance, and unknown words are facts, not alarms.
import { type Tone, toneOf } from "../index.ts";
import type { Network } from "./network.ts";
import { byGravity, type Counts, countsOf, stateName, total, troubles } from "./states.ts";
import { counted, numberText } from "./text.ts";

export interface NetworkSummary {
  readonly tone: Tone;
  readonly headline: string;
  /** Further facts, a sentence each. */
  readonly details: readonly string[];
}

export function summaryOf({ status, regions = [], load }: Network): NetworkSummary {
  const components = countsOf((status?.components ?? []).map((each) => each.status));
  const places = countsOf(regions.map((each) => each.status));
  const details = [issuesOf(components, "component"), issuesOf(places, "region"), issuesOf(load.states, "node")].flat();
  const alarms = [...alarmsOf(components, "component"), ...alarmsOf(places, "region")].toSorted((one, other) =>
    byGravity(one.tone, other.tone),
  );
  const [worst] = alarms;
  const texts = alarms.map(({ text }) => text).join(" and ");
  const statusTone = status === undefined ? "good" : toneOf(status.status);
  const tone = worst === undefined || byGravity(statusTone, worst.tone) < 0 ? statusTone : worst.tone;
  if (status === undefined) return { tone, headline: texts === "" ? "No problems reported" : texts, details };
  if (statusTone !== "good") return { tone, headline: `Service status: ${stateName(status.status)}`, details };
  if (texts === "") return { tone, headline: "All systems operational", details };
  const word = stateName(status.status);
  return { tone, headline: `${word.charAt(0).toUpperCase()}${word.slice(1)}, with ${texts}`, details };
}

/** The most alarming state of some things: `2 degraded regions`, `1 region with an outage`. None if there is no alarm. */
function alarmsOf(states: Counts, noun: string): readonly { readonly tone: Tone; readonly text: string }[] {
  const [[state, count] = ["", 0]] = states;
  const tone = toneOf(state);
  if (count === 0 || (tone !== "down" && tone !== "warn")) return [];
  const words = predicate(state);
  const nouns = count === 1 ? noun : `${noun}s`;
  return [
    { tone, text: `${numberText(count)} ${words.startsWith("with") ? `${nouns} ${words}` : `${words} ${nouns}`}` },
  ];
}

/** At most one sentence: `2 of 14 nodes degraded, 1 in maintenance`. */
function issuesOf(states: Counts, noun: string): readonly string[] {
  const [[first, count] = [], ...others] = troubles(states);
  if (first === undefined || count === undefined) return [];
  const more = others.map(([state, amount]) => `, ${numberText(amount)} ${predicate(state)}`).join("");
  return [`${numberText(count)} of ${counted(total(states), noun)} ${predicate(first)}${more}`];
}

/** A state as a predicate: `in maintenance`. */
function predicate(state: string): string {
  const words = stateName(state);
  if (/\boutage$/i.test(words)) return `with ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
  return /\bmaintenance$/i.test(words) ? `in ${words}` : words;
}
