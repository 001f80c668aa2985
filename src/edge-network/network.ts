// The data of the network page: the status, and the regions and nodes of a deployment, the worst state first.

import type { PageData, Tone } from "../index.ts";
import type { EdgeNode, EdgeRegion, EdgeStatus, nodes, regions, status } from "./collections.ts";
import { bySeverity, type Counts, countsOf, sumOf, toneOf, tones, worstTone } from "./states.ts";
import world from "./world.json" with { type: "json" };

/** A country on the map. */
export interface MapPlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** By ISO 3166-1 code. */
export const places: Readonly<Record<string, MapPlace>> = world.places;

const placesByCode = new Map(Object.entries(places));

export const placeOf = (country: string): MapPlace | undefined => placesByCode.get(country);

export const countryName = (code: string): string => placeOf(code)?.name || code;

export interface Network {
  readonly status: EdgeStatus | undefined;
  /** In order. Undefined: the deployment does not list regions. */
  readonly regions: readonly RegionEntry[] | undefined;
  /** The path of the request for the nodes of a region. Undefined: the deployment does not list nodes. */
  readonly nodesIn: ((region: string) => string) | undefined;
  /** The load of all nodes. */
  readonly load: Load;
  /** The nodes that are not good, the worst first, at most `maxTroubled` of each severity. */
  readonly troubled: readonly EdgeNode[];
}

export interface RegionEntry extends EdgeRegion {
  readonly tone: Tone;
  readonly load: Load;
}

/** The regions of a zone or of a country. */
export interface RegionGroup {
  readonly name: string;
  /** The worst first. */
  readonly regions: readonly RegionEntry[];
  /** The states of the regions. */
  readonly states: Counts;
  readonly tone: Tone;
  readonly load: Load;
}

/** The nodes of one region or of several. */
export interface Load {
  readonly nodes: number;
  /** In Gbit/s. Rounded to the nearest number above 2^53. */
  readonly capacity: number;
  /** The states of the nodes. */
  readonly states: Counts;
}

export type NetworkData = PageData<{
  readonly collections: { readonly nodes: typeof nodes; readonly regions: typeof regions };
  readonly documents: { readonly status: typeof status };
}>;

const maxTroubled = 50;

/** Undefined if the deployment has neither status nor regions nor nodes. */
export function networkOf({ collections, documents: { status }, request }: NetworkData): Network | undefined {
  const { nodes, regions } = collections;
  if (nodes === undefined && regions === undefined && status === undefined) return undefined;
  const loads = new Map<string, { nodes: number; capacity: number; readonly states: Map<string, number> }>();
  const troubled: Record<Tone, EdgeNode[]> = { down: [], warn: [], other: [], good: [] };
  for (const node of nodes ?? []) {
    const load = loads.get(node.pop) ?? { nodes: 0, capacity: 0, states: new Map<string, number>() };
    loads.set(node.pop, load);
    load.nodes++;
    load.capacity = finite(load.capacity + capacityIn(node));
    load.states.set(node.status, (load.states.get(node.status) ?? 0) + 1);
    const tone = toneOf(node.status);
    if (tone !== "good" && troubled[tone].length < maxTroubled) troubled[tone].push(node);
  }
  const entryOf = (region: EdgeRegion): RegionEntry => {
    const load = loads.get(region.code);
    return { ...region, tone: toneOf(region.status), load: loadOfAll(load === undefined ? [] : [load]) };
  };
  return {
    status,
    regions: regions && Array.from(regions, entryOf),
    nodesIn: nodes && ((region) => request("nodes", { region })),
    load: loadOfAll([...loads.values()]),
    troubled: tones.flatMap((tone) => troubled[tone]),
  };
}

/** The form of a capacity has no maximum. This bound keeps sums finite and can still be rounded. */
const finite = (capacity: number): number => Math.min(capacity, 1e300);

/** In Gbit/s. */
export const capacityIn = ({ capacity }: EdgeNode): number =>
  // Ignores the G after the number.
  finite(Number.parseInt(capacity, 10));

const loadOfAll = (loads: readonly Load[]): Load => ({
  nodes: loads.reduce((sum, { nodes }) => sum + nodes, 0),
  capacity: loads.reduce((sum, { capacity }) => finite(sum + capacity), 0),
  states: sumOf(loads.map(({ states }) => states)),
});

/** The regions by zone or country. The worst group first, then by name. */
export function groupsOf(regions: readonly RegionEntry[], by: "zone" | "country"): readonly RegionGroup[] {
  const groups = new Map<string, RegionEntry[]>();
  for (const region of regions) {
    const members = groups.get(region[by]) ?? [];
    groups.set(region[by], members);
    members.push(region);
  }
  return [...groups]
    .map(([name, members]) => {
      const states = countsOf(members.map((region) => region.status));
      const load = loadOfAll(members.map((region) => region.load));
      return { name, regions: worstFirst(members), states, tone: worstTone(states.keys()), load };
    })
    .toSorted((one, other) => bySeverity(one.tone, other.tone) || byText(one.name, other.name));
}

/** The worst first, then by the states of their nodes, then by code. */
export const worstFirst = (regions: readonly RegionEntry[]): readonly RegionEntry[] =>
  regions.toSorted(
    (one, other) =>
      bySeverity(one.tone, other.tone) ||
      bySeverity(worstTone(one.load.states.keys()), worstTone(other.load.states.keys())) ||
      byText(one.code, other.code),
  );

function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
