// The state of everything, in one line that a person understands.
import type { Network } from "./network-data.ts";
import { loadOfAll } from "./network-nodes.ts";
import { byGravity, type Counts, countsOf, gravest, type Tone, toneOf, troubles, wordsOf } from "./network-state.ts";
import { counted, numberText } from "./network-text.ts";

export interface Summary {
  readonly tone: Tone;
  readonly headline: string;
  /** What else there is to know. */
  readonly details: readonly string[];
}

export function summaryOf({ status, regions, loads }: Network): Summary {
  const components = countsOf((status?.components ?? []).map((each) => each.status));
  const states = countsOf((regions ?? []).map((each) => each.status));
  const found = [
    issueOf(components, status?.components.length ?? 0, "component"),
    issueOf(states, regions?.length ?? 0, "region"),
  ].filter((each) => each !== undefined);
  const own = status === undefined ? "good" : toneOf(status.status);
  const issues = found.toSorted((one, other) => byGravity(one.tone, other.tone)).map(({ text }) => text);
  const load = loadOfAll([...loads.values()]);
  const nodes = [issueOf(load.states, load.nodes, "node")].flatMap((each) => each?.text ?? []);
  const tone = gravest([own, ...found.map((each) => each.tone)]);
  if (status !== undefined && own !== "good") {
    return { tone, headline: `Service status: ${wordsOf(status.status)}`, details: [...issues, ...nodes] };
  }
  const [first, ...others] = issues;
  if (first !== undefined) return { tone, headline: first, details: [...others, ...nodes] };
  const headline = status === undefined ? "No problems reported" : "All systems operational";
  return { tone, headline, details: nodes };
}

function issueOf(states: Counts, count: number, noun: string): { tone: Tone; text: string } | undefined {
  const grave = troubles(states);
  const [[first] = []] = grave;
  if (first === undefined) return undefined;
  const [, ...rest] = grave;
  const amount = `${numberText(grave.get(first) ?? 0)} of ${counted(count, noun)}`;
  const others =
    rest.length === 0 ? "" : `, ${rest.map(([state, count]) => `${numberText(count)} ${predicate(state)}`).join(", ")}`;
  return { tone: toneOf(first), text: `${amount} ${predicate(first)}${others}` };
}

/** As what is said of things: `in maintenance`. */
function predicate(state: string): string {
  const words = wordsOf(state);
  if (/\boutage$/i.test(words)) return `with ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
  return /\bmaintenance$/i.test(words) ? `in ${words}` : words;
}
