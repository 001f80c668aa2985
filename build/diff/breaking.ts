// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import { isDeepStrictEqual } from "node:util";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import { aliasesOf, declaredAliases } from "../../src/model/aliases.ts";
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
 * Losses that were announced to consumers and whose sunset has passed by `today` are `announced`. `catalog` belongs to the
 * API after the change. `items` are the compared ones, by operation.
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
  const counterpartOf = ({ name, kind }: PublishedOperation) =>
    after.operations.find((operation) => operation.name === name && operation.kind === kind);
  const lossesOf = (operation: PublishedOperation): readonly Loss[] => {
    const counterpart = counterpartOf(operation);
    if (counterpart === undefined) return [removed(operation, before.base)];
    const { name } = operation;
    const path = `${base}/${name}`;
    const ofFields = fieldLosses(path, operation, counterpart, wordsIn(api, name));
    const list = api.lists.find((candidate) => candidate.name === name);
    if (list === undefined) return ofFields;
    const ofList = listLosses(path, operation, counterpart);
    const ofItems = itemLosses(path, operation, list, items[name]?.changes ?? [], catalog);
    const ofSizes = sizeLoss(path, operation, counterpart);
    const ofValues = uncompared.includes(name) ? [] : valueLosses(path, operation, counterpart);
    return [...ofFields, ...ofList, ...ofItems, ofSizes, ...ofValues];
  };
  for (const operation of before.operations) {
    for (const { code, values, text, listsValues, noticeOf } of lossesOf(operation)) {
      const groups = groupBy(values, (value) => noticeOf && untimely(noticeOf(value), today));
      for (const [why, group] of groups) {
        const sentence = listsValues ? `${text}: ${listed(group.map((value) => shown(value)))}.` : `${text}.`;
        const message = [sentence, why ?? ""].join(" ").trim();
        const changes = why === "" ? announced : breaking;
        changes.push({ code, operations: [operation.name], message, values: group });
      }
    }
  }
  const message = `Every path starts with ${base} in place of ${before.base}: the former paths are answered with 404.`;
  const names = before.operations.filter(counterpartOf).map(({ name }) => name);
  if (base !== before.base) breaking.push({ code: "base-changed", operations: names, values: [before.base], message });
  for (const { path } of before.outputs) {
    // A change of the base, which is told above, is no removal.
    const now = path.startsWith(`${before.base}/`) ? base + path.slice(before.base.length) : path;
    if (after.outputs.some((output) => output.path === now)) continue;
    const text = `The output ${path} is removed: it is answered with 404.`;
    breaking.push({ code: "output-removed", operations: [], values: [path], message: text });
  }
  return { breaking, announced };
}

/** Why something should not be removed today. Empty if its sunset was announced and has passed. */
function untimely(notice: Deprecation | undefined, today: string): string {
  if (notice === undefined) return "It had not been deprecated.";
  if (hasSunset(notice, today)) return "";
  return `Its sunset ${notice.sunset === undefined ? "had not been announced" : `is not before ${notice.sunset}`}.`;
}

const removed = ({ name, deprecated }: PublishedOperation, base: string): Loss => ({
  code: "operation-removed",
  values: [name],
  text: `${base}/${name} is removed: it is answered with 404`,
  listsValues: false,
  noticeOf: () => deprecated,
});

function itemLosses(
  path: string,
  { aliases: aliasesBefore }: PublishedOperation,
  list: ListOperation,
  changes: readonly ItemChange[],
  { items }: Catalog,
): readonly Loss[] {
  const removed = changes.filter(({ kind }) => kind === "removed");
  const changed = changes.flatMap(({ kind, key, fields }) =>
    kind === "changed" ? fields.map((field) => ({ ...field, key, top: topField(field) })) : [],
  );
  // Additions to a definition do not change its earlier meaning.
  const redefined = changed.filter(({ top, before }) => list.defining.includes(top) && before !== undefined);
  // The loss of all aliases, or of all single items, is another change.
  const rule = list.item?.aliases;
  const aliases =
    rule === undefined || !isDeepStrictEqual(aliasesBefore, declaredAliases(rule))
      ? []
      : changes
          .flatMap(({ fields }) => fields.filter((field) => topField(field) === rule.field))
          .flatMap(({ before }) => aliasesOf(rule, { [rule.field]: before }));
  const lost = removed.length + aliases.length > 0;
  // A renamed item is answered at its former key if that is an alias now, and an alias may be another item's or a key now.
  const answered = new Set(lost ? namesOf(items.get(list.name)) : []);
  const gone = removed.map(({ key }) => key).filter((key) => !answered.has(key));
  const single = list.item === undefined ? "" : `, and answered with 404 at ${path}/KEY`;
  const isOrAre = gone.length === 1 ? "is" : "are";
  return [
    {
      code: "item-removed",
      values: gone,
      text: `${counted(gone.length, list)} ${isOrAre} gone from ${path}${single}`,
      listsValues: true,
    },
    {
      code: "item-removed",
      values: aliases.filter((alias) => !answered.has(alias)),
      text: `${path}/KEY is answered with 404 for these aliases`,
      listsValues: true,
    },
    {
      code: "meaning-changed",
      values: [...new Set(redefined.map(({ key }) => key))],
      text: `These definitions of ${path} have changed`,
      listsValues: true,
    },
  ];
}

const topField = ({ field }: FieldChange): string => field.replace(/[[.].*$/, "");

/** The keys and aliases at which single items are answered. */
function* namesOf(items: Items | undefined): Generator<string> {
  yield* items?.names ?? [];
  yield* items?.aliases?.known ?? [];
}

function sizeLoss(path: string, before: PublishedOperation, after: PublishedOperation): Loss {
  const sizesAfter = sizesOf(after);
  const gone = sizesAfter === undefined ? [] : (sizesOf(before) ?? []).filter((size) => !sizesAfter.includes(size));
  const answer = `a limit below ${sizesAfter?.[0]} is an error, another gives the next smaller page`;
  return {
    code: "page-size-removed",
    values: gone.map(String),
    text: `${path} has no pages of these sizes any more (${answer})`,
    listsValues: true,
  };
}

const sizesOf = ({ page_sizes: sizes }: PublishedOperation): readonly number[] | undefined =>
  sizes === "every" ? everyPageSize : sizes;

function valueLosses(path: string, before: PublishedOperation, after: PublishedOperation): readonly Loss[] {
  if (before.values === undefined || after.values === undefined) return [];
  const losses: Loss[] = [];
  for (const [param, values] of before.values) {
    // A filter that is gone is another change.
    if (JSON.stringify(before.filters[param]) !== JSON.stringify(after.filters[param])) continue;
    const accepted = new Set(after.values.get(param)?.map(({ value }) => value));
    const gone = values.filter(({ value }) => !accepted.has(value));
    losses.push({
      code: "value-removed",
      values: gone.map(({ value }) => `${param}=${value}`),
      text: `${path} answers with 400 to these, which were accepted`,
      listsValues: true,
    });
  }
  return losses;
}
