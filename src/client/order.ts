// The order of items, as the field `order` of a declaration defines it.

/** The fields of an item by which lists may be ordered. */
export type Item = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Whether an item comes after another one. `order` names fields, each ascending or, with "-", descending. Strings compare
 * by code unit, numbers by value, false before true; null and missing values are last either way.
 */
export function isAfter(item: Item, other: Item, order: readonly string[]): boolean {
  for (const each of order) {
    const field = each.replace(/^-/, "");
    const a = item[field] ?? null;
    const b = other[field] ?? null;
    if (a !== b) return a === null || (b !== null && a > b === (each === field));
  }
  return false;
}
