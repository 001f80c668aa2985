// A difference as data, and the sentences and cells that its reports as text and as Markdown share, without colours and
// escapes.

import type { Difference, LimitChange } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import type { Breaking } from "../../../diff/kinds.ts";
import { durationOf } from "../../../documents/source.ts";
import { shown } from "../../../quote.ts";
import { integer, listed, plural } from "../../../words.ts";
import { reloadTexts } from "../advice.ts";
import { countText, faultsAsData } from "../faults.ts";

/** All of it, for programs. */
export const differenceAsData = ({ breaking, lists, earlier, ...difference }: Difference) => ({
  faults: [],
  earlier: {
    ...faultsAsData("", earlier.shown, earlier.omitted),
    uncompared: earlier.uncompared,
    loaded: earlier.loaded,
  },
  breaking: breaking.map((each) => ({ ...each, message: sentenceOf(each, (text) => text) })),
  ...difference,
  items: Object.fromEntries(
    lists.map(({ operation, before, after, items }) => [operation, { before, after, changes: items }]),
  ),
});

/** `showValue` prints a value that comes from the content. */
export const sentenceOf = ({ message, values }: Breaking, showValue: (value: string) => string): string =>
  message.endsWith(":") ? `${message} ${listed(values.map(showValue))}.` : message;

/** Whether nothing changes in what is compared. */
export function isNothing(difference: Difference): boolean {
  const { operations, lists, documents, declaration, settings, files, earlier } = difference;
  const lines = [operations.added, operations.removed, documents, declaration, settings, earlier.shown];
  const changes = [...lines, ...lists.map(({ items }) => items)];
  const { added, removed, changed } = files;
  return changes.every(({ length }) => length === 0) && [added, removed, changed].every((each) => each.files === 0);
}

/** The most faults of the earlier side that are shown. */
const mostFaults = 3;

/** What is not compared: sentences, with the first faults of the earlier side. `show` prints a name. */
export function limitsOf({ before, earlier }: Difference, show: (name: string) => string) {
  const { shown: faults, omitted, uncompared, loaded } = earlier;
  const first = faults.slice(0, mostFaults);
  const notes: string[] = [];
  const amounts = "Amounts have today's on both sides.";
  if (loaded.length > 0) {
    const whose = `a function loads their items, and ${show(before)} does not hold the data of its time`;
    notes.push(`Not compared: ${listed(loaded)}; ${whose}. ${amounts}`);
  }
  if (first.length > 0) {
    const count = countText(faults, omitted);
    const faulty = uncompared.filter((name) => !loaded.includes(name));
    const missing = faulty.length === 0 ? "" : ` Not compared: ${listed(faulty)}. ${amounts}`;
    const rest = count.startsWith("1 fault in") ? "The fault:" : `The first ${first.length}:`;
    notes.push(`Under the current rules, the earlier side, ${show(before)}, has ${count}.${missing} ${rest}`);
  }
  return { notes, first };
}

/** `HEAD (1a2b3c4d5) → content, deployment edge` */
export function differenceTitle({ before, after, deployments }: Difference, show: (name: string) => string): string {
  const which = deployments.length === 0 ? "" : `, deployment ${deployments.map(show).join(" → ")}`;
  return `${show(before)} → ${show(after)}${which}`;
}

/** Quotes a text only if it could be read as another kind of value. Shortened and escaped. */
export function shownValue(value: unknown): string {
  const isPlain = typeof value === "string" && /^[^\s"'[{]/.test(value) && /\S$/.test(value);
  return shown(isPlain && !literal.test(value) ? value : JSON.stringify(value));
}

/** The values of JSON besides texts, objects and lists. */
const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** The most fields of one item that are shown; the others are counted. */
const mostFields = 10;

/** The fields of an item, each by `print`, and the number of those that are not shown. */
export function fieldTexts({ fields }: ItemChange, print: (field: FieldChange) => string): string {
  const more = fields.length - mostFields;
  return [...fields.slice(0, mostFields).map(print), ...(more > 0 ? [`and ${plural(more, "more field")}`] : [])].join(
    ", ",
  );
}

const kinds = ["added", "removed", "changed"] as const;

const countsOf = (items: readonly ItemChange[]): readonly number[] =>
  kinds.map((kind) => items.filter((item) => item.kind === kind).length);

/** Everything but the items as changes of fields, with a name for each group. */
export const fieldGroups = ({
  documents,
  declaration,
  settings,
}: Difference): readonly (readonly [string, readonly FieldChange[]])[] => [
  ...documents.map(({ operation, fields }) => [operation, fields] as const),
  ["declaration", declaration],
  ["settings", settings],
];

/** `1 added, 30 changed` */
export const kindsText = (items: readonly ItemChange[]): string =>
  countsOf(items)
    .flatMap((count, index) => (count === 0 ? [] : `${integer(count)} ${kinds[index]}`))
    .join(", ");

/** A head, the lists, the files and their sizes. Zero is an empty cell. */
export function tableRows(
  { lists, files }: Difference,
  size: (bytes: number) => string,
): readonly (readonly string[])[] {
  const row = (
    name: string,
    [old = 0, current = 0, ...changes]: readonly number[],
    print: (amount: number) => string,
  ) => [name, print(old), print(current), ...changes.map((amount) => (amount === 0 ? "" : print(amount)))];
  const amounts = [files.before, files.after, ...kinds.map((kind) => files[kind])];
  return [
    ["", "before", "after", ...kinds],
    ...lists.map(({ operation, before, after, items }) => row(operation, [before, after, ...countsOf(items)], integer)),
    row(
      "files",
      amounts.map((each) => each.files),
      integer,
    ),
    row(
      "size",
      amounts.map(({ bytes }) => bytes),
      size,
    ),
  ];
}

export const limitRows = (limits: readonly LimitChange[]): readonly (readonly string[])[] => [
  ["limits", "before", "after", "at most"],
  ...limits.map(({ host, what, plan, before, after, most }) => [
    // Without the name of the largest folder or file, which may differ before and after.
    `${host}: ${what.replace(/ \(.*\)$/, "")}${plan === undefined ? "" : `, ${plan}`}`,
    before === undefined ? "" : integer(before),
    integer(after),
    integer(most),
  ]),
];

/** Sentences about the consequences. `mark` marks what asks for an action. */
export const consequences = (difference: Difference, mark: string): readonly string[] => [
  ...reloadTexts(difference.reloads).map((each) => `${mark} ${each}`),
  ...cursorText(difference),
  ...difference.warnings.map((each) => `${mark} ${each}`),
];

/** A sentence if the change retires cursors. */
function cursorText({ cursors: { retired, pages, lifetime } }: Difference): readonly string[] {
  if (retired === 0) return [];
  const one = retired === 1;
  if (pages === 0) return [`${plural(retired, "cursor")} ${one ? "expires" : "expire"} at once.`];
  const answer = `${plural(pages, "more page")} ${pages === 1 ? "answers" : "answer"} ${one ? "it" : "them"}`;
  return [`${plural(retired, "cursor")} ${one ? "is" : "are"} retired: ${answer} for ${durationOf(lifetime)}.`];
}
