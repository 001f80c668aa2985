// Formats states and numbers, independently of the machine's language, and the headings of the network page. The anchor of
// a region is its code.
import { type Html, html, type Tone } from "../index.ts";
import { type Counts, stateName, total } from "./states.ts";

/** With thousands separators. Creating an `Intl.NumberFormat` takes longer than generating the page. */
export const numberText = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `1 node`, `2 nodes`. */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${numberText(count)} ${count === 1 ? noun : several}`;

const units = ["Gbit/s", "Tbit/s", "Pbit/s", "Ebit/s"] as const;

/** From Gbit/s, to three digits: `1.23 Tbit/s`. */
export function capacityText(capacity: number): string {
  const shown = Number(capacity.toPrecision(3));
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, shown)) / 3 + 1e-9)));
  return `${Number((shown / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

/** `2 degraded, 1 maintenance`. */
export const countsText = (counts: Counts): string =>
  [...counts].map(([state, count]) => `${numberText(count)} ${stateName(state)}`).join(", ");

/** The states of some things: one word if all have the same state. */
export function statesText(counts: Counts): string {
  const [[only] = [""]] = counts;
  if (counts.size > 1) return countsText(counts);
  return total(counts) === 1 ? stateName(only) : `all ${stateName(only)}`;
}

/** `2026-11-20 09:00 UTC` */
export const timeHtml = (time: string): Html =>
  html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 16)} UTC</time>`;

/** A text with the shape and colour of a severity. */
export const toneMark = (tone: Tone, text: string): Html => html`<span class="state ${tone}">${text}</span>`;

/** A heading that links to itself, so that readers can copy the address of every part of the page. */
export const heading = (level: 2 | 3, id: string, text: string | Html): Html =>
  html`<h${level} id="${id}"><a href="#${id}">${text}</a></h${level}>`;
