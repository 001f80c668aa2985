// The use of the limits of the hosts by a build, as a table.
import type { Colors } from "picocolors/types.js";
import type { BudgetLine } from "../../budget/budget.ts";
import { columns, integer } from "../../text/words.ts";

/**
 * An exceeded limit is a limit of one plan of the host, because any other would have been a fault. If the table is wider than
 * `width` columns, the places are on separate lines.
 */
export function budgetText(lines: readonly BudgetLine[], colors: Colors, width = Number.POSITIVE_INFINITY): string {
  const rows = lines.map(({ host, what, plan, used, most }) => [
    `${host}: ${what}${plan === undefined ? "" : `, ${plan}`}`,
    integer(used),
    integer(most),
    used > most ? "0" : integer(most - used),
  ]);
  const [head = "", ...body] = fitted([["limits", "used", "at most", "left"], ...rows], width);
  const warnings = lines
    .filter(({ used, most }) => used > most)
    .map(
      ({ host, what, plan, most, source }) =>
        `${colors.yellow("!")} ${host}, ${plan}: at most ${integer(most)} ${what} (${source}).`,
    );
  return [colors.dim(head), ...body, ...warnings].join("\n");
}

function fitted(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const lines = columns(rows);
  if (lines.every((line) => line.length <= width)) return lines;
  const split = rows.map(([label = "", ...numbers]) => {
    const [, what = label, place] = /^(.*) \((.*)\)$/.exec(label) ?? [];
    return { row: [what, ...numbers], place };
  });
  return columns(split.map(({ row }) => row)).flatMap((line, index) => {
    const place = split[index]?.place;
    return place === undefined ? [line] : [line, `  in ${place}`];
  });
}
