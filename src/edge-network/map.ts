// The map: the land with a circle for each country that has regions. The area of the circle shows the capacity, its
// ring shows the states of the regions, and its link leads to the row of the table.

import { type Html, html } from "../index.ts";
import {
  countryName,
  type MapPlace,
  mostApart,
  type Network,
  places,
  type RegionEntry,
  type RegionGroup,
} from "./network.ts";
import { type Circle, movedApart, rounded } from "./places.ts";
import { byGravity, stateName, sumOf, type Tone, toneOf, tones } from "./states.ts";
import { capacityText, counted, countryAnchor, loadText, statesText, toneMark } from "./text.ts";
import world from "./world.json" with { type: "json" };

const { land, size } = world;

interface Dot {
  readonly group: RegionGroup;
  readonly place: MapPlace;
}

/** In units of the map. A wide screen shows the map at about its size, a phone at a third. */
interface Scale {
  readonly name: "wide" | "narrow";
  readonly least: number;
  /** The least radius of circles with a mark. */
  readonly marked: number;
  readonly most: number;
  readonly gap: number;
  /** The size of letters, as in the stylesheet. */
  readonly letters: number;
}

const scales: readonly Scale[] = [
  { name: "wide", least: 10, marked: 12, most: 32, gap: 2, letters: 9 },
  { name: "narrow", least: 24, marked: 30, most: 52, gap: 3, letters: 23 },
];

/** `countries` are the countries of all regions. Empty if the map has none of them. */
export function mapFigure({ nodesIn, regions = [] }: Network, countries: readonly RegionGroup[]): Html {
  const dots = countries.flatMap((group): readonly Dot[] => {
    const place = Object.hasOwn(places, group.name) ? places[group.name] : undefined;
    return place === undefined ? [] : [{ group, place }];
  });
  if (dots.length === 0) return html``;
  const unknown = countries.filter(({ name }) => !Object.hasOwn(places, name));
  const amountOf: AmountOf = nodesIn === undefined ? ({ regions: own }) => own.length : ({ load }) => load.capacity;
  const about = `World map: ${counted(regions.length, "region")} in ${counted(countries.length, "country", "countries")}.`;
  const most = Math.max(...dots.map(({ group }) => amountOf(group)));
  const legend = nodesIn === undefined ? counted(most, "region") : capacityText(most);
  return html`<figure class="map">
<a class="skip" href="#regions">Skip the map</a>
<svg viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${about} The tables below have the same facts." fill="none">
<path class="land" transform="scale(.5)" fill="#ddd" d="${land}"/>
${scales.map((scale) => circles(dots, amountOf, most, scale))}
</svg>
<figcaption>
${key(dots)}
<p>Each circle is a country, its parts are regions. Area: ${nodesIn === undefined ? "regions" : "capacity"}, largest ${legend}. A dot is the place of a circle that was moved.${unknown.length > 0 && html` Not on the map: ${links(unknown)}.`}</p>
</figcaption>
</figure>`;
}

type AmountOf = (group: RegionGroup) => number;

const links = (groups: readonly RegionGroup[]) =>
  groups.map(({ name }, index) => html`${index > 0 && ", "}<a href="#${countryAnchor(name)}">${name}</a>`);

/** The legend: the states that each mark represents, the worst first. */
function key(dots: readonly Dot[]): Html {
  const states = [...sumOf(dots.map(({ group }) => group.states)).keys()];
  const items = tones.map((tone) => ({ tone, words: states.filter((state) => toneOf(state) === tone) }));
  const used = items.filter(({ words }) => words.length > 0);
  const text = (words: readonly string[]): string =>
    [...words.slice(0, shown).map(stateName), ...(words.length > shown ? ["…"] : [])].join(", ");
  return html`<ul class="key">
${used.map(({ tone, words }) => html`<li>${toneMark(tone, text(words))}</li>\n`)}</ul>`;
}

/** The most states that the legend names for a mark. */
const shown = 4;

function circles(dots: readonly Dot[], amountOf: AmountOf, most: number, scale: Scale): Html {
  // The worst last, because later circles are on top.
  const ordered = dots.toSorted(
    (one, other) => byGravity(other.group.tone, one.group.tone) || amountOf(other.group) - amountOf(one.group),
  );
  const homes = ordered.map(({ group, place: { x, y } }) => ({
    x,
    y,
    r: radius(group, amountOf(group) / most, scale),
  }));
  const moved = movedApart(homes, size, scale.gap);
  const drawn = ordered.map(({ group }, index) => circle(group, moved[index] ?? { x: 0, y: 0, r: 0 }, scale));
  const texts = ordered.map(({ group }, index) => inscription(group, moved[index] ?? { x: 0, y: 0, r: 0 }, scale));
  // Without the stylesheet, only one of the scales is shown.
  return html`<g class="${scale.name}"${scale.name === "narrow" && html` display="none"`}>
${drawn}${pointers(homes, moved)}${texts}</g>`;
}

/** A dot at the place of each circle that was moved away from it, and a line from the circle to the dot. */
function pointers(homes: readonly Circle[], moved: readonly Circle[]): Html | undefined {
  const dots: string[] = [];
  const lines: string[] = [];
  for (const [index, { x, y }] of homes.entries()) {
    const at = moved[index];
    if (at === undefined) continue;
    const [right, down] = [x - at.x, y - at.y];
    const distance = Math.sqrt(right * right + down * down);
    if (distance < at.r * leastMoved) continue;
    dots.push(`M${x} ${y}h0`);
    const edge = at.r / distance;
    if (edge < 1) lines.push(`M${x} ${y}L${rounded(at.x + right * edge)} ${rounded(at.y + down * edge)}`);
  }
  return dots.length === 0
    ? undefined
    : html`<path class="pointer" d="${lines.join("")}"/><path class="home" d="${dots.join("")}"/>\n`;
}

