// A cursor names a position in one listing: an operation in an order, with the chosen values of its filters. It is derived
// from the declaration of the order, so that a list whose order has changed knows none of its earlier cursors: it would
// skip or repeat items behind them. The name of the order and its words do not count.
import { keyFields } from "./key.ts";
import type { ListOperation } from "./operation.ts";
import { declaredOrder, type Order } from "./order.ts";
import type { Chosen } from "./paging.ts";

/** The key of a list, and the fields of one of its orders: the same for two orders that sort all items alike. */
export function orderDeclaration(operation: ListOperation, order: Order | undefined) {
  const { fields } = order ?? { fields: operation.order };
  return {
    key: keyFields(operation),
    // Texts and numbers have different order keys.
    fields: fields.map((field) => [declaredOrder(field), field.type]),
  };
}

/** The name of a listing from which its cursors are derived. `filters` are the chosen values, without `sort`. */
export function cursorListing(
  operation: ListOperation,
  order: Order | undefined,
  filters: readonly Chosen[] = [],
): string {
  const { key, fields } = orderDeclaration(operation, order);
  return JSON.stringify([operation.name, key, fields, filters.map(({ param, value }) => [param, value])]);
}
