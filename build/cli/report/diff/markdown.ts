// A difference as a comment on a pull request, in the Markdown of GitHub (https://github.github.com/gfm/). Text from the
// content is in code spans, so that it is not read as markup, a link or a mention.
import { markdownTable } from "markdown-table";
import type { Diagnostic } from "../../../diagnostics.ts";
import type { Difference } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { wordsOf } from "../../../diff/kinds.ts";
import { shown } from "../../../quote.ts";
import { integer, plural } from "../../../words.ts";
import { deletionTexts, reloadTexts } from "../advice.ts";
import { sizeText } from "../summary.ts";
import {
  cursorText,
  differenceTitle,
  earlierFaults,
  isNothing,
  kindsText,
  limitRows,
  mainFields,
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
  const { operations, lists, documents, declaration, settings, limits } = difference;
  const warnings = difference.warnings.map((each) => `:warning: ${each}`);
  const about = differenceTitle(difference, (name) => code(name, 200));
  if (isNothing(difference)) return `${[`${mark}\n### Nothing changes in the API`, about, ...warnings].join("\n\n")}\n`;
  const fixed = [
    `${mark}\n${verdict(difference)}`,
    about,
    ...earlierParts(difference),
    ...operations.added.map((name) => `- The operation ${code(name)} is new.`),
    table(tableRows(difference, sizeText)),
    limits.length === 0 ? "" : table(limitRows(limits)),
    ...reloadTexts(difference.reloads).map((each) => `:warning: ${each}`),
    ...cursorText(difference),
    ...deletionTexts(difference.deletions),
    ...warnings,
  ].filter((part) => part !== "");
  const sections = [
    ...lists.map(({ operation, items }) => sectionOf(`${operation}: ${kindsText(items)}`, items.map(itemLine))),
    ...documents.map(({ operation, fields }) =>
      sectionOf(`${operation}: ${integer(fields.length)} changed`, fields.map(fieldLine)),
    ),
    sectionOf(`declaration: ${integer(declaration.length)} changed`, declaration.map(fieldLine)),
    sectionOf(`settings: ${integer(settings.length)} changed`, settings.map(fieldLine)),
  ].filter(({ lines }) => lines.length > 0);
  const head = `${fixed.join("\n\n")}\n`;
  return `${head}${details(sections, mostBytes - bytesOf(head))}`;
}

/** Faults of the current content, which prevent a comparison. */
export function faultsMarkdown(faults: readonly Diagnostic[], count: string): string {
  const lines = faults.map(faultLine);
  const head = `${mark}\n### The content has faults\n\n${count}.\n\n`;
  return `${head}${fitting(lines, mostBytes - bytesOf(head))}\n`;
}

const faultLine = ({ file, line, column, message, hint }: Diagnostic): string =>
  `- ${code(`${file}:${line}:${column}`, 300)} ${code([message, hint ?? ""].join(" ").trim(), 600)}`;

function earlierParts(difference: Difference): readonly string[] {
  const faults = earlierFaults(difference);
  if (faults === undefined) return [];
  const sentence = faults.sentence((name) => code(name, 200));
  return [`:warning: ${sentence}`, faults.first.map(faultLine).join("\n")];
}

function verdict({ breaking }: Difference): string {
  if (breaking.length === 0) return "### No breaking changes for consumers of the API";
  const lines = breaking.map(({ sentence }) => `- ${wordsOf(sentence, (value) => code(value))}`);
  const head = `### ${plural(breaking.length, "breaking change")} for consumers of the API`;
  return `${head}\n\n${fitting(lines, mostOfBreaking)}`;
}

interface Section {
  readonly name: string;
  readonly lines: readonly string[];
}

const sectionOf = (name: string, lines: readonly string[]): Section => ({ name, lines });

/** Folded. The sections share the room: short sections leave their rest to longer ones. */
function details(sections: readonly Section[], room: number): string {
  const rooms = new Map<Section, number>();
  let left = room;
  for (const [index, section] of [...sections].sort((a, b) => lengthOf(a) - lengthOf(b)).entries()) {
    const share = Math.min(lengthOf(section), Math.floor(left / (sections.length - index)));
    rooms.set(section, share);
    left -= share;
  }
  return sections
    .map((section) => folded(section, (rooms.get(section) ?? 0) - bytesOf(folded(section, 0, []))))
    .join("");
}

/** In bytes, if no line is cut. */
const lengthOf = (section: Section): number =>
  section.lines.reduce((sum, line) => sum + bytesOf(line) + 1, bytesOf(folded(section, 0, [])));

const folded = ({ name, lines }: Section, room: number, shown = lines): string =>
  `\n<details><summary>${name}</summary>\n\n${fitting(shown, room)}\n\n</details>\n`;

/** The lines that fit into the room, and the number of the others. */
function fitting(lines: readonly string[], room: number): string {
  const rest = (more: number) =>
    `- … and ${integer(more)} more; ${code("stillapi diff --format json")} shows all of them`;
  const lengths = lines.map((line) => bytesOf(line) + 1);
  if (lengths.reduce((sum, length) => sum + length, 0) <= room) return lines.join("\n");
  let left = room - bytesOf(rest(lines.length)) - 1;
  let count = 0;
  for (const length of lengths) {
    left -= length;
    if (left < 0) break;
    count++;
  }
  return [...lines.slice(0, count), rest(lines.length - count)].join("\n");
}

function itemLine({ kind, key, fields }: ItemChange): string {
  if (kind === "removed") return `- removed ${code(key)}`;
  const { main, more } = mainFields(fields);
  const rest = more === 0 ? [] : [`and ${plural(more, "more field")}`];
  const texts = main.map((field) => (kind === "added" ? named(field.field, field.after) : fieldWords(field)));
  return `- ${kind} ${code(key)}: ${[...texts, ...rest].join(", ")}`;
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

/** A code span with a longer fence than any run of backticks in the text. */
function code(text: string, length?: number): string {
  const short = shown(text, length);
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([{ length: run }]) => run));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(short) ? " " : "";
  return `${fence}${space}${short}${space}${fence}`;
}
