// The contents of the reports of a difference, as text and as Markdown. A style writes the words of the program and the
// values of the content.
import type { ItemChange } from "../../../diff/changes.ts";
import type { ApiDifference, BuildDifference } from "../../../diff/difference.ts";
import { durationOf, noticeText, upperFirst } from "../../../documents/describe/sentences.ts";
import { shown, shownValue } from "../../../text/quote.ts";
import { integer, plural } from "../../../text/words.ts";
import type { FieldChange } from "../../../values/field-changes.ts";
import { reloadText, sizeText } from "../built.ts";

export interface Style {
  /** A sentence, which may have names of a declaration. */
  words(text: string): string;
  /** A short value without control characters. */
  value(text: string): string;
}

export interface Line {
  readonly kind: ItemChange["kind"];
  readonly text: string;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

type Rows = readonly (readonly string[])[];

/** The only API that is compared; undefined if there are several, or if one is new or gone. */
export function onlyOne({ apis, added, removed }: BuildDifference): ApiDifference | undefined {
  const [first, ...others] = apis;
  return [others, added, removed].every(({ length }) => length === 0) ? first : undefined;
}

/** What is told of several APIs before each of them. */
export const overviewOf = (differences: BuildDifference, style: Style) => ({
  ...lossesOf(differences, style),
  added: differences.added.map((base) => `The API ${style.value(base)} is new.`),
});

const lossesOf = ({ breaking, announced }: Pick<ApiDifference, "breaking" | "announced">, { words }: Style) => ({
  breaking: breaking.map(({ code, message }) => ({ code, text: words(message) })),
  announced: announced.map(({ message }) => words(`As announced: ${message}`)),
});

/** What the APIs of a build share. */
export type Totals = Pick<BuildDifference, "files" | "limits" | "reloads">;

/** The totals of several APIs, after each of them. */
export function totalsOf(differences: BuildDifference, style: Style) {
  const { apis, added, removed, files, reloads } = differences;
  const isNothing =
    [added, removed].every(({ length }) => length === 0) &&
    isSame(files) &&
    apis.every((difference) => reportOf(difference, undefined, style).isNothing);
  return {
    tables: isNothing ? [] : tablesOf({}, differences),
    notes: reloads.map((reload) => style.words(reloadText(reload))),
  };
}

/** `totals` are those of the only API. */
export function reportOf(difference: ApiDifference, totals: Totals | undefined, style: Style) {
  const { words, value } = style;
  const { breaking, announced } = lossesOf(difference, style);
  const { before, after, deployments, operations, items, documents, uncompared } = difference;
  const sections: readonly Section[] = [
    ...Object.entries(items).map(([title, { changes }]) => ({
      title,
      lines: changes.map((change) => itemLine(change, style)),
    })),
    ...documents.map(({ operation, fields }) => ({ title: operation, lines: fieldLines(fields, style) })),
    { title: "declaration", lines: fieldLines(difference.declaration, style) },
    { title: "settings", lines: fieldLines(difference.settings, style) },
  ];
  const changed = sections.filter(({ lines }) => lines.length > 0);
  const which =
    deployments.length === 0 ? "" : `, deployment ${deployments.map((name) => value(shown(name))).join(" → ")}`;
  const differing = [changed, operations.added, operations.removed, breaking, announced, difference.deprecated];
  return {
    /** `HEAD (1a2b3c4d5) → content, deployment edge` */
    title: `${value(shown(before, 200))} → ${value(shown(after, 200))}${which}`,
    /** Whether the compared parts do not change. */
    isNothing: isSame(totals?.files) && differing.every(({ length }) => length === 0),
    scope: uncompared.length === 0 ? "the API" : "what is compared",
    breaking,
    /** Announced removals, and new deprecations. */
    announced: [
      ...announced,
      ...difference.deprecated.map(({ what, ...notice }) =>
        words(`${upperFirst(what)} is ${noticeText(notice).replace(/^D/, "d").replaceAll("`", "")}`),
      ),
    ],
    added: operations.added.map((name) => `The operation ${value(name)} is new.`),
    sections: changed,
    tables: tablesOf(items, totals),
    cursors: cursorText(difference),
    /** Required actions, and parts that are not compared. */
    notes: [...difference.notes, ...(totals?.reloads ?? []).map(reloadText)].map(words),
  };
}

/** Of files that are not known, nothing is said. */
const isSame = (files: Totals["files"]): boolean =>
  files === undefined ||
  (files.before.files === files.after.files &&
    files.before.bytes === files.after.bytes &&
    kinds.every((kind) => (files[kind]?.files ?? 0) === 0));

/** The most fields of one item that are shown. */
const maxFields = 10;

export const kinds = ["added", "removed", "changed"] as const;

export const countsOf = (changes: readonly { readonly kind: ItemChange["kind"] }[]): readonly number[] =>
  kinds.map((kind) => changes.filter((change) => change.kind === kind).length);

function itemLine({ kind, key, fields }: ItemChange, style: Style): Line {
  const name = style.value(shown(key));
  if (kind === "removed") return { kind, text: name };
  const texts = fieldLines(fields.slice(0, maxFields), style).map((line) =>
    kind === "added" || line.kind === "changed" ? line.text : `${line.text} ${line.kind}`,
  );
  const more = fields.length - maxFields;
  const rest = more > 0 ? [`and ${plural(more, "more field")}`] : [];
  return { kind, text: `${name}: ${[...texts, ...rest].join(", ")}` };
}

function fieldLines(fields: readonly FieldChange[], style: Style): readonly Line[] {
  const files = fields.filter(isOtherFile);
  return fields.flatMap((change) => {
    const { field, before, after } = change;
    if (files.includes(change)) return { kind: "changed", text: fileText(change, fields, style) };
    // It is shown with the address of its file.
    if (files.some((address) => ownerOf(address.field) === ownerOf(field))) return [];
    const { value } = style;
    const name = value(shown(field));
    if (before === undefined) return { kind: "added", text: `${name} ${value(shownValue(after))}` };
    if (after === undefined) return { kind: "removed", text: `${name} ${value(shownValue(before))}` };
    return { kind: "changed", text: `${name} ${value(shownValue(before))} → ${value(shownValue(after))}` };
  });
}

/** Whether an item names another file beside the data, or the same one with other bytes. */
const isOtherFile = ({ field, before, after }: FieldChange): boolean =>
  field.endsWith(".url") &&
  [before, after].every((value) => typeof value === "string" && /\?v=[\da-f]{16}$/.test(value));

/** The field in which a part is; empty for a field of the item itself. */
const ownerOf = (field: string): string => field.slice(0, Math.max(0, field.lastIndexOf(".")));

/** `photo: 1.2 MB → 900 kB, 1600 × 1200 → 800 × 600` */
function fileText(address: FieldChange, fields: readonly FieldChange[], { value }: Style): string {
  const owner = ownerOf(address.field);
  const changeOf = (part: string) => fields.find(({ field }) => field === `${owner}.${part}`);
  const changed = (before: string, after: string): string => `${value(before)} → ${value(after)}`;
  const texts: string[] = [];
  const before = pathOf(address.before);
  const after = pathOf(address.after);
  if (before !== after) texts.push(changed(before, after));
  const bytes = changeOf("bytes");
  if (bytes !== undefined) texts.push(changed(sizeText(Number(bytes.before)), sizeText(Number(bytes.after))));
  const width = changeOf("width");
  const height = changeOf("height");
  if (width !== undefined && height !== undefined)
    texts.push(changed(`${width.before} × ${height.before}`, `${width.after} × ${height.after}`));
  else if (width !== undefined) texts.push(`width ${changed(String(width.before), String(width.after))}`);
  else if (height !== undefined) texts.push(`height ${changed(String(height.before), String(height.after))}`);
  return `${value(shown(owner))}: ${texts.length === 0 ? "other bytes" : texts.join(", ")}`;
}

const pathOf = (url: unknown): string => String(url).replace(/\?v=.*$/, "");

/** The lists, the files and their sizes, and the use of the limits. */
function tablesOf(items: ApiDifference["items"], totals: Totals | undefined): readonly Rows[] {
  const { files, limits = [] } = totals ?? {};
  const amounts = [...listRows(items), ...(files === undefined ? [] : fileRows(files))];
  const tables: Rows[] = [];
  if (amounts.length > 0) tables.push([["", "before", "after", ...kinds], ...amounts]);
  if (limits.length > 0) tables.push(limitRows(limits));
  return tables;
}

const listRows = (items: ApiDifference["items"]): Rows =>
  Object.entries(items).map(([name, { before, after, changes }]) => [
    name,
    ...amountCells([before, after, ...countsOf(changes)], integer),
  ]);

function fileRows(files: NonNullable<Totals["files"]>): Rows {
  const amounts = [files.before, files.after, ...kinds.map((kind) => files[kind] ?? { files: 0, bytes: 0 })];
  const counts = amounts.map((amount) => amount.files);
  const sizes = amounts.map((amount) => amount.bytes);
  return [
    ["files", ...amountCells(counts, integer)],
    ["size", ...amountCells(sizes, sizeText)],
  ];
}

/** The amounts before and after, then those of each kind of change, where zero is an empty cell. */
const amountCells = (amounts: readonly number[], print: (amount: number) => string): readonly string[] =>
  amounts.map((amount, index) => (amount === 0 && index > 1 ? "" : print(amount)));

const limitRows = (limits: Totals["limits"]): Rows => [
  ["limits", "before", "after", "at most"],
  ...limits.map(({ host, what, plan, before, after, most }) => [
    `${host}: ${what}${plan === undefined ? "" : `, ${plan}`}`,
    before === undefined ? "" : integer(before),
    integer(after),
    integer(most),
  ]),
];

function cursorText({ cursors }: ApiDifference): string | undefined {
  if (cursors === undefined || cursors.retired === 0) return undefined;
  const { retired, pages, lifetime } = cursors;
  const answers =
    pages === 0 ? "expire at once" : `a build answers for ${durationOf(lifetime)}, with ${plural(pages, "more page")}`;
  return `Retired cursors: ${integer(retired)}, which ${answers}.`;
}
