// What a build uses of the limits of its hosts, as a table.
import type { Colors } from "picocolors/types.js";
import type { BudgetLine } from "../budget/budget.ts";
import { columns, integer } from "./columns.ts";

/** A limit that is exceeded is that of one plan of the host, for any other would have been a fault. */
export function budgetText(lines: readonly BudgetLine[], colors: Colors): string {
  const rows = lines.map(({ host, what, plan, used, most }) => [
    `${host}: ${what}${plan === undefined ? "" : `, ${plan}`}`,
    integer(used),
    integer(most),
    used > most ? "0" : integer(most - used),
  ]);
  const [head = "", ...body] = columns([["limits", "used", "at most", "left"], ...rows]);
  const warnings = lines
    .filter(({ used, most }) => used > most)
    .map(
      ({ host, what, plan, most, source }) =>
        `${colors.yellow("!")} ${host}, ${plan}: at most ${integer(most)} ${what} (${source}).`,
    );
  return [colors.dim(head), ...body, ...warnings].join("\n");
}
