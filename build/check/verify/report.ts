// The result of a verification, as text for people and as data for programs.
import type { Colors } from "picocolors/types.js";
import { integer, listed, plural } from "../../words.ts";
import type { Finding } from "./findings.ts";
import type { Verified } from "./verify.ts";

/** Whether any answer differs. */
export const hasDifferences = ({ findings, comparison }: Verified): boolean =>
  findings.length > 0 || (comparison !== undefined && comparison.different.length > 0);

/** `wrap` breaks a sentence, with the mark before it, into lines. */
export function verifiedText(
  root: string,
  host: string | undefined,
  verified: Verified,
  colors: Colors,
  wrap: (text: string) => string = (text) => text,
): string {
  const { asked, listed: all, different, findings, comparison, explainedBy, isOvertaken } = verified;
  const isSample = asked < all;
  const apart = host === undefined ? "" : `, apart from ${host}'s known deviations`;
  const passed = `All ${integer(asked)} ${isSample ? "sampled " : ""}requests passed${apart}`;
  const exist = isSample ? ` (${integer(all)} exist; \`--all\` runs them)` : "";
  const from = isSample ? `${integer(asked)} of ${integer(all)} requests sampled; \`--all\` runs them` : "all requests";
  const differ = `${plural(different, "answer")} ${different === 1 ? "differs" : "differ"}`;
  const head =
    findings.length === 0
      ? `${colors.green("✓")} ${colors.bold(root)}: ${passed}${exist}.`
      : `${colors.red("✗")} ${colors.bold(root)}: ${differ} (${from}):`;
  const rest = [
    tagsText(verified, colors),
    ...(comparison === undefined ? [] : [comparisonText(comparison, colors)]),
    ...explainedBy.map(
      (host) =>
        `${colors.yellow("!")} The known deviations of ${host} explain all differences: verify with --host ${host}.`,
    ),
    ...(isOvertaken ? [`${colors.yellow("!")} Another build was published in the meantime: verify again.`] : []),
  ];
  const parts = [
    wrap(head),
    ...findings.map((finding) => findingText(finding, colors)),
    ...rest.filter((part) => part !== "").map(wrap),
  ];
  return `${parts.join("\n")}\n`;
}

const findingText = ({ message, examples }: Finding, colors: Colors): string =>
  [`  ${message}`, ...examples.map(({ curl }) => `    ${colors.dim(clipped(curl))}`)].join("\n");

/** `--format json` shows long requests in full. */
const clipped = (text: string): string => (text.length > 400 ? `${text.slice(0, 200)}…` : text);

function tagsText({ tags: { asked, compressed, observations } }: Verified, colors: Colors): string {
  if (asked === 0 || observations.length > 0) return "";
  const how = compressed === 0 ? "no answer was compressed" : `${integer(compressed)} of compressed answers`;
  return `${colors.green("✓")} ${plural(asked, "ETag")} revalidated with 304 (${how}).`;
}

function comparisonText(comparison: NonNullable<Verified["comparison"]>, colors: Colors): string {
  const { folder, files, compared, different, isAnotherBuild } = comparison;
  const of = `${integer(compared)} of the ${plural(files, "file")} in ${folder} compared`;
  if (different.length === 0) return `${colors.green("✓")} ${of}: this build is published.`;
  const missing = different.filter(({ answer }) => typeof answer !== "string" && answer.status === 404).length;
  const gone = missing === 0 ? "" : ` (${integer(missing)} missing)`;
  const conclusion = isAnotherBuild
    ? "a different build is published"
    : "this build is published in part or not at all";
  const names = listed(different.map(({ file }) => file));
  const count = `${integer(different.length)} ${different.length === 1 ? "differs" : "differ"}`;
  return `${colors.red("✗")} ${of}, ${count}${gone}: ${conclusion}. Different: ${names}.`;
}

export const verifiedAsData = (root: string, verified: Verified) => ({
  faults: [],
  url: root,
  requests: { asked: verified.asked, different: verified.different, listed: verified.listed, sent: verified.requests },
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
