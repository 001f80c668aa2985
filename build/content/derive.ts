// The values of filters that functions of the declaration derive from items. Each function is called once for an item.
import type { Derived } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { copyOf } from "./data.ts";
import type { Fault, WithFaults } from "./fault.ts";
import { failedBy } from "./make.ts";
import type { Origin } from "./origin.ts";

/** Returns the values of the filters whose functions succeed. */
export function deriver({ filters }: ListOperation): (item: Item, origin: Origin) => WithFaults<Derived> {
  const functions = filters.flatMap(({ param, of }) => (of === undefined ? [] : [[param, of] as const]));
  if (functions.length === 0) return () => nothing;
  return (item, origin) => {
    const faults: Fault[] = [];
    const values = functions.flatMap(([param, of]) => {
      try {
        // A function that changes its item changes a copy.
        return [[param, of(Object(copyOf(item)))] as const];
      } catch (error) {
        faults.push(failedBy(error, `The function of the filter ${param}`, origin));
        return [];
      }
    });
    return [new Map(values), faults];
  };
}

const nothing: WithFaults<Derived> = [new Map(), []];
