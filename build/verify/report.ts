// The result of a verification, as text for people.
import type { Colors } from "picocolors/types.js";
import { integer, plural } from "../text/words.ts";
import type { Build } from "./build.ts";
import type { Finding } from "./findings.ts";
import type { Verified } from "./verify.ts";

/** `wrap` breaks a sentence, with the mark before it, into lines. */
export function verifiedText(
  { url, asked, files, compared, different, findings, etags, isAnotherBuild, isOvertaken, explainedBy }: Verified,
  { folder }: Pick<Build, "folder">,
  host: string | undefined,
  colors: Colors,
  wrap: (text: string) => string = (text) => text,
): string {
  const [good, bad, note] = [colors.green("✓"), colors.red("✗"), colors.yellow("!")];
  const at = colors.bold(url);
  const passed = `this is the build in ${folder}: all ${integer(asked)} requests passed`;
  const apart = host === undefined ? "" : `, apart from ${host}'s known deviations`;
  const failed = `${integer(different)} of ${integer(asked)} answers differ from the build in ${folder}`;
  const rest = files - compared;
  const uncompared =
    rest === 0
      ? `All ${plural(files, "file")} were compared.`
      : `${integer(rest)} of ${plural(files, "file")} ${rest === 1 ? "was" : "were"} not compared: \`--all\` compares them.`;
  const compressed = etags.compressed === 0 ? "no answer was" : `${integer(etags.compressed)} of answers that were`;
  const lines = [
    isAnotherBuild ? wrap(`${bad} ${at}: this is another build than the one in ${folder}.`) : [],
    wrap(
      different === 0 ? `${good} ${at}: ${passed}${apart}. ${uncompared}` : `${bad} ${at}: ${failed}. ${uncompared}`,
    ),
    findings.map((finding) => findingText(finding, colors)),
    etags.asked === 0 || different > 0
      ? []
      : wrap(`${good} ${plural(etags.asked, "ETag")} revalidated with 304 (${compressed} compressed).`),
    explainedBy.map((name) =>
      wrap(`${note} The known deviations of ${name} explain all differences: verify with --host ${name}.`),
    ),
    isOvertaken ? wrap(`${note} Another build was published in the meantime: verify again.`) : [],
  ];
  return `${lines.flat().join("\n")}\n`;
}

const findingText = ({ message, examples }: Finding, colors: Colors): string =>
  [`  ${message}`, ...examples.map(({ curl }) => `    ${colors.dim(clipped(curl))}`)].join("\n");

/** `--format json` shows long requests in full. */
const clipped = (text: string): string => (text.length > 400 ? `${text.slice(0, 200)}…` : text);
