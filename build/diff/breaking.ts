// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import type { Catalog, Items } from "../content/catalog.ts";
import { hasSunset } from "../declaration/deprecations.ts";
import type { PublishedApi, PublishedOperation } from "../published/overview.ts";
import { shown } from "../text/quote.ts";
import { counted, listed } from "../text/words.ts";
import { groupBy } from "../values/group-by.ts";
import type { FieldChange, ItemChange } from "./changes.ts";
import { fieldLosses, listLosses, wordsIn } from "./declaration.ts";
import type { Breaking, Loss } from "./kinds.ts";

/**
 * Losses that consumers were told of, which go after their sunset, are `announced`. `catalog` is that of the API after the
 * change, `items` are those that are compared, by operation. `today` tells which sunsets have come.
 */
export function breakingChanges(
  before: PublishedApi,
  after: PublishedApi,
  catalog: Catalog,
  items: Readonly<Record<string, { readonly changes: readonly ItemChange[] }>>,
  uncompared: readonly string[],
  today: string,
): Readonly<Record<"breaking" | "announced", readonly Breaking[]>> {
  const { base } = after;
  const { api } = catalog;
  const breaking: Breaking[] = [];
  const announced: Breaking[] = [];
  const ownOf = (old: PublishedOperation) =>
    after.operations.find(({ name, kind }) => name === old.name && kind === old.kind);
  const lossesOf = (old: PublishedOperation, own: PublishedOperation): readonly Loss[] => {
    const path = `${base}/${old.name}`;
    const losses = fieldLosses(path, old, own, wordsIn(api, old.name));
    const list = api.lists.find(({ name }) => name === old.name);
    if (list === undefined) return losses;
    const ofItems = itemLosses(path, old, list, items[old.name]?.changes ?? [], catalog);
    const ofValues = uncompared.includes(old.name) ? [] : valueLosses(path, old, own);
    return [...losses, ...listLosses(path, old, own), ...ofItems, sizeLoss(path, old, own), ...ofValues];
  };
  for (const old of before.operations) {
    const own = ownOf(old);
    for (const [code, values, text, noticeOf] of own ? lossesOf(old, own) : [removed(old, before.base)]) {
      const groups = groupBy(values, (value) => noticeOf && untimely(noticeOf(value), today));
      for (const [why, group] of groups) {
        const sentence = text.endsWith(":") ? `${text} ${listed(group.map((each) => shown(each)))}.` : text;
        const message = [sentence, why ?? ""].join(" ").trim();
        (why === "" ? announced : breaking).push({ code, operations: [old.name], message, values: group });
      }
    }
  }
  const message = `Every path starts with ${base} in place of ${before.base}: the former paths are answered with 404.`;
  const names = before.operations.filter(ownOf).map(({ name }) => name);
  if (base !== before.base) breaking.push({ code: "base-changed", operations: names, values: [before.base], message });
  return { breaking, announced };
}

/** Why something should not go today. Empty if consumers were told that it goes. */
function untimely(notice: Deprecation | undefined, today: string): string {
  if (notice === undefined) return "It had not been deprecated.";
  if (hasSunset(notice, today)) return "";
  return `Its sunset ${notice.sunset === undefined ? "had not been announced" : `is not before ${notice.sunset}`}.`;
}

const removed = ({ name, deprecated }: PublishedOperation, base: string): Loss => [
  "operation-removed",
  [name],
  `${base}/${name} is removed: it is answered with 404.`,
  () => deprecated,
];

function itemLosses(
  path: string,
  old: PublishedOperation,
  list: ListOperation,
  changes: readonly ItemChange[],
  { items }: Catalog,
): readonly Loss[] {
  const removed = changes.filter(({ kind }) => kind === "removed");
  const changed = changes.flatMap(({ kind, key, fields }) =>
    kind === "changed" ? fields.map((each) => ({ ...each, key, top: topField(each) })) : [],
  );
  // Additions to a definition do not change its earlier meaning.
  const redefined = changed.filter(({ top, before }) => list.defining.includes(top) && before !== undefined);
  // The loss of all aliases, or of all single items, is another change.
  const aliasField = old.aliases === list.item?.aliases ? old.aliases : undefined;
  const aliases = changes
    .flatMap(({ fields }) => fields.filter((each) => topField(each) === aliasField))
    .flatMap(({ before }) => textsIn(before));
  const lost = removed.length + aliases.length > 0;
  // A renamed item is answered at its former key if that is an alias now, and an alias may be another item's or a key now.
  const answered = new Set(lost ? namesOf(items.get(list.name)) : []);
  const gone = removed.map(({ key }) => key).filter((key) => !answered.has(key));
  const single = list.item === undefined ? "" : `, and answered with 404 at ${path}/KEY`;
  const isOrAre = gone.length === 1 ? "is" : "are";
  return [
    ["item-removed", gone, `${counted(gone.length, list)} ${isOrAre} gone from ${path}${single}:`],
    [
      "item-removed",
      aliases.filter((alias) => !answered.has(alias)),
      `${path}/KEY is answered with 404 for these aliases:`,
    ],
    ["meaning-changed", [...new Set(redefined.map(({ key }) => key))], `These definitions of ${path} have changed:`],
  ];
}

const topField = ({ field }: FieldChange): string => field.replace(/[[.].*$/, "");

/** The keys and aliases at which single items are answered. */
function* namesOf(items: Items | undefined): Generator<string> {
  yield* items?.names ?? [];
  yield* items?.aliases?.known ?? [];
}

const textsIn = (value: unknown): readonly string[] =>
  value === undefined || value === null ? [] : [value].flat().map(String);

function sizeLoss(path: string, old: PublishedOperation, own: PublishedOperation): Loss {
  const [before = [], after] = [old, own].map(({ page_sizes: sizes }) => (sizes === "every" ? everyPageSize : sizes));
  const gone = after === undefined ? [] : before.filter((size) => !after.includes(size));
  const answer = `a limit below ${after?.[0]} is an error, another gives the next smaller page`;
  return ["page-size-removed", gone.map(String), `${path} has no pages of these sizes any more (${answer}):`];
}

const valueLosses = (path: string, old: PublishedOperation, own: PublishedOperation): readonly Loss[] =>
  [...(own.values === undefined ? [] : (old.values ?? []))].map(([param, values]) => {
    // A filter that is gone is another change.
    const isSame = JSON.stringify(old.filters[param]) === JSON.stringify(own.filters[param]);
    const known = new Set(own.values?.get(param)?.map(({ value }) => value));
    const gone = isSame ? values.filter(({ value }) => !known.has(value)) : [];
    const queries = gone.map(({ value }) => `${param}=${value}`);
    return ["value-removed", queries, `${path} answers with 400 to these, which were accepted:`];
  });
