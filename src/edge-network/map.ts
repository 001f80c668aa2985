// The map: the land with a circle for each country that has regions. The area of the circle shows the capacity, its
// ring shows the states of the regions, and its link leads to the row of the table.

import { type Html, html } from "../index.ts";
import { countryName, type MapPlace, type Network, places, type RegionGroup } from "./network.ts";
import { type Circle, movedApart } from "./places.ts";
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
}

const scales: readonly Scale[] = [
  { name: "wide", least: 4.5, marked: 8, most: 34, gap: 2 },
  { name: "narrow", least: 9, marked: 16, most: 52, gap: 4 },
];

/** The least radius of circles with text. */
const labelled = 11;

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
<p>Each circle is a country. Area: ${nodesIn === undefined ? "regions" : "capacity"}, largest ${legend}. Ring: state of its regions.${unknown.length > 0 && html` Not on the map: ${links(unknown)}.`}</p>
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
  // Without the stylesheet, only one of the scales is shown.
  return html`<g class="${scale.name}"${scale.name === "narrow" && html` display="none"`}>
${drawn}</g>`;
}

function radius({ tone }: RegionGroup, share: number, { least, marked, most }: Scale): number {
  const own = most * Math.sqrt(Number.isFinite(share) ? share : 0);
  return Math.max(own, tone === "good" ? least : marked);
}

function circle(group: RegionGroup, { x, y, r }: Circle, scale: Scale): Html {
  const { name, tone } = group;
  const shapes = [
    html`<circle class="disc ${tone}" cx="${x}" cy="${y}" r="${r}"/>`,
    ring(group, { x, y, r }),
    mark(tone, { x, y, r: Math.min(r, scale.marked * 1.4) }),
    scale.name === "wide" && label(group, { x, y, r }),
  ];
  // Only one of the two scales is shown, and both share a text.
  const text = `about-${name}`;
  if (scale.name === "narrow") return html`<a href="#${countryAnchor(name)}" aria-labelledby="${text}">${shapes}</a>\n`;
  return html`<a href="#${countryAnchor(name)}"><title id="${text}">${aboutCountry(group)}</title>${shapes}</a>\n`;
}

const aboutCountry = ({ name, regions, states, load }: RegionGroup): string =>
  [
    `${countryName(name)} (${name}): ${counted(regions.length, "region")}, ${statesText(states, regions.length)}`,
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

/** The country's code, if the circle is large enough and has no mark. */
const label = ({ name, tone }: RegionGroup, { x, y, r }: Circle): Html | false =>
  tone === "good" && r >= labelled && html`<text x="${x}" y="${y}">${name}</text>`;

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
