// The result of a verification, as text for people.
import type { Colors } from "picocolors/types.js";
import type { BuildFolder } from "../published/build.ts";
import { integer, plural } from "../text/words.ts";
import type { Verified } from "./verify.ts";

/** `wrap` breaks a sentence, with the mark before it, into lines. */
export function verifiedText(
  { url, asked, files, compared, different, findings, revalidated, isAnotherBuild }: Verified,
  { folder }: Pick<BuildFolder, "folder">,
  host: string | undefined,
  colors: Colors,
  wrap: (text: string) => string = (text) => text,
): string {
  const good = colors.green("✓");
  const bad = colors.red("✗");
  const at = colors.bold(url);
  const apart = host === undefined ? "" : `, apart from ${host}'s known deviations`;
  const result =
    different === 0
      ? `${good} ${at}: this is the build in ${folder}: all ${integer(asked)} requests passed${apart}.`
      : `${bad} ${at}: ${integer(different)} of ${integer(asked)} answers differ from the build in ${folder}${apart}.`;
  const rest =
    files === compared
      ? `All ${plural(files, "file")} were compared.`
      : `${integer(files - compared)} of ${plural(files, "file")} were not compared: \`--all\` compares them.`;
  const lines = [
    isAnotherBuild ? wrap(`${bad} ${at}: this build differs from the one in ${folder}.`) : [],
    wrap(`${result} ${rest}`),
    findings.flatMap(({ message, examples }) => [
      `  ${message}`,
      ...examples.map(({ curl }) => `    ${colors.dim(clipped(curl))}`),
    ]),
    revalidated === 0 || different > 0 ? [] : wrap(`${good} ${plural(revalidated, "ETag")} revalidated with 304.`),
  ];
  return `${lines.flat().join("\n")}\n`;
}

/** `--format json` shows long requests in full. */
const clipped = (text: string): string => (text.length > 400 ? `${text.slice(0, 200)}…` : text);
