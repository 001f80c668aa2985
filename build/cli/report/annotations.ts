// Faults as GitHub shows them beside the lines of a change.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
import type { Diagnostic } from "../../diagnostics.ts";
import type { Group } from "./fold.ts";

/** The most errors of one step that GitHub shows. */
const most = 10;

/** First one fault of each cause, then further ones. `pathOf` returns the path of a file in the repository. */
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
  // GitHub only accepts columns if they are on one line.
  const end = endLine === line ? [["endColumn", endColumn] as const] : [];
  const properties = [
    ["file", pathOf(file)] as const,
    ["line", line] as const,
    ...(endLine === line ? [] : [["endLine", endLine] as const]),
    ["col", column] as const,
    ...end,
    ["title", code] as const,
  ];
  const text = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(",");
  return `::error ${text}::${escapedData(hint === undefined ? message : `${message} ${hint}`)}`;
}

const escapedData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapedProperty = (text: string): string => escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
