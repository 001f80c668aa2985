// Sums up the network in one line. The line agrees with the status document, in which the publisher sums up the
// service. Problems of regions and nodes are details below the line. Planned states, such as maintenance, and unknown
// words are facts, not alarms.
import { loadOfAll, type Network } from "./network.ts";
import { byGravity, type Counts, countsOf, stateName, type Tone, toneOf, total, troubles } from "./states.ts";
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

export function summaryOf({ status, regions = [], loads }: Network): NetworkSummary {
  const components = issuesOf(countsOf((status?.components ?? []).map((each) => each.status)), "component");
  const places = issuesOf(countsOf(regions.map((each) => each.status)), "region");
  const nodes = issuesOf(loadOfAll([...loads.values()]).states, "node");
  const issues = [...components, ...places].toSorted((one, other) => byGravity(one.tone, other.tone));
  const details = [...issues, ...nodes].map(({ text }) => text);
  if (status === undefined) {
    const [first, ...others] = details;
    const alarm = issues.find(isAlarm);
    if (alarm !== undefined && first !== undefined) return { tone: alarm.tone, headline: first, details: others };
    return { tone: "good", headline: "No problems reported", details };
  }
  const own = toneOf(status.status);
  const alarm = components.find(isAlarm);
  // Components are a part of the status document, so an alarm of a component decides the line, even if the document
  // calls the service good.
  const tone = alarm === undefined || byGravity(own, alarm.tone) < 0 ? own : alarm.tone;
  if (own === "good" && details.length === 0) return { tone, headline: "All systems operational", details };
  const headline = `Service status: ${stateName(status.status)}`;
  if (own !== "good" || alarm === undefined) return { tone, headline, details };
  return { tone, headline: alarm.text, details: [headline, ...details.filter((text) => text !== alarm.text)] };
}

const isAlarm = ({ tone }: Issue): boolean => tone === "down" || tone === "warn";

/** At most one issue: `2 of 14 nodes degraded, 1 in maintenance`. */
function issuesOf(states: Counts, noun: string): readonly Issue[] {
  const [[first, count] = [], ...others] = troubles(states);
  if (first === undefined || count === undefined) return [];
  const more = others.map(([state, amount]) => `, ${numberText(amount)} ${predicate(state)}`).join("");
  const text = `${numberText(count)} of ${counted(total(states), noun)} ${predicate(first)}${more}`;
  return [{ tone: toneOf(first), text }];
}

/** A state as a predicate: `in maintenance`. */
function predicate(state: string): string {
  const words = stateName(state);
  if (/\boutage$/i.test(words)) return `with ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
  return /\bmaintenance$/i.test(words) ? `in ${words}` : words;
}
