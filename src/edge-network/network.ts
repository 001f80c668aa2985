// The data of the network page: the status, and the regions and nodes of a deployment, the worst state first.
import type { PageData } from "../index.ts";
import type { EdgeRegion, EdgeStatus, nodes, regions, status } from "./collections.ts";
import { type Load, loadOfAll, loadsOf, noLoad, type RegionLoad } from "./loads.ts";
import { byGravity, type Counts, countsOf, gravest, type Tone, toneOf } from "./states.ts";
import world from "./world.json" with { type: "json" };

/** A country on the map. */
export interface MapPlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** By ISO 3166-1 code. */
export const places: Readonly<Record<string, MapPlace>> = world.places;

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

/** Undefined if the deployment has no such data. */
export function networkOf({ collections, documents, request }: NetworkData): Network | undefined {
  const { nodes, regions } = collections;
  const { status } = documents;
  if (nodes === undefined && regions === undefined && status === undefined) return undefined;
  const loads = loadsOf(nodes ?? [], mostListed(collections));
  return {
    status,
    regions: regions && Array.from(regions, (each) => entryOf(each, loads)),
    nodesIn: nodes && ((region) => request("nodes", { region })),
    loads,
  };
}

const entryOf = (item: EdgeRegion, loads: Network["loads"]): RegionEntry => ({
  ...item,
  tone: toneOf(item.status),
  load: loads.get(item.code) ?? noLoad,
});

/** The worst first, then by code. */
export const worstFirst = (regions: readonly RegionEntry[]): readonly RegionEntry[] =>
  regions.toSorted(
    (one, other) =>
      byGravity(one.tone, other.tone) || byGravity(one.load.tone, other.load.tone) || byText(one.code, other.code),
  );

/** The worst first, then by name. */
export const zonesOf = (regions: readonly RegionEntry[]): readonly RegionGroup[] =>
  groupsOf(regions, ({ zone }) => zone).toSorted(
    (one, other) => byGravity(one.tone, other.tone) || byText(one.name, other.name),
  );

/** The worst first, then by the country's name. The `name` of such a group is the country's code. */
export const countriesOf = (regions: readonly RegionEntry[]): readonly RegionGroup[] =>
  groupsOf(regions, ({ country }) => country).toSorted(
    (one, other) => byGravity(one.tone, other.tone) || byText(countryName(one.name), countryName(other.name)),
  );

function groupsOf(regions: readonly RegionEntry[], nameOf: (region: RegionEntry) => string): readonly RegionGroup[] {
  const groups = new Map<string, RegionEntry[]>();
  for (const each of regions) {
    const own = groups.get(nameOf(each));
    if (own === undefined) groups.set(nameOf(each), [each]);
    else own.push(each);
  }
  return [...groups].map(([name, own]) => {
    const states = countsOf(own.map((each) => each.status));
    const tone = gravest([...states.keys()].map(toneOf));
    return { name, regions: own, states, tone, load: loadOfAll(own.map(({ load }) => load)) };
  });
}

export const countryName = (code: string): string => (Object.hasOwn(places, code) && places[code]?.name) || code;

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
