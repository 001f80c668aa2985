// The report of a difference as a comment on a pull request, in the Markdown of GitHub (https://github.github.com/gfm/).
// Values of the content are in code spans, so that they are not read as markup, links or mentions.
import { markdownTable } from "markdown-table";
import type { ApiDifference, BuildDifference } from "../../../diff/difference.ts";
import { isInFile, type Messages } from "../../../messages.ts";
import { shown } from "../../../text/quote.ts";
import { integer, plural } from "../../../text/words.ts";
import { countText } from "../print-messages.ts";
import { countsOf, kinds, onlyOne, overviewOf, reportOf, type Style, totalsOf } from "./model.ts";

/** The first line, which GitHub does not show. A workflow finds its comment by it. */
const mark = "<!-- stillapi diff -->";

/**
 * In UTF-8. GitHub accepts 65,536 characters. The workflow passes the text in a variable and in an argument; Linux
 * accepts 128 KiB for each.
 */
const maxBytes = 65_000;

/** The part of `maxBytes` for breaking changes. */
const maxBytesOfBreaking = 20_000;

export function differencesMarkdown(differences: BuildDifference): string {
  const only = onlyOne(differences);
  if (only !== undefined) return `${mark}\n${differenceMarkdown(only, differences, maxBytes - bytesOf(mark) - 1)}`;
  const { breaking, announced, added } = overviewOf(differences, style);
  const lists = [breaking.map(({ text }) => text), [...announced, ...added]].map((texts) =>
    texts.map((text) => `- ${text}`).join("\n"),
  );
  const heads = breaking.length === 0 ? [] : [`### ${plural(breaking.length, "API")} removed`];
  const { tables, notes } = totalsOf(differences, style);
  const end = `\n${paragraphs([...tables.map(table), ...warningsOf(notes, differences)])}`;
  let text = `${mark}\n${paragraphs([...heads, ...lists])}`;
  const { apis } = differences;
  for (const [index, { base, ...difference }] of apis.entries()) {
    // Shorter reports leave the rest of their share to the following ones.
    const head = `\n## ${code(base)}\n\n`;
    const share = (maxBytes - bytesOf(text) - bytesOf(end)) / (apis.length - index);
    text += head + differenceMarkdown(difference, undefined, share - bytesOf(head));
  }
  return text + end;
}

/** The notes of a report, and the new warnings. */
const warningsOf = (notes: readonly string[], { warnings }: Pick<BuildDifference, "warnings">): readonly string[] =>
  [...notes, ...warnings.map(({ text }) => words(text))].map((text) => `:warning: ${text}`);

/** `room` is the size limit in bytes. `all` is the comparison if it has no other API. */
function differenceMarkdown(difference: ApiDifference, all: BuildDifference | undefined, room: number): string {
  const { title, isNothing, scope, breaking, sections, ...report } = reportOf(difference, all, style);
  const warnings = warningsOf(report.notes, { warnings: all?.warnings ?? [] });
  if (isNothing) return paragraphs([`### Nothing changes in ${scope}`, title, ...warnings]);
  const lines = breaking.map(({ text }) => `- ${text}`);
  const verdict =
    breaking.length === 0
      ? `### No breaking changes for consumers of ${scope}`
      : `### ${plural(breaking.length, "breaking change")} for consumers of the API\n\n${fitting(lines, Math.min(maxBytesOfBreaking, room / 3))}`;
  let text = paragraphs([
    verdict,
    title,
    [...report.announced, ...report.added].map((text) => `- ${text}`).join("\n"),
    ...report.tables.map(table),
    report.cursors ?? "",
    ...warnings,
  ]);
  for (const [index, { title, lines }] of sections.entries()) {
    // Shorter sections leave the rest of their share to the following ones.
    const share = (room - bytesOf(text)) / (sections.length - index);
    const counts: string[] = [];
    for (const [at, count] of countsOf(lines).entries()) if (count > 0) counts.push(`${integer(count)} ${kinds[at]}`);
    const start = `\n<details><summary>${title}: ${counts.join(", ")}</summary>\n\n`;
    const end = "\n\n</details>\n";
    const items = lines.map(({ kind, text }) => `- ${kind} ${text}`);
    text += `${start}${fitting(items, share - bytesOf(start + end))}${end}`;
  }
  return text;
}

/** The errors of a side, which prevent a comparison. */
export function errorsMarkdown(messages: Messages): string {
  const head = paragraphs([`${mark}\n### The content has faults`, `${countText(messages)}.`, ""]);
  const errors = messages.shown.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ place, text, hint }) => {
    const { file, line, column } = place;
    const where = isInFile(place) ? `${code(shown(`${file}:${line}:${column}`, 300))} ` : "";
    return `- ${where}${code(shown([text, hint ?? ""].join(" ").trim(), 600))}`;
  });
  return `${head}\n${fitting(lines, maxBytes - bytesOf(head) - 2)}\n`;
}

function paragraphs(parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== "");
  return filled.length === 0 ? "" : `${filled.join("\n\n")}\n`;
}

/** The lines that fit into the room, and the number of the others. */
function fitting(lines: readonly string[], room: number): string {
  const all = lines.join("\n");
  if (bytesOf(all) <= room) return all;
  const rest = (more: number) => `- … and ${integer(more)} more; \`stillapi diff --format json\` shows all of them`;
  let left = room - bytesOf(rest(lines.length));
  const cut = lines.findIndex((line) => {
    left -= bytesOf(line) + 1;
    return left < 0;
  });
  return [...lines.slice(0, cut), rest(lines.length - cut)].join("\n");
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The first column is aligned to the left, the numbers to the right. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const body = rows.map(([name = "", ...numbers]) => [code(name).replaceAll("|", "\\|"), ...numbers]);
  const align = head.map((_, index) => (index === 0 ? null : "right"));
  return markdownTable([head, ...body], { align, alignDelimiters: false });
}

/** A sentence with the names of a declaration, which are no markup. */
const words = (text: string): string => shown(text, Number.POSITIVE_INFINITY).replace(/[\\`*_[\]<>|~]/g, "\\$&");

const style: Style = { words, value: code };

/** A code span with a longer fence than any run of backticks in the text. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([{ length: run }]) => run));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}
