// A difference for a terminal.
import type { Colors } from "picocolors/types.js";
import type { Difference } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { wordsOf } from "../../../diff/kinds.ts";
import { escaped, shown } from "../../../quote.ts";
import { columns, plural } from "../../../words.ts";
import { wrapped } from "../../terminal.ts";
import { deletionTexts, reloadTexts } from "../advice.ts";
import { sizeText } from "../summary.ts";
import {
  cursorText,
  differenceTitle,
  earlierFaults,
  isNothing,
  limitRows,
  mainFields,
  shownValue,
  tableRows,
} from "./values.ts";

export interface Terminal {
  readonly colors: Colors;
  /** In columns. Undefined: lines are not wrapped. */
  readonly width: number | undefined;
}

export function differenceText(difference: Difference, terminal: Terminal): string {
  const { colors } = terminal;
  const title = differenceTitle(difference, (name) => shown(name, 200));
  const { operations, lists, documents, declaration, settings, limits } = difference;
  const warnings = difference.warnings.map((each) => `${colors.yellow("!")} ${each}`);
  if (isNothing(difference)) {
    const lines = [`${colors.green("✓")} ${title}: nothing changes in the API.`, ...warnings];
    return lines.map((line) => wrapped(line, terminal.width)).join("\n");
  }
  const ends = [
    ...reloadTexts(difference.reloads).map((each) => `${colors.yellow("!")} ${each}`),
    ...cursorText(difference),
    ...deletionTexts(difference.deletions),
    ...warnings,
  ];
  const parts = [
    [wrapped(colors.bold(title), terminal.width)],
    earlierText(difference, terminal),
    verdict(difference, terminal),
    operations.added.map((name) => `${colors.green("+")} The operation ${colors.bold(name)} is new.`),
    ...lists.map(({ operation, items }) =>
      section(operation, items, "item", (item) => itemText(item, colors), terminal),
    ),
    ...documents.map(({ operation, fields }) => fieldsSection(operation, fields, terminal)),
    fieldsSection("declaration", declaration, terminal),
    fieldsSection("settings", settings, terminal),
    table(tableRows(difference, sizeText), colors),
    limits.length === 0 ? [] : table(limitRows(limits), colors),
    ends.map((line) => wrapped(line, terminal.width)),
  ];
  return parts
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function earlierText(difference: Difference, terminal: Terminal): readonly string[] {
  const { colors } = terminal;
  const faults = earlierFaults(difference);
  if (faults === undefined) return [];
  const sentence = faults.sentence((name) => shown(name, 200));
  const lines = faults.first.map(
    ({ file, line, column, code, message }) =>
      `${colors.bold(`${escaped(file)}:${line}:${column}`)} ${colors.red(code)} ${message}`,
  );
  return [`${colors.yellow("!")} ${sentence}`, ...lines].map((each, index) =>
    wrapped(each, terminal.width, index && 2),
  );
}

function verdict({ breaking }: Difference, terminal: Terminal): readonly string[] {
  const { colors } = terminal;
  if (breaking.length === 0) return [`${colors.green("✓")} No breaking changes for consumers.`];
  const lines = breaking.map(
    ({ code, sentence }) => `${colors.red(code)} ${wordsOf(sentence, (value) => colors.bold(shown(value)))}`,
  );
  const head = `${colors.red("✗")} ${plural(breaking.length, "breaking change")} for consumers`;
  return [head, ...lines.map((line) => wrapped(line, terminal.width, 2))];
}

/** The most changes of one list that are shown. */
const most = 20;

/** A name with its first changes below it, a line each, and the number of the others. */
function section<T>(
  name: string,
  changes: readonly T[],
  noun: string,
  print: (change: T) => string,
  terminal: Terminal,
): readonly string[] {
  const { colors } = terminal;
  if (changes.length === 0) return [];
  const more = changes.length - most;
  const rest = more > 0 ? [colors.dim(`… and ${plural(more, `more ${noun}`)}; --format json shows all of them`)] : [];
  const lines = [...changes.slice(0, most).map(print), ...rest];
  return [colors.bold(name), ...lines.map((line) => wrapped(line, terminal.width, 2))];
}

const fieldsSection = (name: string, fields: readonly FieldChange[], terminal: Terminal) =>
  section(name, fields, "field", (field) => lineOf(field, terminal.colors), terminal);

function lineOf(change: FieldChange, colors: Colors): string {
  const isChanged = change.before !== undefined && change.after !== undefined;
  return `${isChanged ? `${colors.yellow("~")} ` : ""}${fieldText(change, colors)}`;
}

function itemText({ kind, key, fields }: ItemChange, colors: Colors): string {
  const name = colors.bold(shown(key));
  if (kind === "removed") return `${colors.red("−")} ${name}`;
  const { main, more } = mainFields(fields);
  const rest = more === 0 ? [] : [`and ${plural(more, "more field")}`];
  const isAdded = kind === "added";
  const texts = main.map((field) => (isAdded ? `${field.field} ${shownValue(field.after)}` : fieldText(field, colors)));
  return [isAdded ? colors.green("+") : colors.yellow("~"), name, [...texts, ...rest].join(", ")].join(" ");
}

function fieldText({ field, before, after }: FieldChange, colors: Colors): string {
  const name = shown(field);
  if (before === undefined) return `${colors.green("+")} ${name} ${colors.green(shownValue(after))}`;
  if (after === undefined) return `${colors.red("−")} ${name} ${colors.red(shownValue(before))}`;
  return `${name} ${colors.red(shownValue(before))} → ${colors.green(shownValue(after))}`;
}

function table(rows: readonly (readonly string[])[], colors: Colors): readonly string[] {
  const [head = "", ...body] = columns(rows);
  return [colors.dim(head), ...body];
}
