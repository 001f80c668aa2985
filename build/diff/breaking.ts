// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.

import { isDeepStrictEqual } from "node:util";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import { declaredAliases } from "../../src/model/aliases.ts";
import type { Audience } from "../../src/model/audience.ts";
import { ownField } from "../../src/model/fields.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { hasSunset } from "../declaration/deprecations.ts";
import { credentialWords } from "../documents/describe/audience.ts";
import type { PublishedApi, PublishedOperation } from "../published/overview.ts";
import { shown } from "../text/quote.ts";
import { counted, listed } from "../text/words.ts";
import { groupBy } from "../values/group-by.ts";
import { lostNames } from "./addresses.ts";
import { type ItemChange, none, topField } from "./changes.ts";
import { fieldLosses, listLosses, wordsIn } from "./declaration.ts";
import type { Breaking, Loss } from "./kinds.ts";
import type { Pair } from "./pair.ts";

/**
 * Losses that were announced to consumers and whose sunset has passed by `today` are `announced`. `items` are the compared
 * ones, by operation.
 */
export function breakingChanges(
  pair: Pair,
  items: Readonly<Record<string, { readonly changes: readonly ItemChange[] }>>,
  today: string,
): Readonly<Record<"breaking" | "announced", readonly Breaking[]>> {
  const before = pair.before.published;
  const after = pair.after.published;
  const { base } = after;
  const { api } = pair.after.plan.catalog;
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
    const ofItems = itemLosses(path, operation, list, ownField(items, name)?.changes ?? [], pair);
    const ofSizes = sizeLoss(path, operation, counterpart);
    const ofValues = pair.before.uncompared.includes(name) ? [] : valueLosses(path, operation, counterpart);
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
  breaking.push(...readerLosses(before.audience, after.audience));
  for (const { path, deprecated } of before.outputs) {
    // A change of the base, which is told above, is no removal.
    const now = path.startsWith(`${before.base}/`) ? base + path.slice(before.base.length) : path;
    if (after.outputs.some((output) => output.path === now)) continue;
    const why = untimely(deprecated, today);
    const text = [`The output ${path} is removed: it is answered with 404.`, why].join(" ").trim();
    const changes = why === "" ? announced : breaking;
    changes.push({ code: "output-removed", operations: [], values: [path], message: text });
  }
  return { breaking, announced };
}

/** Requests that identified no reader, or another way, and those of other origins' scripts. They concern all operations. */
function readerLosses(before: Audience, after: Audience): readonly Breaking[] {
  const losses: Breaking[] = [];
  const now = credentialWords(after);
  if (now !== undefined && !isDeepStrictEqual(before.access?.scheme, after.access?.scheme)) {
    const former = before.access === undefined ? "Everybody could read" : `Readers needed ${credentialWords(before)}`;
    const message = shown(`${former}: now they need ${now}.`, 300);
    losses.push({ code: "access-changed", operations: [], values: [now], message });
  }
  if (after.origins !== "any" && after.origins !== before.origins && before.origins !== "none") {
    const whose = after.origins === "none" ? "no other origin" : shown(after.origins);
    const former = before.origins === "any" ? "any origin" : shown(before.origins);
    const message = `Scripts of ${former} could read: now those of ${whose} can.`;
    losses.push({ code: "origins-narrowed", operations: [], values: [before.origins], message });
  }
  return losses;
}

/** The APIs that are gone. Those that were announced to consumers and whose sunset has passed by `today` are `announced`. */
export function removedApis(
  apis: readonly PublishedApi[],
  today: string,
): Readonly<Record<"breaking" | "announced", readonly Breaking[]>> {
  const all = apis.map(({ base, deprecated, operations }) => {
    const why = untimely(deprecated, today);
    const message = [`The API ${base} is removed: its paths are answered with 404.`, why].join(" ").trim();
    const names = operations.map(({ name }) => name);
    return { why, change: { code: "api-removed", operations: names, message, values: [base] } as const };
  });
  return {
    breaking: all.filter(({ why }) => why !== "").map(({ change }) => change),
    announced: all.filter(({ why }) => why === "").map(({ change }) => change),
  };
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
  noticeOf: () => deprecated,
});

function itemLosses(
  path: string,
  { aliases: aliasesBefore }: PublishedOperation,
  list: ListOperation,
  changes: readonly ItemChange[],
  { before, after }: Pair,
): readonly Loss[] {
  const changed = changes.flatMap(({ kind, key, fields }) =>
    kind === "changed" ? fields.map((field) => ({ ...field, key, top: topField(field) })) : [],
  );
  // Additions to a definition do not change its earlier meaning.
  const redefined = changed.filter(({ top, before }) => list.defining.includes(top) && before !== undefined);
  // The loss of all aliases, or of all single items, is another change.
  const rule = list.item?.aliases;
  const isSame = rule !== undefined && isDeepStrictEqual(aliasesBefore, declaredAliases(rule));
  const { keys, aliases, moved } = lostNames(
    list,
    changes,
    { lines: before.items.get(list.name) ?? none, aliases: isSame ? rule : undefined },
    { lines: after.items.get(list.name) ?? none, aliases: rule },
  );
  const single = list.item === undefined ? "" : `, and answered with 404 at ${path}/KEY`;
  const isOrAre = keys.length === 1 ? "is" : "are";
  return [
    {
      code: "item-removed",
      values: keys,
      text: `${counted(keys.length, list)} ${isOrAre} gone from ${path}${single}`,
      listsValues: true,
    },
    {
      code: "item-removed",
      values: aliases,
      text: `${path}/KEY is answered with 404 for these aliases`,
      listsValues: true,
    },
    {
      code: "item-removed",
      values: moved,
      text: `${path}/KEY is answered with another item for these aliases`,
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

function sizeLoss(path: string, before: PublishedOperation, after: PublishedOperation): Loss {
  const sizesAfter = sizesOf(after);
  const gone = sizesAfter === undefined ? [] : (sizesOf(before) ?? []).filter((size) => !sizesAfter.includes(size));
  const answer = `a limit below ${sizesAfter?.[0]} is an error; any other limit returns the next smaller page`;
  return {
    code: "page-size-removed",
    values: gone.map(String),
    text: `${path} no longer has pages of these sizes (${answer})`,
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
    if (JSON.stringify(ownField(before.filters, param)) !== JSON.stringify(ownField(after.filters, param))) continue;
    const accepted = new Set(after.values.get(param)?.map(({ value }) => value));
    const gone = values.filter(({ value }) => !accepted.has(value));
    losses.push({
      code: "value-removed",
      values: gone.map(({ value }) => `${param}=${value}`),
      text: `${path} answers with 400 to these values, which were accepted`,
      listsValues: true,
    });
  }
  return losses;
}
