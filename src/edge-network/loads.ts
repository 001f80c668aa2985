// Sums up the nodes of each region.
import type { EdgeNode } from "./collections.ts";
import { byGravity, type Counts, gravest, sumOf, type Tone, toneOf } from "./states.ts";

export interface Load {
  readonly nodes: number;
  /** In Gbit/s. Rounded to the nearest number above 2^53. */
  readonly capacity: number;
  /** The states of the nodes. */
  readonly states: Counts;
  readonly tone: Tone;
}

/** The load of one region. */
export interface RegionLoad extends Load {
  /** The nodes to list: the worst first, then in order. */
  readonly listed: readonly EdgeNode[];
}

export function loadOfAll(loads: readonly Load[]): Load {
  const nodes = loads.reduce((sum, each) => sum + each.nodes, 0);
  const capacity = loads.reduce((sum, each) => finite(sum + each.capacity), 0);
  return load(nodes, capacity, sumOf(loads.map(({ states }) => states)));
}

const load = (nodes: number, capacity: number, states: Counts): Load => ({
  nodes,
  capacity,
  states,
  tone: gravest([...states.keys()].map(toneOf)),
});

export const noLoad: RegionLoad = { ...load(0, 0, new Map()), listed: [] };

/** The form of a capacity has no maximum. This bound keeps sums finite and can still be rounded. */
const finite = (capacity: number): number => Math.min(capacity, 1e300);

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
export function loadsOf(nodes: Iterable<EdgeNode>, most: number): ReadonlyMap<string, RegionLoad> {
  const sums = new Map<string, Sums>();
  for (const node of nodes) {
    const { pop, status, capacity } = node;
    const own = sums.get(pop) ?? { nodes: 0, capacity: 0, states: new Map<string, number>(), good: [], grave: [] };
    if (own.nodes === 0) sums.set(pop, own);
    own.nodes++;
    // The G behind the number is left out.
    own.capacity = finite(own.capacity + Number.parseInt(capacity, 10));
    own.states.set(status, (own.states.get(status) ?? 0) + 1);
    const alike = toneOf(status) === "good" ? own.good : own.grave;
    if (alike.length < most) alike.push(node);
  }
  return new Map(
    [...sums].map(([code, { nodes: count, capacity, states, good, grave }]) => {
      const worst = grave.toSorted((one, other) => byGravity(toneOf(one.status), toneOf(other.status)));
      const listed = [...worst, ...good].slice(0, most);
      return [code, { ...load(count, capacity, sumOf([states])), listed }];
    }),
  );
}
