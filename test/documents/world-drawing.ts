// Draws the map of the network page, src/edge-network/world.json, from an atlas (world-atlas: Natural Earth). The
// projection is Equal Earth. Drawing takes half a second and a megabyte of atlas, and the map is the same for every
// build: `npm run generate` draws it, builds only read it.
import { type ExtendedFeature, geoEqualEarth, geoPath } from "d3-geo";
import isoCountries from "i18n-iso-countries";
import { feature, merge } from "topojson-client";
import type { MapPlace } from "../../src/edge-network/network.ts";
import { fieldOf } from "../../src/model/fields.ts";

/** An atlas of countries, such as world-atlas has in several scales. */
export type Atlas = Parameters<typeof merge>[0];

interface World {
  readonly size: { readonly width: number; readonly height: number };
  /** The outline as the data of an SVG path. Its unit is half a unit of the map. */
  readonly land: string;
  /** By ISO 3166-1 code: the middle of the largest part of the country. */
  readonly places: Readonly<Record<string, MapPlace>>;
}

const width = 1000;
/** The grid of the land's outline: half a unit of the map. */
const grid = 0.5;
/** The space above and below the land. */
const margin = 8;
/** Antarctica is left out: it is no country, and would take a fifth of the map's height. */
const antarctica = "010";

/** Longitude and latitude, in degrees, of the countries that have no shape in the atlas. */
const furtherPlaces: Readonly<Record<string, readonly [number, number]>> = {
  BQ: [-68.3, 12.2],
  BV: [3.4, -54.4],
  CC: [96.9, -12.2],
  CX: [105.6, -10.5],
  GF: [-53.1, 4],
  GI: [-5.35, 36.1],
  GP: [-61.6, 16.2],
  MQ: [-61, 14.6],
  RE: [55.5, -21.1],
  SJ: [16, 78.6],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  XK: [20.9, 42.6],
  YT: [45.2, -12.8],
};

/** Names that replace the atlas's. */
const names: Readonly<Record<string, string>> = {
  MK: "North Macedonia",
  SZ: "Eswatini",
  US: "United States",
  VG: "British Virgin Islands",
  VI: "U.S. Virgin Islands",
};

/** Takes the outline of the land from `coarse`, the places of the countries from `fine`. */
export function drawWorld(coarse: Atlas, fine: Atlas): World {
  const land = merge(coarse, withoutAntarctica(coarse));
  // At 11 degrees, the edge of the map is in the Bering Strait.
  const projection = geoEqualEarth().rotate([-11, 0]).precision(0).fitWidth(width, { type: "Sphere" });
  const [[, top], [, bottom]] = geoPath(projection).bounds(land);
  const [left, middle] = projection.translate();
  projection.translate([left, middle - top + margin]);
  const height = Math.ceil(bottom - top + 2 * margin);
  const rings = ringsOf((context) => geoPath(projection, context)(land));
  const places = Object.fromEntries(placesIn(fine, projection));
  return { size: { width, height }, land: rings.map(ringPath).join(""), places };
}

function withoutAntarctica({ objects }: Atlas): Parameters<typeof merge>[1] {
  const { countries } = objects;
  if (countries?.type !== "GeometryCollection") throw new Error("The atlas has no countries.");
  return countries.geometries.filter(
    (country) => (country.type === "Polygon" || country.type === "MultiPolygon") && country.id !== antarctica,
  ) as Parameters<typeof merge>[1];
}

type Point = readonly [x: number, y: number];

/** The rings of a path, on the grid. Rings that vanish on the grid are left out. */
function ringsOf(draw: (context: Parameters<typeof geoPath>[1] & object) => void): readonly (readonly Point[])[] {
  const rings: Point[][] = [];
  const add = (x: number, y: number) => rings.at(-1)?.push([Math.round(x / grid), Math.round(y / grid)]);
  draw({
    beginPath: () => undefined,
    moveTo(x, y) {
      rings.push([]);
      add(x, y);
    },
    lineTo: add,
    closePath: () => undefined,
    arc: () => undefined,
  });
  return rings.map(withoutMiddles).filter((ring) => ring.length > 2);
}

/** Drops points on the line between their neighbours. */
function withoutMiddles(ring: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const point of ring) {
    const [before, last] = kept.slice(-2);
    if (isSame(kept.at(-1), point)) continue;
    if (last !== undefined && before !== undefined && isOnLine(before, last, point)) kept.pop();
    kept.push(point);
  }
  return isSame(kept[0], kept.at(-1)) ? kept.slice(0, -1) : kept;
}

const isSame = (one: Point | undefined, other: Point | undefined): boolean =>
  one?.[0] === other?.[0] && one?.[1] === other?.[1];

const isOnLine = ([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): boolean =>
  (x2 - x1) * (y3 - y2) === (x3 - x2) * (y2 - y1);

function ringPath(ring: readonly Point[]): string {
  const [[x, y] = [0, 0]] = ring;
  const steps = ring.slice(1).map(([toX, toY], index) => {
    const [fromX, fromY] = ring[index] ?? [0, 0];
    return [toX - fromX, toY - fromY];
  });
  // A minus separates numbers like a space.
  const numbers = steps.flat().map((step, index) => (index === 0 || step < 0 ? `${step}` : ` ${step}`));
  return `M${x} ${y}l${numbers.join("")}z`;
}

type Named = readonly [country: string, place: MapPlace];

function placesIn(atlas: Atlas, projection: ReturnType<typeof geoEqualEarth>): readonly Named[] {
  const { countries } = atlas.objects;
  if (countries?.type !== "GeometryCollection") throw new Error("The atlas has no countries.");
  const shapes = feature(atlas, countries).features;
  const drawn = shapes.flatMap((shape, index): readonly Named[] => {
    const code = shape.id === undefined ? undefined : isoCountries.numericToAlpha2(shape.id);
    // The atlas has a further shape for Australia after the first, a reef.
    const isFirst = shapes.findIndex(({ id }) => id === shape.id) === index;
    if (code === undefined || shape.id === antarctica || !isFirst) return [];
    const [x, y] = geoPath(projection).centroid(largestPart(shape));
    return [[code, { name: nameOf(code, String(fieldOf(shape.properties, "name"))), x: rounded(x), y: rounded(y) }]];
  });
  const further = Object.entries(furtherPlaces).map(([code, point]) => {
    const [x, y] = projection([...point]) ?? [0, 0];
    return [code, { name: nameOf(code), x: rounded(x), y: rounded(y) }] as const;
  });
  return [...drawn, ...further].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The atlas's short name, unless it is abbreviated. */
function nameOf(code: string, short?: string): string {
  if (short !== undefined && !short.includes(".")) return names[code] ?? short;
  const name = names[code] ?? isoCountries.getName(code, "en", { select: "official" });
  if (name === undefined) throw new Error(`There is no name for ${code}.`);
  return name;
}

/** For France, the part in Europe. */
function largestPart(shape: ExtendedFeature): ExtendedFeature {
  const { geometry } = shape;
  if (geometry?.type !== "MultiPolygon") return shape;
  const parts = geometry.coordinates.map((coordinates) => ({
    ...shape,
    geometry: { type: "Polygon" as const, coordinates },
  }));
  const areas = parts.map((part) => geoPath().projection(geoEqualEarth()).area(part));
  return parts[areas.indexOf(Math.max(...areas))] ?? shape;
}
