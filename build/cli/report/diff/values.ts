// A difference as data, and the values that its reports as text and as Markdown share, without colours and escapes.
import type { Difference, LimitChange } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { wordsOf } from "../../../diff/kinds.ts";
import { durationOf } from "../../../documents/source.ts";
import { shown } from "../../../quote.ts";
import { integer, plural } from "../../../words.ts";
import { countText, faultsAsData } from "../faults.ts";

/** All of it, for programs. */
export const differenceAsData = ({ breaking, lists, earlier, ...difference }: Difference) => ({
  faults: [],
  earlier: { ...faultsAsData("", earlier.shown, earlier.omitted), uncompared: earlier.uncompared },
  breaking: breaking.map(({ sentence, ...about }) => ({ ...about, message: wordsOf(sentence, (value) => value) })),
  ...difference,
  items: Object.fromEntries(
    lists.map(({ operation, before, after, items }) => [operation, { before, after, changes: items }]),
  ),
});

export function isNothing(difference: Difference): boolean {
  const { operations, lists, documents, declaration, settings, files, earlier } = difference;
  if (earlier.shown.length > 0) return false;
  const lines = [operations.added, operations.removed, documents, declaration, settings];
  const changes = [...lines, ...lists.map(({ items }) => items)];
  const { added, removed, changed } = files;
  return changes.every(({ length }) => length === 0) && [added, removed, changed].every((each) => each.files === 0);
}

/** The most faults of the earlier side that are shown. */
const mostFaults = 3;

/** A sentence about the faults of the earlier side, and the first of them. Undefined: there are none. */
export function earlierFaults({ before, earlier: { shown: faults, omitted, uncompared } }: Difference) {
  const first = faults.slice(0, mostFaults);
  if (first.length === 0) return undefined;
  const count = countText(faults, omitted);
  const missing = uncompared.length === 0 ? "" : ` Not compared, and counted as unchanged: ${uncompared.join(", ")}.`;
  const rest = count.startsWith("1 fault in") ? "The fault:" : `The first ${first.length}:`;
  const sentence = (show: (name: string) => string) =>
    `Under the current rules, the earlier side, ${show(before)}, has ${count}.${missing} ${rest}`;
  return { sentence, first };
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

export const mainFields = (fields: readonly FieldChange[]) => ({
  main: fields.slice(0, mostFields),
  more: Math.max(0, fields.length - mostFields),
});

const kinds = ["added", "removed", "changed"] as const;

const countsOf = (items: readonly ItemChange[]): readonly number[] =>
  kinds.map((kind) => items.filter((item) => item.kind === kind).length);

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
  const { before, after, added, removed, changed } = files;
  const row = (name: string, [old, current, ...changes]: readonly number[], print: (amount: number) => string) => [
    name,
    print(old ?? 0),
    print(current ?? 0),
    ...changes.map((amount) => (amount === 0 ? "" : print(amount))),
  ];
  const amounts = [before, after, added, removed, changed];
  const counted = lists.map(({ operation, before: old, after: current, items }) =>
    row(operation, [old, current, ...countsOf(items)], integer),
  );
  return [
    ["", "before", "after", ...kinds],
    ...counted,
    row(
      "files",
      amounts.map((amount) => amount.files),
      integer,
    ),
    row(
      "size",
      amounts.map((amount) => amount.bytes),
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

/** A sentence if the change retires cursors. */
export function cursorText({ cursors: { retired, pages, lifetime } }: Difference): readonly string[] {
  if (retired === 0) return [];
  const one = retired === 1;
  if (pages === 0) return [`${plural(retired, "cursor")} ${one ? "expires" : "expire"} at once.`];
  const answer = `${plural(pages, "more page")} ${pages === 1 ? "answers" : "answer"} ${one ? "it" : "them"}`;
  return [`${plural(retired, "cursor")} ${one ? "is" : "are"} retired: ${answer} for ${durationOf(lifetime)}.`];
}
