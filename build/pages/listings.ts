// The listings of a deployment: for each operation and each of its orders the whole listing, then a listing for each choice of
// accepted values.
import { combinationsOf, type Filter } from "../../src/model/filter.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { pageSizesOf, pagingOf } from "../content/settings/chosen-settings.ts";
import { type ItemOrder, type Items, type Values, valuesAt } from "../content/table/items.ts";
import { allOf, type ItemView, inOrder, noItems, someOf } from "./items.ts";
import { Listing } from "./listing.ts";

export function* listings(catalog: Catalog, deployment: Deployment): Generator<Listing> {
  const { api, settings } = catalog;
  for (const operation of api.lists) {
    const { name, filters } = operation;
    if (!deployment.operations.includes(name)) continue;
    const items = catalog.items.get(name) ?? noItems;
    const common = { base: api.base, operation, paging: pagingOf(settings, name), sizes: pageSizesOf(settings, name) };
    const accepted = new Map(filters.map((filter) => [filter, filterValues(catalog, operation, filter)]));
    for (const order of [undefined, ...operation.orders]) {
      const ordered = order && items.orders.get(order.name);
      const whole = ordered === undefined ? allOf(items) : inOrder(items, ordered, ordered.indices);
      yield new Listing({ ...common, order, filters: [], items: whole });
      for (const combined of combinationsOf(operation)) {
        const groups = groupBy(items, combined, ordered);
        for (const values of everyChoice(combined.map((filter) => accepted.get(filter) ?? []))) {
          const chosen = combined.map(({ param }, index) => ({ param, value: values[index] ?? "" }));
          const group = groups.get(JSON.stringify(values)) ?? allOf(noItems);
          yield new Listing({ ...common, order, filters: chosen, items: group });
        }
      }
    }
  }
}

/** The items with each combination of the filters' values, by the JSON of the values. */
function groupBy(items: Items, filters: readonly Filter[], order?: ItemOrder): ReadonlyMap<string, ItemView> {
  const choices = filters.flatMap(({ param }) => {
    const values = items.filters.get(param);
    return values === undefined ? [] : [choicesIn(values)];
  });
  const groups = indicesByValues(items.count, choices, order?.indices);
  const viewOf = (members: readonly number[]): ItemView =>
    order === undefined ? someOf(items, members) : inOrder(items, order, Uint32Array.from(members));
  return new Map([...groups].map(([values, members]) => [values, viewOf(members)]));
}

export const choicesIn = (values: Values): Choices => ({
  idAt(index) {
    const start = values.starts[index] ?? 0;
    const end = values.starts[index + 1] ?? 0;
    return end - start === 1 ? (values.numbers[start] ?? 0) : values.numbers.subarray(start, end).join();
  },
  valuesAt: (index) => valuesAt(values, index),
});

/** The values of a filter in each item: several, one or none. */
interface Choices {
  readonly valuesAt: (index: number) => readonly string[];
  /** Items with the same id have the same values. */
  readonly idAt: (index: number) => string | number;
}

/**
 * The indices of the items with each combination of values, by the JSON of the values: ascending, or in the order of
 * `ordered`, which has all indices.
 */
export function indicesByValues(
  count: number,
  choices: readonly Choices[],
  ordered?: Uint32Array,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  const groupOf = (values: readonly string[]): number[] => {
    const name = JSON.stringify(values);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    return group;
  };
  // Items with the same ids share their groups.
  const groupsOf = new Map<string | number, readonly number[][]>();
  const [first, ...others] = choices;
  for (let place = 0; place < count; place++) {
    const index = ordered?.[place] ?? place;
    const id =
      first !== undefined && others.length === 0
        ? first.idAt(index)
        : choices.map(({ idAt }) => idAt(index)).join("\n");
    let groupsOfItem = groupsOf.get(id);
    if (groupsOfItem === undefined) {
      groupsOfItem = everyChoice(choices.map(({ valuesAt }) => valuesAt(index))).map(groupOf);
      groupsOf.set(id, groupsOfItem);
    }
    for (const group of groupsOfItem) group.push(index);
  }
  return groups;
}

/** Every choice of one value from each list. */
export const everyChoice = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (chosen, values) => chosen.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
