// The report of a difference for a terminal.
import type { Colors } from "picocolors/types.js";
import type { Difference } from "../../../diff/difference.ts";
import { escaped } from "../../../text/quote.ts";
import { columns, integer, plural } from "../../../text/words.ts";
import { wrapped } from "../../terminal.ts";
import { type Parts, reportOf, type Section } from "./model.ts";

export interface Terminal {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
}

/** The most changes of one section that are shown. */
const most = 20;

export function differenceText(difference: Difference, { colors, width }: Terminal): string {
  const report = reportOf(difference);
  const { scope, breaking } = report;
  const wrap = (line: string, indent = 0) => wrapped(line, width, indent);
  const styles = { name: colors.bold, field: String, old: colors.red, new: colors.green };
  const print = (parts: Parts) =>
    parts.map((part) => (typeof part === "string" ? escaped(part) : styles[part.role](part.value))).join("");
  const warning = (text: string) => wrap(`${colors.yellow("!")} ${text}`);
  const isWhole = scope === "the API";
  const mark = isWhole ? colors.green("✓") : colors.yellow("!");
  const title = print(report.title);
  const warnings = report.warnings.map(warning);
  const notes = [
    ...report.notes.map((each) => warning(print(each))),
    ...report.faults.map(({ file, line, column, code, message }) =>
      wrap(`${colors.bold(`${escaped(file)}:${line}:${column}`)} ${colors.red(code)} ${message}`, 2),
    ),
  ];
  if (report.isNothing)
    return [wrap(`${mark} ${title}: nothing changes in ${scope}.`), ...notes, ...warnings].join("\n");
  const verdict =
    breaking.length === 0
      ? `${mark} No breaking changes for consumers${isWhole ? "" : ` in ${scope}`}.`
      : `${colors.red("✗")} ${plural(breaking.length, "breaking change")} for consumers`;
  const signs = { added: colors.green("+"), removed: colors.red("−"), changed: colors.yellow("~") };
  const sectionLines = ({ title, lines }: Section) => [
    colors.bold(title),
    ...lines.slice(0, most).map(({ kind, parts }) => wrap(`${signs[kind]} ${print(parts)}`, 2)),
    ...(lines.length > most
      ? [wrap(colors.dim(`… and ${integer(lines.length - most)} more; --format json shows all of them`), 2)]
      : []),
  ];
  const blocks = [
    [wrap(colors.bold(title))],
    notes,
    [verdict, ...breaking.map(({ code, parts }) => wrap(`${colors.red(code)} ${print(parts)}`, 2))],
    report.announced.map((each) => wrap(`${signs.changed} ${print(each)}`, 2)),
    report.added.map((each) => `${signs.added} The operation ${colors.bold(each)} is new.`),
    ...report.sections.map(sectionLines),
    ...report.tables.map((rows) => columns(rows).map((line, index) => (index === 0 ? colors.dim(line) : line))),
    [...(report.cursors === undefined ? [] : [wrap(report.cursors)]), ...warnings],
  ];
  return blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
