// The map: the land with a circle for each country that has regions. The area of the circle shows the capacity, its
// ring shows the states of the regions, and its link leads to the row of the table.
import { type Html, html } from "../index.ts";
import { countryName, mostApart, type Network, placeOf, type RegionEntry, type RegionGroup } from "./network.ts";
import { type Circle, type Moved, movedApart, rounded } from "./places.ts";
import { byGravity, stateName, sumOf, type Tone, toneOf, tones, troubles } from "./states.ts";
import { capacityText, counted, countryAnchor, countsText, statesText, toneMark } from "./text.ts";
import world from "./world.json" with { type: "json" };

const { land, size } = world;

/** A country at its place on the map. */
interface Dot extends RegionGroup {
  readonly x: number;
  readonly y: number;
  /** The capacity, or the number of regions if the deployment does not list nodes. */
  readonly amount: number;
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

/** `countries` are the countries of all regions. Empty if the map has no place for any country. */
export function mapFigure({ nodesIn, regions = [] }: Network, countries: readonly RegionGroup[]): Html {
  const dots = countries.flatMap((group): readonly Dot[] => {
    const place = placeOf(group.name);
    const amount = nodesIn === undefined ? group.regions.length : group.load.capacity;
    return place === undefined ? [] : [{ ...group, x: place.x, y: place.y, amount }];
  });
  if (dots.length === 0) return html``;
  const unknown = countries.filter(({ name }) => placeOf(name) === undefined);
  const about = `World map: ${counted(regions.length, "region")} in ${counted(countries.length, "country", "countries")}.`;
  const most = Math.max(...dots.map(({ amount }) => amount));
  const legend =
    nodesIn === undefined ? `regions, largest ${counted(most, "region")}` : `capacity, largest ${capacityText(most)}`;
  return html`<figure class="map">
<a class="skip" href="#regions">Skip the map</a>
<svg viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${about} The tables below have the same facts." fill="none">
<path class="land" transform="scale(.5)" fill="#ddd" d="${land}"/>
${scales.map((scale) => circles(dots, most, scale))}
</svg>
<figcaption>
${key(dots)}
<p>Each circle is a country, its parts are regions. Area: ${legend}. A dot is the place of a circle that was moved.${unknown.length > 0 && html` Not on the map: ${links(unknown)}.`}</p>
</figcaption>
</figure>`;
}

const links = (groups: readonly RegionGroup[]) =>
  groups.map(({ name }, index) => html`${index > 0 && ", "}<a href="#${countryAnchor(name)}">${name}</a>`);

/** The most states that the legend names for a mark. */
const mostStates = 4;

/** The legend: the states that each mark represents, the worst first. */
function key(dots: readonly Dot[]): Html {
  const states = [...sumOf(dots.map((each) => each.states)).keys()];
  const marks = tones.flatMap((tone) => {
    const names = states.filter((state) => toneOf(state) === tone).map(stateName);
    const text = [...names.slice(0, mostStates), ...(names.length > mostStates ? ["…"] : [])].join(", ");
    return names.length === 0 ? [] : [html`<li>${toneMark(tone, text)}</li>\n`];
  });
  return html`<ul class="key">
${marks}</ul>`;
}

function circles(dots: readonly Dot[], most: number, scale: Scale): Html {
  // The worst last, because later circles are on top.
  const ordered = dots.toSorted((one, other) => byGravity(other.tone, one.tone) || other.amount - one.amount);
  const homes = ordered.map((dot) => ({ ...dot, r: radius(dot, most, scale) }));
  const moved = movedApart(homes, size, scale.gap);
  // Without the stylesheet, only one of the scales is shown.
  return html`<g class="${scale.name}"${scale.name === "narrow" && html` display="none"`}>
${moved.map(({ home, at }) => circle(home, at, scale))}${pointers(moved)}${moved.map(({ home, at }) => inscription(home, at, scale))}</g>`;
}

/** A dot at the place of each circle that was moved away from it, and a line from the circle to the dot. */
function pointers(moved: readonly Moved<Circle>[]): Html | undefined {
  const dots: string[] = [];
  const lines: string[] = [];
  for (const { home, at } of moved) {
    const { x, y } = home;
    const [right, down] = [x - at.x, y - at.y];
    const distance = Math.sqrt(right * right + down * down);
    if (distance < at.r * leastMoved) continue;
    dots.push(`M${x} ${y}h0`);
    const edge = at.r / distance;
    if (edge < 1) lines.push(`M${x} ${y}L${rounded(at.x + right * edge)} ${rounded(at.y + down * edge)}`);
  }
  if (dots.length === 0) return undefined;
  return html`<path class="pointer" d="${lines.join("")}"/><path class="home" d="${dots.join("")}"/>\n`;
}

/** In radii: circles that were moved less are at their places. */
const leastMoved = 0.45;

function radius({ tone, regions, amount }: Dot, largest: number, { least, marked, most }: Scale): number {
  const share = amount / largest;
  const own = most * Math.sqrt(Number.isFinite(share) ? share : 0);
  return Math.max(own, tone === "good" && regions.length === 1 ? least : marked);
}

/** One of the two scales is shown. The links of the narrow map take their names from the titles of the wide map. */
function circle(group: RegionGroup, at: Circle, scale: Scale): Html {
  const { name, regions } = group;
  const text = `about-${name}`;
  const [only, another] = regions;
  const href = only === undefined || another !== undefined ? countryAnchor(name) : only.code;
  const named = (content: unknown) => html`<a href="#${href}" aria-labelledby="${text}">${content}</a>`;
  const title = html`<title id="${text}">${about(group)}</title>`;
  if (regions.length < 2 || regions.length > mostApart) {
    const disc = html`<circle class="disc ${group.tone}" cx="${at.x}" cy="${at.y}" r="${at.r}"/>${ring(group, at)}`;
    return scale.name === "narrow" ? html`${named(disc)}\n` : html`<a href="#${href}">${title}${disc}</a>\n`;
  }
  const sectors = regions.map((region, index) => sector(region, index, regions.length, at));
  const hub = html`<circle class="disc hub ${group.tone}" cx="${at.x}" cy="${at.y}" r="${scale.letters}"/>`;
  if (scale.name === "narrow") return html`${named([sectors, hub])}\n`;
  const links = regions.map(
    (region, index) => html`<a href="#${region.code}"><title>${aboutRegion(region)}</title>${sectors[index]}</a>\n`,
  );
  return html`<g>${title}
${links}${named(hub)}</g>\n`;
}

/** A part of a circle: equal parts, clockwise from the top. */
function sector({ tone }: RegionEntry, index: number, count: number, { x, y, r }: Circle): Html {
  const [from, to] = [index, index + 1].map((each) => pointOn({ x, y, r }, each / count));
  return html`<path class="disc ${tone}" d="M${x} ${y}L${from}A${r} ${r} 0 0 1 ${to}z"/>`;
}

function pointOn({ x, y, r }: Circle, share: number): string {
  const angle = 2 * Math.PI * share;
  return [x + r * Math.sin(angle), y - r * Math.cos(angle)].map(rounded).join(" ");
}

function about({ name, regions, states, load }: RegionGroup): string {
  const [only, another] = regions;
  if (only !== undefined && another === undefined) return aboutRegion(only);
  return withLoad(`${countryName(name)} (${name}): ${counted(regions.length, "region")}, ${statesText(states)}`, load);
}

const aboutRegion = ({ name, code, country, status, load }: RegionEntry): string =>
  withLoad(`${name} (${code}), ${countryName(country)}: ${stateName(status)}`, load);

/** Adds the load to a text: `…; 14 nodes (2 degraded), 1.2 Tbit/s`. */
function withLoad(text: string, { nodes, capacity, states }: RegionGroup["load"]): string {
  const grave = troubles(states);
  const of = grave.size === 0 ? "" : ` (${countsText(grave)})`;
  return nodes === 0 ? text : `${text}; ${counted(nodes, "node")}${of}, ${capacityText(capacity)}`;
}

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
  return [
    mark(tone, { x, y: rounded(y - letters * 0.5), r: letters * 0.75 }),
    html`<text class="${tone}" x="${x}" y="${rounded(y + letters * 0.5)}">${name}</text>`,
  ];
}

/** The shape of a state, the same as beside its word: a triangle, a square on its corner, a bar. */
function mark(tone: Exclude<Tone, "good">, { x, y, r }: Circle): Html {
  const part = (share: number): number => rounded(r * share);
  const shapes = {
    warn: `m0 ${-part(0.5)}l${part(0.5)} ${part(0.87)}h${-2 * part(0.5)}z`,
    down: `m0 ${-part(0.55)}l${part(0.55)} ${part(0.55)}l${-part(0.55)} ${part(0.55)}l${-part(0.55)} ${-part(0.55)}z`,
    other: `m${-part(0.45)} ${-part(0.16)}h${2 * part(0.45)}v${2 * part(0.16)}h${-2 * part(0.45)}z`,
  };
  return html`<path class="mark ${tone}" d="m${x} ${y}${shapes[tone]}"/>`;
}
