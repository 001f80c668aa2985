// Faults as GitHub shows them beside the lines of a change.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
import type { Diagnostic } from "../../diagnostics.ts";
import type { Group } from "./faults.ts";

/** The most errors of one step that GitHub shows. */
const most = 10;

/** First one fault of each cause, then further ones. `pathOf` returns the path of a file in the repository. */
export const annotations = (groups: readonly Group[], pathOf: (file: string) => string): readonly string[] =>
  groups
    .flatMap((group) => group.slice(0, most).map((fault, round) => ({ fault, round })))
    .sort((one, other) => one.round - other.round)
    .slice(0, most)
    .map(({ fault }) => annotation(fault, pathOf(fault.file)));

function annotation({ line, column, endLine, endColumn, code, message, hint }: Diagnostic, file: string): string {
  // GitHub only accepts an end column on the same line.
  const end = endLine === line ? { col: column, endColumn } : { endLine, col: column };
  const properties = Object.entries({ file, line, ...end, title: code })
    .map(([name, value]) => `${name}=${escaped(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`)
    .join(",");
  return `::error ${properties}::${escaped(hint === undefined ? message : `${message} ${hint}`)}`;
}

const escaped = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
