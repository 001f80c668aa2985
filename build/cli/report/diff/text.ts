// A difference for a terminal.
import type { Colors } from "picocolors/types.js";
import type { Difference } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { escaped, shown } from "../../../quote.ts";
import { columns, plural } from "../../../words.ts";
import { wrapped } from "../../terminal.ts";
import { sizeText } from "../summary.ts";
import {
  consequences,
  differenceTitle,
  fieldGroups,
  fieldTexts,
  isNothing,
  limitRows,
  limitsOf,
  sentenceOf,
  shownValue,
  tableRows,
} from "./values.ts";

export interface Terminal {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
}

/** The most changes of one list that are shown. */
const most = 20;

export function differenceText(difference: Difference, { colors, width }: Terminal): string {
  const { operations, lists, limits, breaking, earlier } = difference;
  const wrap = (line: string, indent = 0) => wrapped(line, width, indent);
  const name = (text: string) => shown(text, 200);
  const isWhole = earlier.uncompared.length === 0;
  const mark = isWhole ? colors.green("✓") : colors.yellow("!");
  const title = differenceTitle(difference, name);
  const { notes, first } = limitsOf(difference, name);
  const limitations = [
    ...notes.map((note) => wrap(`${colors.yellow("!")} ${note}`)),
    ...first.map(({ file, line, column, code, message }) =>
      wrap(`${colors.bold(`${escaped(file)}:${line}:${column}`)} ${colors.red(code)} ${message}`, 2),
    ),
  ];
  const ends = consequences(difference, colors.yellow("!"));
  if (isNothing(difference)) {
    const outcome = isWhole ? "nothing changes in the API" : "nothing changes in what is compared";
    const warnings = difference.warnings.map((each) => `${colors.yellow("!")} ${each}`);
    return [wrap(`${mark} ${title}: ${outcome}.`), ...limitations, ...warnings.map((line) => wrap(line))].join("\n");
  }
  const section = <T>(head: string, changes: readonly T[], noun: string, print: (change: T) => string) => {
    if (changes.length === 0) return [];
    const more = changes.length - most;
    const rest = more > 0 ? [colors.dim(`… and ${plural(more, `more ${noun}`)}; --format json shows all of them`)] : [];
    return [colors.bold(head), ...[...changes.slice(0, most).map(print), ...rest].map((line) => wrap(line, 2))];
  };
  const table = ([head = "", ...rows]: readonly string[]) => [colors.dim(head), ...rows];
  const verdict =
    breaking.length === 0
      ? [`${mark} No breaking changes for consumers${isWhole ? "" : " in what is compared"}.`]
      : [
          `${colors.red("✗")} ${plural(breaking.length, "breaking change")} for consumers`,
          ...breaking.map((each) => {
            const message = sentenceOf({ ...each, message: escaped(each.message) }, (value) =>
              colors.bold(shown(value)),
            );
            return wrap(`${colors.red(each.code)} ${message}`, 2);
          }),
        ];
  const parts = [
    [wrap(colors.bold(title))],
    limitations,
    verdict,
    operations.added.map((each) => `${colors.green("+")} The operation ${colors.bold(each)} is new.`),
    ...lists.map(({ operation, items }) => section(operation, items, "item", (item) => itemText(item, colors))),
    ...fieldGroups(difference).map(([group, fields]) =>
      section(group, fields, "field", (field) => {
        const isChanged = field.before !== undefined && field.after !== undefined;
        return `${isChanged ? `${colors.yellow("~")} ` : ""}${fieldText(field, colors)}`;
      }),
    ),
    table(columns(tableRows(difference, sizeText))),
    limits.length === 0 ? [] : table(columns(limitRows(limits))),
    ends.map((line) => wrap(line)),
  ];
  return parts
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function itemText(item: ItemChange, colors: Colors): string {
  const name = colors.bold(shown(item.key));
  switch (item.kind) {
    case "removed":
      return `${colors.red("−")} ${name}`;
    case "added":
      return `${colors.green("+")} ${name} ${fieldTexts(item, ({ field, after }) => `${field} ${shownValue(after)}`)}`;
    case "changed":
      return `${colors.yellow("~")} ${name} ${fieldTexts(item, (field) => fieldText(field, colors))}`;
  }
}

function fieldText({ field, before, after }: FieldChange, colors: Colors): string {
  const name = shown(field);
  if (before === undefined) return `${colors.green("+")} ${name} ${colors.green(shownValue(after))}`;
  if (after === undefined) return `${colors.red("−")} ${name} ${colors.red(shownValue(before))}`;
  return `${name} ${colors.red(shownValue(before))} → ${colors.green(shownValue(after))}`;
}
