// The data of the network page: the status, and the regions and nodes of a deployment, the worst state first.
import type { PageData } from "../index.ts";
import type { EdgeNode, EdgeRegion, EdgeStatus, nodes, regions, status } from "./collections.ts";
import { byGravity, type Counts, countsOf, gravest, sumOf, type Tone, toneOf } from "./states.ts";
import world from "./world.json" with { type: "json" };

/** A country on the map. */
export interface MapPlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** By ISO 3166-1 code. */
export const places: Readonly<Record<string, MapPlace>> = world.places;

export const placeOf = (country: string): MapPlace | undefined =>
  Object.hasOwn(places, country) ? places[country] : undefined;

export const countryName = (code: string): string => placeOf(code)?.name || code;

export interface Network {
  readonly status: EdgeStatus | undefined;
  /** Undefined: the deployment does not list regions. */
  readonly regions: readonly RegionEntry[] | undefined;
  /** The path of the request for the nodes of a region. Undefined: the deployment does not list nodes. */
  readonly nodesIn: ((region: string) => string) | undefined;
  /** The load of the nodes in each region, by the region's code. */
  readonly loads: ReadonlyMap<string, RegionLoad>;
}

export interface RegionEntry extends EdgeRegion {
  readonly tone: Tone;
  readonly load: RegionLoad;
}

/** The regions of a zone or of a country. */
export interface RegionGroup {
  readonly name: string;
  readonly regions: readonly RegionEntry[];
  /** The states of the regions. */
  readonly states: Counts;
  readonly tone: Tone;
  /** The load of the nodes in all regions. */
  readonly load: Load;
}

/** The nodes of one region or of several. */
export interface Load {
  readonly nodes: number;
  /** In Gbit/s. Rounded to the nearest number above 2^53. */
  readonly capacity: number;
  /** The states of the nodes. */
  readonly states: Counts;
  readonly tone: Tone;
}

export interface RegionLoad extends Load {
  /** The nodes to list: the worst first, then in order. */
  readonly listed: readonly EdgeNode[];
}

export type NetworkData = PageData<{
  readonly collections: { readonly nodes: typeof nodes; readonly regions: typeof regions };
  readonly documents: { readonly status: typeof status };
}>;

/** A country with more regions than these is shown without its regions. */
export const mostApart = 8;

/** The most nodes that the page lists, and the least of each region if it cannot list all. */
const mostNodes = 1500;
const leastNodes = 5;

/** The most nodes of a region that the page lists. None if there are too many regions. */
function mostListed({ nodes, regions }: NetworkData["collections"]): number {
  if (nodes === undefined || nodes.count <= mostNodes) return mostNodes;
  const share = Math.floor(mostNodes / Math.max(1, regions?.count ?? nodes.count));
  return share < leastNodes ? 0 : share;
}

/** Undefined if the deployment has neither status nor regions nor nodes. */
export function networkOf({ collections, documents: { status }, request }: NetworkData): Network | undefined {
  const { nodes, regions } = collections;
  if (nodes === undefined && regions === undefined && status === undefined) return undefined;
  const loads = loadsOf(nodes ?? [], mostListed(collections));
  const noLoad: RegionLoad = { ...load(0, 0, new Map()), listed: [] };
  return {
    status,
    regions:
      regions &&
      Array.from(regions, (each) => ({ ...each, tone: toneOf(each.status), load: loads.get(each.code) ?? noLoad })),
    nodesIn: nodes && ((region) => request("nodes", { region })),
    loads,
  };
}

const load = (nodes: number, capacity: number, states: Counts): Load => ({
  nodes,
  capacity,
  states,
  tone: gravest(states.keys()),
});

/** The form of a capacity has no maximum. This bound keeps sums finite and can still be rounded. */
const finite = (capacity: number): number => Math.min(capacity, 1e300);

export function loadOfAll(loads: readonly Load[]): Load {
  const nodes = loads.reduce((sum, each) => sum + each.nodes, 0);
  const capacity = loads.reduce((sum, each) => finite(sum + each.capacity), 0);
  return load(nodes, capacity, sumOf(loads.map(({ states }) => states)));
}

/** The sums of a region, as its nodes are read. */
interface Sums {
  nodes: number;
  capacity: number;
  readonly states: Map<string, number>;
  /** The first nodes that are good, and the first others. */
  readonly good: EdgeNode[];
  readonly grave: EdgeNode[];
}

/** By the code of the region. `most` is the number of nodes that are listed for each. */
function loadsOf(nodes: Iterable<EdgeNode>, most: number): ReadonlyMap<string, RegionLoad> {
  const sums = new Map<string, Sums>();
  for (const node of nodes) {
    const { pop, status, capacity } = node;
    const own = sums.get(pop) ?? { nodes: 0, capacity: 0, states: new Map(), good: [], grave: [] };
    sums.set(pop, own);
    own.nodes++;
    // Ignores the G behind the number.
    own.capacity = finite(own.capacity + Number.parseInt(capacity, 10));
    own.states.set(status, (own.states.get(status) ?? 0) + 1);
    const alike = toneOf(status) === "good" ? own.good : own.grave;
    if (alike.length < most) alike.push(node);
  }
  return new Map(
    [...sums].map(([code, { nodes: count, capacity, states, good, grave }]) => {
      const worst = grave.toSorted((one, other) => byGravity(toneOf(one.status), toneOf(other.status)));
      return [code, { ...load(count, capacity, sumOf([states])), listed: [...worst, ...good].slice(0, most) }];
    }),
  );
}

/** The worst first, then by code. */
export const worstFirst = (regions: readonly RegionEntry[]): readonly RegionEntry[] =>
  regions.toSorted(
    (one, other) =>
      byGravity(one.tone, other.tone) || byGravity(one.load.tone, other.load.tone) || byText(one.code, other.code),
  );

/** The worst first, then by name. */
export const zonesOf = (regions: readonly RegionEntry[]): readonly RegionGroup[] =>
  groupsOf(regions, ({ zone }) => zone);

/** The worst first, then by the country's name. The `name` of a group is the country's code. */
export const countriesOf = (regions: readonly RegionEntry[]): readonly RegionGroup[] =>
  groupsOf(regions, ({ country }) => country, countryName);

function groupsOf(
  regions: readonly RegionEntry[],
  nameOf: (region: RegionEntry) => string,
  titleOf = (name: string) => name,
): readonly RegionGroup[] {
  const groups = new Map<string, RegionEntry[]>();
  for (const each of regions) {
    const own = groups.get(nameOf(each)) ?? [];
    groups.set(nameOf(each), own);
    own.push(each);
  }
  return [...groups]
    .map(([name, own]) => {
      const states = countsOf(own.map((each) => each.status));
      return { name, regions: own, states, tone: gravest(states.keys()), load: loadOfAll(own.map(({ load }) => load)) };
    })
    .toSorted((one, other) => byGravity(one.tone, other.tone) || byText(titleOf(one.name), titleOf(other.name)));
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
