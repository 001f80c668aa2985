// Faults as GitHub shows them beside the lines of a change.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
import type { Diagnostic } from "../../diagnostics.ts";
import type { Group } from "./fold.ts";

/** GitHub shows no more errors of one step. */
const most = 10;

/** One of each cause first, then more of their places. `pathOf` gives a file's path in the repository. */
export function annotations(groups: readonly Group[], pathOf: (file: string) => string): readonly string[] {
  const chosen: Diagnostic[] = [];
  const longest = groups.reduce((length, { faults }) => Math.max(length, faults.length), 0);
  for (let round = 0; round < longest && chosen.length < most; round++) {
    for (const { faults } of groups) {
      const fault = faults[round];
      if (fault !== undefined && chosen.length < most) chosen.push(fault);
    }
  }
  return chosen.map((fault) => annotation(fault, pathOf));
}

function annotation(
  { file, line, column, endLine, endColumn, code, message, hint }: Diagnostic,
  pathOf: (file: string) => string,
): string {
  // GitHub takes columns only where they are of one line.
  const end = endLine === line ? [["endColumn", endColumn] as const] : [];
  const properties = [
    ["file", pathOf(file)] as const,
    ["line", line] as const,
    ...(endLine === line ? [] : [["endLine", endLine] as const]),
    ["col", column] as const,
    ...end,
    ["title", code] as const,
  ];
  const told = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(",");
  return `::error ${told}::${escapedData(hint === undefined ? message : `${message} ${hint}`)}`;
}

const escapedData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapedProperty = (text: string): string => escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
