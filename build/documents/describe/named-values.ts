// The values of filters with their names: that of the item of which a value is the key, or the text that a slug stands for.
import { type Filter, slugOf, slugTexts } from "../../../src/model/filter.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { filterValues } from "../../content/catalog.ts";
import { type Items, itemAt, valuesAt } from "../../content/table/items.ts";
import { usualNameOf } from "./cells.ts";
import type { SiteData } from "./site-data.ts";

export interface NamedValue {
  readonly value: string;
  /** Of a key, the name of the item, unless it is the key; of a slug, the text. */
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
  if (filter.by === "slug" && items !== undefined) {
    const texts = textsOfSlugs(items, filter);
    return values.map((value) => ({ value, name: texts.get(value) }));
  }
  const targets = filter.accepts.kind === "keys" && catalog.items.get(filter.accepts.of);
  return values.map((value, index) => {
    // The keys of items precede other values.
    const name = targets && index < targets.count ? usualNameOf(itemAt(targets, index)) : undefined;
    return { value, name: name === value ? undefined : name };
  });
}

/** By slug, the text that it stands for. Parses no more items than there are slugs. */
function textsOfSlugs(items: Items, filter: Filter): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const values = items.filters.get(filter.param);
  if (values === undefined) return texts;
  for (let index = 0; index < items.count && texts.size < values.known.length; index++) {
    if (valuesAt(values, index).every((slug) => texts.has(slug))) continue;
    for (const text of slugTexts(filter, itemAt(items, index))) {
      const slug = slugOf(text);
      if (slug !== "" && !texts.has(slug)) texts.set(slug, text);
    }
  }
  return texts;
}
