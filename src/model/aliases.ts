// Other names of single items.
import { ownField } from "./fields.ts";
import { filterValuesIn } from "./filter.ts";
import type { Item } from "./key.ts";

/** The aliases of items: the values of a field, or their slugs. */
export interface Aliases {
  readonly field: string;
  readonly isSlug: boolean;
  /** Whether several items may claim an alias, which none of them has then. */
  readonly mayRepeat: boolean;
}

/** The aliases of an item, each once: the value of their field, the elements of its list, or their slugs. */
export function aliasesOf({ field, isSlug }: Aliases, item: Item): readonly string[] {
  const value = ownField(item, field);
  const by = Array.isArray(value) ? "elements" : "value";
  return filterValuesIn({ by: isSlug ? "slug" : by }, value);
}

/** As the option `item` of a declaration has them. */
export const declaredAliases = ({ field, isSlug }: Aliases) => (isSlug ? ({ field, slug: true } as const) : field);
