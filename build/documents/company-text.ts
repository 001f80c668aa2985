import { companionsOf, type Filter, type ListOperation } from "../../src/operation.ts";

/** Which other filters a filter may be sent with, as a sentence in Markdown; empty if there is no other filter. */
export function companyText(operation: ListOperation, { param }: Filter): string {
  if (operation.filters.length < 2) return "";
  const sets = companionsOf(operation, param).map((set) => `with ${set.map((other) => `\`${other}\``).join(" and ")}`);
  return ` Send it ${["without other filters", ...sets].join(", or ")}.`;
}
