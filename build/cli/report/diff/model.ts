// The report of a difference without a format: what its forms as text, as Markdown and as data say.
import type { Difference } from "../../../diff/difference.ts";
import type { FieldChange } from "../../../diff/fields.ts";
import type { ItemChange } from "../../../diff/items.ts";
import type { Breaking } from "../../../diff/kinds.ts";
import { durationOf, noticeText, upperFirst } from "../../../documents/source.ts";
import { shown } from "../../../text/quote.ts";
import { integer, listed, plural } from "../../../text/words.ts";
import { reloadText, sizeText } from "../built.ts";
import { countText, faultsAsData } from "../faults.ts";

/** Words of this program, or a value of the content, which is escaped and short. */
export type Part = string | { readonly value: string; readonly role: "name" | "field" | "old" | "new" };

export type Parts = readonly Part[];

export interface Line {
  readonly kind: ItemChange["kind"];
  readonly parts: Parts;
}

export interface Section {
  readonly title: string;
  /** `1 added, 30 changed` */
  readonly summary: string;
  readonly lines: readonly Line[];
}

type Rows = readonly (readonly string[])[];

export function reportOf(difference: Difference) {
  const { before, after, deployments, operations, lists, documents, files, limits, earlier } = difference;
  const sections = [
    ...lists.map(({ operation, items }) => sectionOf(operation, items.map(itemLine))),
    ...documents.map(({ operation, fields }) => sectionOf(operation, fields.map(fieldLine))),
    sectionOf("declaration", difference.declaration.map(fieldLine)),
    sectionOf("settings", difference.settings.map(fieldLine)),
  ].filter(({ lines }) => lines.length > 0);
  const which = deployments.flatMap((each, index) => [index === 0 ? ", deployment " : " → ", nameOf(each)]);
  const isSame = files !== undefined && kinds.every((kind) => files[kind].files === 0);
  const others = [operations.added, operations.removed, earlier.shown, sections];
  return {
    /** `HEAD (1a2b3c4d5) → content, deployment edge` */
    title: [nameOf(before), " → ", nameOf(after), ...which] satisfies Parts,
    /** Whether nothing changes in what is compared. */
    isNothing: isSame && others.every(({ length }) => length === 0),
    scope: earlier.uncompared.length === 0 ? "the API" : "what is compared",
    /** What is not compared, with the first faults of the earlier side. */
    notes: notesOn(difference),
    faults: earlier.shown.slice(0, mostFaults),
    breaking: difference.breaking.map((each) => ({ code: each.code, parts: sentenceOf(each) })),
    /** What goes as announced, and what is deprecated now. */
    announced: [
      ...difference.announced.map((each): Parts => ["As announced: ", ...sentenceOf(each)]),
      ...difference.deprecated.map(({ what, ...notice }): Parts => {
        return [`${upperFirst(what)} is ${noticeText(notice).replace(/^D/, "d").replaceAll("`", "")}`];
      }),
    ],
    added: operations.added,
    sections,
    tables: [amountRows(difference), ...(limits.length === 0 ? [] : [limitRows(difference)])],
    cursors: cursorText(difference),
    /** What asks for an action. */
    warnings: [...difference.reloads.map(reloadText), ...difference.warnings],
  };
}

/** All of a difference, for programs. */
export const differenceAsData = ({ breaking, announced, lists, earlier, ...difference }: Difference) => ({
  faults: [],
  earlier: {
    ...faultsAsData("", earlier.shown, earlier.omitted),
    ...{ uncompared: earlier.uncompared, loaded: earlier.loaded },
  },
  breaking: breaking.map(lossAsData),
  announced: announced.map(lossAsData),
  ...difference,
  items: Object.fromEntries(
    lists.map(({ operation, before, after, items }) => [operation, { before, after, changes: items }]),
  ),
});

const lossAsData = (each: Breaking) => ({
  ...each,
  message: each.message.endsWith(":") ? `${each.message} ${listed(each.values)}.` : each.message,
});

const nameOf = (text: string): Part => ({ value: shown(text, 200), role: "name" });

/** The most faults of the earlier side, fields of one item and values of a sentence that are shown. */
const [mostFaults, mostFields, mostValues] = [3, 10, 10];

function notesOn({ before, earlier: { shown: faults, omitted, uncompared, loaded } }: Difference): readonly Parts[] {
  const amounts = "Amounts have today's on both sides.";
  const why = ` does not hold the data of its time. ${amounts}`;
  const faulty = uncompared.filter((name) => !loaded.includes(name));
  const missing = faulty.length === 0 ? "" : ` Not compared: ${listed(faulty)}. ${amounts}`;
  const has = `, has ${countText(faults, omitted)}.${missing} The first of them:`;
  const notLoaded: Parts = [`Not compared: ${listed(loaded)}; a function loads their items, and `, nameOf(before), why];
  return [
    ...(loaded.length > 0 ? [notLoaded] : []),
    ...(faults.length > 0 ? [["Under the current rules, the earlier side, ", nameOf(before), has]] : []),
  ];
}

function sentenceOf({ message, values }: Breaking): Parts {
  if (!message.endsWith(":")) return [message];
  const more = values.length - mostValues;
  const named = values.slice(0, mostValues).map((value): Parts => [{ value: shown(value), role: "name" }]);
  return [`${message} `, ...joined(named), more > 0 ? ` and ${integer(more)} more.` : "."];
}

const joined = (all: readonly Parts[]): Parts => all.flatMap((each, index) => (index === 0 ? each : [", ", ...each]));

function sectionOf(title: string, lines: readonly Line[]): Section {
  const counts = countsOf(lines).flatMap((count, index) => (count === 0 ? [] : `${integer(count)} ${kinds[index]}`));
  return { title, lines, summary: counts.join(", ") };
}

const kinds = ["added", "removed", "changed"] as const;

const countsOf = (changes: readonly { readonly kind: ItemChange["kind"] }[]): readonly number[] =>
  kinds.map((kind) => changes.filter((each) => each.kind === kind).length);

function itemLine({ kind, key, fields }: ItemChange): Line {
  const name: Part = { value: shown(key), role: "name" };
  if (kind === "removed") return { kind, parts: [name] };
  const more = fields.length - mostFields;
  const named = fields.slice(0, mostFields).map((field) => {
    const change = fieldLine(field);
    return kind === "added" || change.kind === "changed" ? change.parts : [...change.parts, ` ${change.kind}`];
  });
  const rest: readonly Parts[] = more > 0 ? [[`and ${plural(more, "more field")}`]] : [];
  return { kind, parts: [name, ": ", ...joined([...named, ...rest])] };
}

function fieldLine({ field, before, after }: FieldChange): Line {
  const name: Part = { value: shown(field), role: "field" };
  const old: Part = { value: shownValue(before), role: "old" };
  const own: Part = { value: shownValue(after), role: "new" };
  if (before === undefined) return { kind: "added", parts: [name, " ", own] };
  if (after === undefined) return { kind: "removed", parts: [name, " ", old] };
  return { kind: "changed", parts: [name, " ", old, " → ", own] };
}

/** Quotes a string only if it could be read as another kind of value. */
function shownValue(value: unknown): string {
  const isPlain = typeof value === "string" && /^[^\s"'[{]/.test(value) && /\S$/.test(value);
  return shown(isPlain && !literal.test(value) ? value : (JSON.stringify(value) ?? ""));
}

/** The values of JSON besides strings, objects and lists. */
const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** The lists, the files and their sizes. Zero is an empty cell. */
function amountRows({ lists, files }: Difference): Rows {
  const row = (name: string, [old = 0, own = 0, ...changes]: readonly number[], print = integer) => [
    name,
    ...[print(old), print(own), ...changes.map((amount) => (amount === 0 ? "" : print(amount)))],
  ];
  const amounts = files === undefined ? [] : [files.before, files.after, ...kinds.map((kind) => files[kind])];
  const ofFiles = [
    row(
      "files",
      amounts.map((each) => each.files),
    ),
    row(
      "size",
      amounts.map(({ bytes }) => bytes),
      sizeText,
    ),
  ];
  return [
    ["", "before", "after", ...kinds],
    ...lists.map(({ operation, before, after, items }) => row(operation, [before, after, ...countsOf(items)])),
    ...(files === undefined ? [] : ofFiles),
  ];
}

const limitRows = ({ limits }: Difference): Rows => [
  ["limits", "before", "after", "at most"],
  ...limits.map(({ host, what, plan, before, after, most }) => [
    // Without the name of the largest folder or file, which may differ before and after.
    `${host}: ${what.replace(/ \(.*\)$/, "")}${plan === undefined ? "" : `, ${plan}`}`,
    before === undefined ? "" : integer(before),
    ...[integer(after), integer(most)],
  ]),
];

function cursorText({ cursors: { retired, pages, lifetime } }: Difference): string | undefined {
  if (retired === 0) return undefined;
  const [it, is, expires] = retired === 1 ? ["it", "is", "expires"] : ["them", "are", "expire"];
  if (pages === 0) return `${plural(retired, "cursor")} ${expires} at once.`;
  const answer = `${plural(pages, "more page")} ${pages === 1 ? "answers" : "answer"} ${it}`;
  return `${plural(retired, "cursor")} ${is} retired: ${answer} for ${durationOf(lifetime)}.`;
}
