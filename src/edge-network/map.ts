// The map: the land with a circle for each country that has regions. The area of the circle shows the capacity, its
// ring shows the states of the regions, and it is a link to the rows of the tables.
import { type Html, html, type Tone } from "../index.ts";
import { countryName, groupsOf, type Network, placeOf, type RegionGroup } from "./network.ts";
import { type Circle, movedApart, rounded } from "./places.ts";
import { bySeverity, issuesIn, stateName, sumOf, toneOf, tones } from "./states.ts";
import { zoneAnchor } from "./tables.ts";
import { capacityText, counted, countsText, statesText, toneMark } from "./text.ts";
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
  readonly min: number;
  /** The smallest radius of circles with a mark. */
  readonly minMarked: number;
  readonly max: number;
  readonly gap: number;
  /** The size of letters, as in the stylesheet. */
  readonly letters: number;
}

/** A circle, which is a link, is at least 24 pixels wide in windows of 720 and of 320 pixels. */
const scales: readonly Scale[] = [
  { name: "wide", min: 18, minMarked: 18, max: 54, gap: 2, letters: 10 },
  { name: "narrow", min: 38, minMarked: 40, max: 84, gap: 3, letters: 23 },
];

/** The title of a circle names at most this number of regions. */
const maxNamed = 8;

/** Empty if the map has no place for any country. */
export function mapFigure({ nodesIn, regions = [] }: Network): Html {
  const countries = groupsOf(regions, "country");
  const dots = countries.flatMap((group): readonly Dot[] => {
    const place = placeOf(group.name);
    const amount = nodesIn === undefined ? group.regions.length : group.load.capacity;
    return place === undefined ? [] : [{ ...group, x: place.x, y: place.y, amount }];
  });
  if (dots.length === 0) return html``;
  const unknown = countries.filter(({ name }) => placeOf(name) === undefined);
  const links = unknown.map(
    (group, index) => html`${index > 0 && ", "}<a href="#${targetOf(group)}">${group.name}</a>`,
  );
  const about = `World map: ${counted(regions.length, "region")} in ${counted(countries.length, "country", "countries")}.`;
  const largest = Math.max(...dots.map(({ amount }) => amount));
  const legend =
    nodesIn === undefined
      ? `more regions: the largest has ${counted(largest, "region")}`
      : `more capacity: the largest has ${capacityText(largest)}`;
  return html`<figure class="map">
<a class="skip" href="#regions">Skip the map</a>
<svg viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${about} The tables below have the same facts." fill="none">
<path class="land" transform="scale(.5)" fill="#ddd" d="${land}"/>
${scales.map((scale) => circles(dots, largest, scale))}
</svg>
<figcaption>
${key(dots)}
<p>Each circle is a country, and its ring shows the states of its regions. A larger circle has ${legend}. Circles that would overlap are moved, with a line to their country.${unknown.length > 0 && html` Not on the map: ${links}.`}</p>
</figcaption>
</figure>`;
}

/** The anchor of a country's regions: the only region, or the zone of the first one. */
function targetOf({ regions: [first, another] }: RegionGroup): string {
  if (first === undefined) return "regions";
  return another === undefined ? first.code : zoneAnchor(first.zone);
}

/** The legend names at most this number of states for a mark. */
const maxStates = 4;

/** The legend: the states that each mark represents, the worst first. */
function key(dots: readonly Dot[]): Html {
  const states = [...sumOf(dots.map((dot) => dot.states)).keys()];
  const marks = tones.flatMap((tone) => {
    const names = states.filter((state) => toneOf(state) === tone).map(stateName);
    const text = [...names.slice(0, maxStates), ...(names.length > maxStates ? ["…"] : [])].join(", ");
    return names.length === 0 ? [] : [html`<li>${toneMark(tone, text)}</li>\n`];
  });
  return html`<ul class="key">
${marks}</ul>`;
}

function circles(dots: readonly Dot[], largest: number, scale: Scale): Html {
  // The worst last, because later circles are on top.
  const ordered = dots.toSorted((one, other) => bySeverity(other.tone, one.tone) || other.amount - one.amount);
  const moved = movedApart(
    ordered.map((dot) => ({ ...dot, r: radius(dot, largest, scale) })),
    size,
    scale.gap,
  );
  // Without the stylesheet, only one of the scales is shown.
  return html`<g class="${scale.name}"${scale.name === "narrow" && html` display="none"`}>
${moved.map(({ home, at }) => circle(home, at, scale))}${moved.map(({ home, at }) => pointer(home, at))}
${moved.map(({ home, at }) => inscription(home, at, scale))}</g>`;
}

/** In radii. A circle that was moved less counts as being at its place. */
const minMove = 0.45;

/** A dot at the place of a circle that was moved away from it, and a line from the circle to the dot. */
function pointer({ x, y }: Circle, at: Circle): Html | undefined {
  const right = x - at.x;
  const down = y - at.y;
  const distance = Math.sqrt(right * right + down * down);
  if (distance < at.r * minMove) return undefined;
  const edge = at.r / distance;
  const line =
    edge < 1 &&
    html`<path class="pointer" d="M${x} ${y}L${rounded(at.x + right * edge)} ${rounded(at.y + down * edge)}"/>`;
  return html`${line}<path class="home" d="M${x} ${y}h0"/>\n`;
}

function radius({ tone, regions, amount }: Dot, largest: number, { min, minMarked, max }: Scale): number {
  const share = amount / largest;
  const byAmount = max * Math.sqrt(Number.isFinite(share) ? share : 0);
  return Math.max(byAmount, tone === "good" && regions.length === 1 ? min : minMarked);
}

/** The links of the narrow map, which are not shown together with the wide ones, take their names from the wide map. */
function circle(group: RegionGroup, at: Circle, scale: Scale): Html {
  const { name, tone } = group;
  const text = `about-${name}`;
  const title = scale.name === "wide" && html`<title id="${text}">${about(group)}</title>`;
  const disc = html`<circle class="disc ${tone}" cx="${at.x}" cy="${at.y}" r="${at.r}"/>`;
  return html`<a href="#${targetOf(group)}" aria-labelledby="${text}">${title}${disc}${ring(group, at)}</a>\n`;
}

/** `France (FR): 2 regions, 1 degraded, 1 operational (Lyon degraded, Paris); 14 nodes (2 degraded), 1.2 Tbit/s` */
function about({ name, regions, states, load }: RegionGroup): string {
  const names = regions
    .slice(0, maxNamed)
    .map((region) => (region.tone === "good" ? region.name : `${region.name} ${stateName(region.status)}`));
  const list = [...names, ...(names.length < regions.length ? ["…"] : [])].join(", ");
  const regionText = `${counted(regions.length, "region")}, ${statesText(states)} (${list})`;
  const issues = issuesIn(load.states);
  const issueText = issues.size === 0 ? "" : ` (${countsText(issues)})`;
  const nodeText =
    load.nodes === 0 ? "" : `; ${counted(load.nodes, "node")}${issueText}, ${capacityText(load.capacity)}`;
  return `${countryName(name)} (${name}): ${regionText}${nodeText}`;
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
function inscription(
  { name, tone }: RegionGroup,
  { x, y, r }: Circle,
  { letters, minMarked }: Scale,
): readonly unknown[] {
  const hasLetters = r >= letters;
  if (tone === "good") return [hasLetters && html`<text class="${tone}" x="${x}" y="${y}">${name}</text>`];
  if (!hasLetters) return [mark(tone, { x, y, r: Math.min(r, minMarked) })];
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
