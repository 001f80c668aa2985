// The report of a difference for a terminal.
import type { Colors } from "picocolors/types.js";
import type { ApiDifference, BuildDifference } from "../../../diff/difference.ts";
import { escaped } from "../../../text/quote.ts";
import { columns, integer, plural } from "../../../text/words.ts";
import { wrapped } from "../../terminal.ts";
import { onlyOne, overviewOf, reportOf, type Section, type Totals, totalsOf } from "./model.ts";

/** The most changes of one section that are shown. */
const maxLines = 20;

/** `width` is in columns. Undefined: lines are not wrapped. */
export function differencesText(differences: BuildDifference, colors: Colors, width: number | undefined): string {
  const only = onlyOne(differences);
  if (only !== undefined) return differenceText(only, differences, colors, width);
  const { breaking, announced, added } = overviewOf(differences, style);
  const lines = [
    ...breaking.map(({ code, text }) => `${colors.red("✗")} ${colors.red(code)} ${text}`),
    ...announced.map((text) => `${colors.yellow("~")} ${text}`),
    ...added.map((text) => `${colors.green("+")} ${text}`),
  ];
  const ofApis = differences.apis.map(
    ({ base, ...difference }) => `${colors.bold(base)}\n${differenceText(difference, undefined, colors, width)}`,
  );
  const { tables, notes } = totalsOf(differences, style);
  return [
    lines.map((line) => wrapped(line, width, 0)).join("\n"),
    ...ofApis,
    ...tables.map((rows) => columns(rows).join("\n")),
    notes.map((text) => wrapped(`${colors.yellow("!")} ${text}`, width, 0)).join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const style = { words: escaped, value: String };

function differenceText(
  difference: ApiDifference,
  totals: Totals | undefined,
  colors: Colors,
  width: number | undefined,
): string {
  const { title, scope, breaking, ...report } = reportOf(difference, totals, style);
  const wrap = (line: string, indent = 0) => wrapped(line, width, indent);
  const isWhole = scope === "the API";
  const mark = isWhole ? colors.green("✓") : colors.yellow("!");
  const notes = report.notes.map((text) => wrap(`${colors.yellow("!")} ${text}`));
  if (report.isNothing) return [wrap(`${mark} ${title}: nothing changes in ${scope}.`), ...notes].join("\n");
  const verdict =
    breaking.length === 0
      ? `${mark} No breaking changes for consumers${isWhole ? "" : ` in ${scope}`}.`
      : `${colors.red("✗")} ${plural(breaking.length, "breaking change")} for consumers`;
  const signs = { added: colors.green("+"), removed: colors.red("−"), changed: colors.yellow("~") };
  const sectionLines = ({ title, lines }: Section) => [
    colors.bold(title),
    ...lines.slice(0, maxLines).map(({ kind, text }) => wrap(`${signs[kind]} ${text}`, 2)),
    ...(lines.length > maxLines
      ? [`  … and ${integer(lines.length - maxLines)} more; --format json shows all of them`]
      : []),
  ];
  const blocks = [
    [wrap(colors.bold(title))],
    [verdict, ...breaking.map(({ code, text }) => wrap(`${colors.red(code)} ${text}`, 2))],
    report.announced.map((text) => wrap(`${signs.changed} ${text}`, 2)),
    report.added.map((text) => `${signs.added} ${text}`),
    ...report.sections.map(sectionLines),
    ...report.tables.map((rows) => columns(rows)),
    [...(report.cursors === undefined ? [] : [wrap(report.cursors)]), ...notes],
  ];
  return blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
