// The values that a filter accepts, each with the name of its item.
import { type Filter, type ListOperation, referenced } from "../../src/operations.ts";
import { allItems } from "../content/catalog.ts";
import type { DocumentSource } from "./source.ts";

export interface FilterValue {
  readonly value: string;
  /** The `name` of the item, if that is not its key. */
  readonly label: string | undefined;
}

/** In the order of the operation that lists the items. */
export function filterValues({ catalog }: DocumentSource, { resource }: ListOperation, { field }: Filter) {
  const target = referenced(resource, field);
  const { key } = target.resource;
  return allItems(catalog.items.get(target.name)).map((item): FilterValue => {
    const name = key === "name" ? undefined : item["name"];
    return { value: String(item[key]), label: typeof name === "string" ? name : undefined };
  });
}

/** More values than these are counted, not listed: a page with all values would load slowly. */
export const mostValues = 200;