/** In radii: circles that were moved less are at their places. */
const leastMoved = 0.45;

function radius({ tone, regions }: RegionGroup, share: number, { least, marked, most }: Scale): number {
  const own = most * Math.sqrt(Number.isFinite(share) ? share : 0);
  return Math.max(own, tone === "good" && regions.length === 1 ? least : marked);
}

/** The map has two scales, of which one is shown. The links of both share the text about a country. */
function circle(group: RegionGroup, at: Circle, scale: Scale): Html {
  const { name, regions } = group;
  const text = `about-${name}`;
  const [only, another] = regions;
  const href = only === undefined || another !== undefined ? countryAnchor(name) : only.code;
  const parts = regions.length > 1 && regions.length <= mostApart ? regions : [];
  const disc = html`<circle class="disc ${group.tone}" cx="${at.x}" cy="${at.y}" r="${at.r}"/>${ring(group, at)}`;
  if (scale.name === "narrow") {
    const shapes =
      parts.length === 0
        ? disc
        : [...parts.map((region, index) => sector(region, index, parts.length, at)), hub(group, at, scale)];
    return html`<a href="#${href}" aria-labelledby="${text}">${shapes}</a>\n`;
  }
  if (parts.length === 0) {
    return html`<a href="#${href}"><title id="${text}">${about(group)}</title>${disc}</a>\n`;
  }
  const links = parts.map(
    (region, index) =>
      html`<a href="#${region.code}"><title>${aboutRegion(region)}</title>${sector(region, index, parts.length, at)}</a>\n`,
  );
  return html`<g><title id="${text}">${about(group)}</title>
${links}<a href="#${href}" aria-labelledby="${text}">${hub(group, at, scale)}</a></g>\n`;
}

/** A part of a circle: equal parts, clockwise from the top. */
function sector({ tone }: RegionEntry, index: number, count: number, { x, y, r }: Circle): Html {
  const [from, to] = [index, index + 1].map((each) => pointOn({ x, y, r }, each / count));
  return html`<path class="disc ${tone}" d="M${x} ${y}L${from}A${r} ${r} 0 0 1 ${to}z"/>`;
}

/** The middle of a circle with parts, for its letters. */
const hub = ({ tone }: RegionGroup, { x, y }: Circle, { letters }: Scale): Html =>
  html`<circle class="disc hub ${tone}" cx="${x}" cy="${y}" r="${letters}"/>`;

function pointOn({ x, y, r }: Circle, share: number): string {
  const angle = 2 * Math.PI * share;
  return [x + r * Math.sin(angle), y - r * Math.cos(angle)].map(rounded).join(" ");
}

const about = (group: RegionGroup): string => {
  const { name, regions, states, load } = group;
  const [only, another] = regions;
  if (only !== undefined && another === undefined) return aboutRegion(only);
  return [
    `${countryName(name)} (${name}): ${counted(regions.length, "region")}, ${statesText(states, regions.length)}`,
    ...(load.nodes === 0 ? [] : [loadText(load)]),
  ].join("; ");
};

const aboutRegion = ({ name, code, country, status, load }: RegionEntry): string =>
  [
    `${name} (${code}), ${countryName(country)}: ${stateName(status)}`,
    ...(load.nodes === 0 ? [] : [loadText(load)]),
  ].join("; ");

/** An arc for each state if the regions have several states. The first arc starts at the top. */
function ring({ states, regions }: RegionGroup, { x, y, r }: Circle): readonly Html[] {
  if (states.size < 2) return [];
  let before = 0;
  return [...states].map(([state, count]) => {
    const offset = -before;
    before += count;
    return html`<circle class="arc ${toneOf(state)}" transform="rotate(-90 ${x} ${y})" cx="${x}" cy="${y}" r="${r}" pathLength="${regions.length}" stroke-dasharray="${count} ${regions.length}" stroke-dashoffset="${offset}"/>`;
  });
}

/** The country's code and the mark of its state, as far as there is room. */
function inscription({ name, tone }: RegionGroup, { x, y, r }: Circle, { letters, marked }: Scale): readonly unknown[] {
  const hasLetters = r >= letters;
  if (tone === "good") return [hasLetters && html`<text class="${tone}" x="${x}" y="${y}">${name}</text>`];
  if (!hasLetters) return [mark(tone, { x, y, r: Math.min(r, marked) })];
  const part = (share: number): number => Math.round((y + letters * share) * 10) / 10;
  return [
    mark(tone, { x, y: part(-0.5), r: letters * 0.75 }),
    html`<text class="${tone}" x="${x}" y="${part(0.5)}">${name}</text>`,
  ];
}

/** The shape of a state, the same as beside its word: a triangle, a square on its corner, a bar. */
function mark(tone: Tone, { x, y, r }: Circle): Html | false {
  if (tone === "good") return false;
  const part = (share: number): number => Math.round(r * share * 10) / 10;
  const shapes: Readonly<Record<Exclude<Tone, "good">, string>> = {
    warn: `m${x} ${y}m0 ${-part(0.5)}l${part(0.5)} ${part(0.87)}h${-2 * part(0.5)}z`,
    down: `m${x} ${y}m0 ${-part(0.55)}l${part(0.55)} ${part(0.55)}l${-part(0.55)} ${part(0.55)}l${-part(0.55)} ${-part(0.55)}z`,
    other: `m${x} ${y}m${-part(0.45)} ${-part(0.16)}h${2 * part(0.45)}v${2 * part(0.16)}h${-2 * part(0.45)}z`,
  };
  return html`<path class="mark ${tone}" d="${shapes[tone]}"/>`;
}
