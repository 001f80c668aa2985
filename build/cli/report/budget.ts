// What a build uses of the limits of its hosts, as a table.
import type { Colors } from "picocolors/types.js";
import type { BudgetLine } from "../../budget/budget.ts";
import { columns, integer } from "../../words.ts";

/**
 * A limit that is exceeded is that of one plan of the host, for any other would have been a fault. What does not fit the
 * width, in characters, is told with the places on lines of their own.
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
