// What a verification found, as text for people and as data for programs.
import type { Colors } from "picocolors/types.js";
import { integer, listed, plural } from "../report/columns.ts";
import type { Finding } from "./findings.ts";
import type { Verified } from "./verify.ts";

/** Whether anything is otherwise. */
export const isOtherwise = ({ findings, comparison }: Verified): boolean =>
  findings.length > 0 || (comparison !== undefined && comparison.different.length > 0);

/** `wrap` makes a mark and a sentence fit what they are printed on. */
export function verifiedText(
  root: string,
  host: string | undefined,
  verified: Verified,
  colors: Colors,
  wrap: (text: string) => string = (text) => text,
): string {
  const { asked, listed: all, findings, comparison, explainedBy, isOvertaken } = verified;
  const of = asked === all ? `all ${integer(all)} requests` : `${integer(asked)} of ${integer(all)} requests`;
  const less = host === undefined ? "" : `, less what ${host} cannot do`;
  const head =
    findings.length === 0
      ? `${colors.green("✓")} ${colors.bold(root)} answers ${of} as the contract says${less}.`
      : `${colors.red("✗")} ${colors.bold(root)} was asked ${of}, and some answers are otherwise:`;
  const rest = [
    tagsText(verified, colors),
    ...(comparison === undefined ? [] : [comparisonText(comparison, colors)]),
    ...explainedBy.map(
      (host) => `${colors.yellow("!")} All of it is what ${host} cannot do: verify with --host ${host}.`,
    ),
    ...(isOvertaken ? [`${colors.yellow("!")} The API was published again meanwhile: verify once more.`] : []),
  ];
  const parts = [
    wrap(head),
    ...findings.map((finding) => findingText(finding, colors)),
    ...rest.filter((part) => part !== "").map(wrap),
  ];
  return `${parts.join("\n")}\n`;
}

const findingText = ({ message, examples }: Finding, colors: Colors): string =>
  [`  ${message}`, ...examples.map(({ curl }) => `    ${colors.dim(shown(curl))}`)].join("\n");

/** Targets may be longer than anyone reads; `--format json` has them whole. */
const shown = (text: string): string => (text.length > 400 ? `${text.slice(0, 200)}…` : text);

function tagsText({ tags: { asked, compressed, observations } }: Verified, colors: Colors): string {
  if (asked === 0 || observations.length > 0) return "";
  const how = compressed === 0 ? "none of them compressed" : `${integer(compressed)} of them compressed`;
  return `${colors.green("✓")} ${plural(asked, "ETag")} sent back: 304 to each, ${how}.`;
}

function comparisonText(comparison: NonNullable<Verified["comparison"]>, colors: Colors): string {
  const { folder, files, compared, different, isAnotherBuild } = comparison;
  const of = `${integer(compared)} of the ${plural(files, "file")} in ${folder}`;
  if (different.length === 0)
    return `${colors.green("✓")} What is published is the build in ${folder}: ${of} compared.`;
  const missing = different.filter(({ answer }) => typeof answer !== "string" && answer.status === 404).length;
  const gone = missing === 0 ? "" : `, ${integer(missing)} of which are not there`;
  const names = listed(different.map(({ file }) => file));
  const conclusion = isAnotherBuild
    ? "The answers agree with the data: what is published is another build."
    : "What is published is not, or not only, this build.";
  return `${colors.red("✗")} Of ${of}, ${integer(different.length)} are published otherwise${gone}: ${names}. ${conclusion}`;
}

export const verifiedAsData = (root: string, verified: Verified) => ({
  faults: [],
  url: root,
  requests: { asked: verified.asked, listed: verified.listed, sent: verified.requests },
  findings: verified.findings,
  etags: { asked: verified.tags.asked, compressed: verified.tags.compressed },
  build: verified.comparison && {
    folder: verified.comparison.folder,
    files: verified.comparison.files,
    compared: verified.comparison.compared,
    different: verified.comparison.different.map(({ file }) => file),
    isAnotherBuild: verified.comparison.isAnotherBuild,
  },
  explainedBy: verified.explainedBy,
  isOvertaken: verified.isOvertaken,
});
