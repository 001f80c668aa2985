// Sums up the network in one line. The line agrees with the status document, in which the publisher sums up the
// service. Problems of regions and nodes are details below the line. Planned states, such as maintenance, and unknown
// words are facts, not alarms.

import { loadOfAll } from "./loads.ts";
import type { Network } from "./network.ts";
import { byGravity, type Counts, countsOf, gravest, stateName, type Tone, toneOf, troubles } from "./states.ts";
import { counted, numberText } from "./text.ts";

export interface NetworkSummary {
  readonly tone: Tone;
  readonly headline: string;
  /** Further facts, a sentence each. */
  readonly details: readonly string[];
}

interface Issue {
  readonly tone: Tone;
  readonly text: string;
}

export function summaryOf({ status, regions, loads }: Network): NetworkSummary {
  const load = loadOfAll([...loads.values()]);
  const components = issuesOf(
    countsOf((status?.components ?? []).map((each) => each.status)),
    status?.components.length ?? 0,
    "component",
  );
  const places = issuesOf(countsOf((regions ?? []).map((each) => each.status)), regions?.length ?? 0, "region");
  const nodes = issuesOf(load.states, load.nodes, "node");
  const issues = [...components, ...places].toSorted((one, other) => byGravity(one.tone, other.tone));
  const details = [...issues, ...nodes].map(({ text }) => text);
  if (status === undefined) {
    const [first, ...others] = details;
    const alarm = issues.find(isAlarm);
    if (alarm !== undefined && first !== undefined) return { tone: alarm.tone, headline: first, details: others };
    return { tone: "good", headline: "No problems reported", details };
  }
  const own = toneOf(status.status);
  // Components are a part of the status document, so an alarm of a component decides the line, even if the document
  // calls the service good.
  const tone = gravest([own, ...components.filter(isAlarm).map((each) => each.tone)]);
  if (own === "good" && details.length === 0) return { tone, headline: "All systems operational", details };
  const headline = `Service status: ${stateName(status.status)}`;
  const [alarm] = components.filter(isAlarm);
  if (own !== "good" || alarm === undefined) return { tone, headline, details };
  return { tone, headline: alarm.text, details: [headline, ...details.filter((text) => text !== alarm.text)] };
}

const isAlarm = ({ tone }: Issue): boolean => tone === "down" || tone === "warn";

/** At most one. */
function issuesOf(states: Counts, count: number, noun: string): readonly Issue[] {
  const grave = troubles(states);
  const [[first] = []] = grave;
  if (first === undefined) return [];
  const [, ...rest] = grave;
  const amount = `${numberText(grave.get(first) ?? 0)} of ${counted(count, noun)}`;
  const others =
    rest.length === 0 ? "" : `, ${rest.map(([state, count]) => `${numberText(count)} ${predicate(state)}`).join(", ")}`;
  return [{ tone: toneOf(first), text: `${amount} ${predicate(first)}${others}` }];
}

/** A state as a predicate: `in maintenance`. */
function predicate(state: string): string {
  const words = stateName(state);
  if (/\boutage$/i.test(words)) return `with ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
  return /\bmaintenance$/i.test(words) ? `in ${words}` : words;
}
