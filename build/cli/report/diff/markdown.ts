// A difference as a comment on a pull request, in the Markdown of GitHub (https://github.github.com/gfm/). Text from the
// content is in code spans, so that it is not read as markup, a link or a mention.
import { markdownTable } from "markdown-table";
import type { Diagnostic } from "../../../diagnostics.ts";
import type { Difference } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { shown } from "../../../quote.ts";
import { integer, plural } from "../../../words.ts";
import { sizeText } from "../summary.ts";
import {
  consequences,
  differenceTitle,
  fieldGroups,
  fieldTexts,
  isNothing,
  kindsText,
  limitRows,
  limitsOf,
  sentenceOf,
  shownValue,
  tableRows,
} from "./values.ts";

/** The first line, which GitHub does not show. A workflow finds its comment by it. */
const mark = "<!-- stillapi diff -->";

/**
 * In UTF-8. GitHub accepts 65,536 characters. The workflow passes the text in a variable and in an argument; Linux
 * accepts 128 KiB for each.
 */
const mostBytes = 65_000;

/** The part of it for breaking changes. */
const mostOfBreaking = 20_000;

export function differenceMarkdown(difference: Difference): string {
  const { operations, lists, limits, breaking, earlier } = difference;
  const name = (text: string) => code(text, 200);
  const about = differenceTitle(difference, name);
  const { notes, first } = limitsOf(difference, name);
  const limitations = [...notes.map((note) => `:warning: ${note}`), first.map(faultLine).join("\n")];
  const scope = earlier.uncompared.length === 0 ? "the API" : "what is compared";
  if (isNothing(difference)) {
    const warnings = difference.warnings.map((each) => `:warning: ${each}`);
    return paragraphs([`${mark}\n### Nothing changes in ${scope}`, about, ...limitations, ...warnings]);
  }
  const lines = breaking.map(
    (each) => `- ${sentenceOf({ ...each, message: plain(each.message) }, (value) => code(value))}`,
  );
  const verdict =
    breaking.length === 0
      ? `### No breaking changes for consumers of ${scope}`
      : `### ${plural(breaking.length, "breaking change")} for consumers of the API\n\n${fitting(lines, mostOfBreaking)}`;
  const head = paragraphs([
    `${mark}\n${verdict}`,
    about,
    ...limitations,
    ...operations.added.map((each) => `- The operation ${code(each)} is new.`),
    table(tableRows(difference, sizeText)),
    limits.length === 0 ? "" : table(limitRows(limits)),
    ...consequences(difference, ":warning:"),
  ]);
  const sections = [
    ...lists.map(({ operation, items }) => [`${operation}: ${kindsText(items)}`, items.map(itemLine)] as const),
    ...fieldGroups(difference).map(
      ([group, fields]) => [`${group}: ${integer(fields.length)} changed`, fields.map(fieldLine)] as const,
    ),
  ].filter(([, own]) => own.length > 0);
  // Shorter sections leave the rest of their share to those that follow.
  return sections.reduce((text, [summary, own], index) => {
    const share = (mostBytes - bytesOf(text)) / (sections.length - index);
    const [start, end] = [`\n<details><summary>${summary}</summary>\n\n`, "\n\n</details>\n"];
    return `${text}${start}${fitting(own, share - bytesOf(start + end))}${end}`;
  }, head);
}

/** Faults of the current content, which prevent a comparison. */
export function faultsMarkdown(faults: readonly Diagnostic[], count: string): string {
  const head = paragraphs([`${mark}\n### The content has faults`, `${count}.`, ""]);
  return `${head}\n${fitting(faults.map(faultLine), mostBytes - bytesOf(head) - 2)}\n`;
}

const paragraphs = (parts: readonly string[]): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`;

const faultLine = ({ file, line, column, message, hint }: Diagnostic): string =>
  `- ${code(`${file}:${line}:${column}`, 300)} ${code([message, hint ?? ""].join(" ").trim(), 600)}`;

/** The lines that fit into the room, and the number of the others. */
function fitting(lines: readonly string[], room: number): string {
  const all = lines.join("\n");
  if (bytesOf(all) <= room) return all;
  const rest = (more: number) =>
    `- … and ${integer(more)} more; ${code("stillapi diff --format json")} shows all of them`;
  let left = room - bytesOf(rest(lines.length));
  const cut = lines.findIndex((line) => {
    left -= bytesOf(line) + 1;
    return left < 0;
  });
  return [...lines.slice(0, cut), rest(lines.length - cut)].join("\n");
}

function itemLine(item: ItemChange): string {
  const { kind, key } = item;
  if (kind === "removed") return `- removed ${code(key)}`;
  const print = kind === "added" ? ({ field, after }: FieldChange) => named(field, after) : fieldWords;
  return `- ${kind} ${code(key)}: ${fieldTexts(item, print)}`;
}

const fieldLine = (change: FieldChange): string => `- ${fieldWords(change)}`;

function fieldWords({ field, before, after }: FieldChange): string {
  if (before === undefined) return `${named(field, after)} added`;
  if (after === undefined) return `${named(field, before)} removed`;
  return `${named(field, before)} → ${code(shownValue(after))}`;
}

const named = (field: string, value: unknown): string => `${code(field)} ${code(shownValue(value))}`;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The first column is aligned to the left, the numbers to the right. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const body = rows.map(([name = "", ...numbers]) => [code(name, 200).replaceAll("|", "\\|"), ...numbers]);
  return markdownTable([head, ...body], {
    align: head.map((_, index) => (index === 0 ? null : "right")),
    alignDelimiters: false,
  });
}

/** A sentence with the names of a declaration, which are no markup. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>|~]/g, "\\$&");

/** A code span with a longer fence than any run of backticks in the text. */
function code(text: string, length?: number): string {
  const short = shown(text, length);
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([{ length: run }]) => run));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(short) ? " " : "";
  return `${fence}${space}${short}${space}${fence}`;
}
