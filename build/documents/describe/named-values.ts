// The values of filters with their names: that of the item of which a value is the key, or the label of a value.
import { type Filter, labelOf } from "../../../src/model/filter.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { filterValues } from "../../content/catalog.ts";
import { type Items, itemAt, valuesAt } from "../../content/table/items.ts";
import { usualNameOf } from "./cells.ts";
import type { SiteData } from "./site-data.ts";

export interface NamedValue {
  readonly value: string;
  /** Of a key, the name of the item, unless it is the key; of other values, the label. */
  readonly name: string | undefined;
}

/** The values of a filter. */
export type NamedValuesOf = (operation: ListOperation, filter: Filter) => readonly NamedValue[];

/** The values are named on demand, once. */
export function namedValuesOf(data: SiteData): NamedValuesOf {
  const known = new Map<string, readonly NamedValue[]>();
  return (operation, filter) => {
    const id = `${operation.name}?${filter.param}`;
    const values = known.get(id) ?? namedValues(data, operation, filter);
    known.set(id, values);
    return values;
  };
}

function namedValues({ catalog }: SiteData, operation: ListOperation, filter: Filter): readonly NamedValue[] {
  const values = filterValues(catalog, operation, filter);
  const items = catalog.items.get(operation.name);
  if (filter.label !== undefined && items !== undefined) {
    const labels = labelsOf(items, filter);
    return values.map((value) => ({ value, name: labels.get(value) }));
  }
  const targets = filter.accepts.kind === "keys" && catalog.items.get(filter.accepts.of);
  return values.map((value, index) => {
    // The keys of items precede other values.
    const name = targets && index < targets.count ? usualNameOf(itemAt(targets, index)) : undefined;
    return { value, name: name === value ? undefined : name };
  });
}

/** By value, its label: that of the first item with the value. Parses no more items than there are values. */
function labelsOf(items: Items, filter: Filter): ReadonlyMap<string, string | undefined> {
  const labels = new Map<string, string | undefined>();
  const values = items.filters.get(filter.param);
  if (values === undefined) return labels;
  for (let index = 0; index < items.count && labels.size < values.known.length; index++) {
    const unlabelled = valuesAt(values, index).filter((value) => !labels.has(value));
    const item = unlabelled.length > 0 ? itemAt(items, index) : {};
    for (const value of unlabelled) labels.set(value, labelOf(filter, value, item));
  }
  return labels;
}
