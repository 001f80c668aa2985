// Sums up the nodes of each region.
import type { EdgeNode } from "./collections.ts";
import { type Counts, gravest, sumOf, type Tone, toneOf } from "./states.ts";

export interface Load {
  readonly nodes: number;
  /** In Gbit/s. Rounded to the nearest number above 2^53. */
  readonly capacity: number;
  /** The states of the nodes. */
  readonly states: Counts;
  readonly tone: Tone;
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

export const noLoad: Load = load(0, 0, new Map());

/** The form of a capacity has no maximum. This bound keeps sums finite and can still be rounded. */
const finite = (capacity: number): number => Math.min(capacity, 1e300);

/** By the code of the region. */
export function loadsOf(nodes: Iterable<EdgeNode>): ReadonlyMap<string, Load> {
  const sums = new Map<string, { nodes: number; capacity: number; readonly states: Map<string, number> }>();
  for (const { pop, status, capacity } of nodes) {
    const own = sums.get(pop) ?? { nodes: 0, capacity: 0, states: new Map<string, number>() };
    if (own.nodes === 0) sums.set(pop, own);
    own.nodes++;
    // The G behind the number is left out.
    own.capacity = finite(own.capacity + Number.parseInt(capacity, 10));
    own.states.set(status, (own.states.get(status) ?? 0) + 1);
  }
  return new Map(
    [...sums].map(([code, { nodes: count, capacity, states }]) => [code, load(count, capacity, sumOf([states]))]),
  );
}
