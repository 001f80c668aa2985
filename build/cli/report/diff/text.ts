// The report of a difference for a terminal.
import type { Colors } from "picocolors/types.js";
import type { Difference } from "../../../diff/difference.ts";
import { escaped } from "../../../text/quote.ts";
import { columns, plural } from "../../../text/words.ts";
import { wrapped } from "../../terminal.ts";
import { type Line, type Parts, reportOf, type Section } from "./model.ts";

export interface Terminal {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
}

/** The most changes of one section that are shown. */
const most = 20;

export function differenceText(difference: Difference, { colors, width }: Terminal): string {
  const report = reportOf(difference);
  const { title, scope, breaking, tables, cursors } = report;
  const wrap = (line: string, indent = 0) => wrapped(line, width, indent);
  const print = (parts: Parts) => partsText(parts, colors);
  const warning = (text: string) => wrap(`${colors.yellow("!")} ${text}`);
  const isWhole = scope === "the API";
  const mark = isWhole ? colors.green("✓") : colors.yellow("!");
  const warnings = report.warnings.map(warning);
  const notes = [
    ...report.notes.map((each) => warning(print(each))),
    ...report.faults.map(({ file, line, column, code, message }) =>
      wrap(`${colors.bold(`${escaped(file)}:${line}:${column}`)} ${colors.red(code)} ${message}`, 2),
    ),
  ];
  if (report.isNothing) {
    return [wrap(`${mark} ${print(title)}: nothing changes in ${scope}.`), ...notes, ...warnings].join("\n");
  }
  const verdict =
    breaking.length === 0
      ? [`${mark} No breaking changes for consumers${isWhole ? "" : ` in ${scope}`}.`]
      : [
          `${colors.red("✗")} ${plural(breaking.length, "breaking change")} for consumers`,
          ...breaking.map(({ code, parts }) => wrap(`${colors.red(code)} ${print(parts)}`, 2)),
        ];
  const parts = [
    [wrap(colors.bold(print(title)))],
    notes,
    verdict,
    report.announced.map((each) => wrap(`${colors.yellow("~")} ${print(each)}`, 2)),
    report.added.map((each) => `${colors.green("+")} The operation ${colors.bold(each)} is new.`),
    ...report.sections.map((section) => sectionLines(section, colors).map((line, index) => wrap(line, index && 2))),
    ...tables.map((rows) => columns(rows).map((line, index) => (index === 0 ? colors.dim(line) : line))),
    [...(cursors === undefined ? [] : [wrap(cursors)]), ...warnings],
  ];
  return parts
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function sectionLines({ title, noun, lines }: Section, colors: Colors): readonly string[] {
  const more = lines.length - most;
  const rest = more > 0 ? [colors.dim(`… and ${plural(more, `more ${noun}`)}; --format json shows all of them`)] : [];
  return [colors.bold(title), ...lines.slice(0, most).map((line) => lineText(line, colors)), ...rest];
}

function lineText({ kind, parts }: Line, colors: Colors): string {
  const signs = { added: colors.green("+"), removed: colors.red("−"), changed: colors.yellow("~") };
  return `${signs[kind]} ${partsText(parts, colors)}`;
}

function partsText(parts: Parts, colors: Colors): string {
  const styles = { name: colors.bold, field: String, old: colors.red, new: colors.green };
  return parts.map((part) => (typeof part === "string" ? escaped(part) : styles[part.role](part.value))).join("");
}
