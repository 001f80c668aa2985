// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import type { Deprecation } from "../../src/deprecation.ts";
import type { ListOperation } from "../../src/operation.ts";
import { everyPageSize } from "../../src/paging.ts";
import { hasSunset } from "../deprecations.ts";
import { counted } from "../text/words.ts";
import { fieldLosses, listLosses } from "./declaration.ts";
import type { ItemChange, ListChanges } from "./items.ts";
import type { Breaking, Loss } from "./kinds.ts";
import type { Published, PublishedOperation } from "./published.ts";
import { shapeOf } from "./shape.ts";

/** Losses of an operation that consumers were told of, which go after their sunset, and all others. */
export interface Losses {
  readonly breaking: readonly Breaking[];
  readonly announced: readonly Breaking[];
}

/**
 * `api` is the API after the change. `lists` are the changes of items. Of the operations `uncompared`, the items are not
 * known on both sides. `today` tells which sunsets have come.
 */
export function breakingChanges(
  before: Published,
  after: Published,
  api: Api,
  lists: readonly ListChanges[],
  uncompared: readonly string[],
  today: string,
): Losses {
  const { base } = after;
  const [breaking, announced] = [new Map<string, Breaking>(), new Map<string, Breaking>()];
  const lossesOf = (old: PublishedOperation, own: PublishedOperation): readonly Loss[] => {
    const path = `${base}/${old.name}`;
    const losses = fieldLosses(path, old, own, wordsIn(api, old.name));
    const list = api.lists.find(({ name }) => name === old.name);
    if (list === undefined) return losses;
    const changes = lists.find(({ operation }) => operation === old.name)?.items ?? [];
    const ofList = [...listLosses(path, old, own), ...itemLosses(path, list, changes), sizeLoss(path, old, own)];
    return [...losses, ...ofList, ...(uncompared.includes(old.name) ? [] : valueLosses(path, old, own))];
  };
  const kept: string[] = [];
  for (const old of before.operations) {
    const own = after.operations.find(({ name, kind }) => name === old.name && kind === old.kind);
    if (own !== undefined) kept.push(old.name);
    for (const [code, values, text, noticeOf] of own === undefined ? [removed(old, before.base)] : lossesOf(old, own))
      for (const value of values) {
        const notice = noticeOf?.(value);
        const isAnnounced = notice !== undefined && hasSunset(notice, today);
        const message = noticeOf === undefined || isAnnounced ? text : untimely(text, notice);
        const found = isAnnounced ? announced : breaking;
        const all = [...(found.get(`${code} ${message}`)?.values ?? []), value];
        found.set(`${code} ${message}`, { code, operations: [old.name], values: all, message });
      }
  }
  const message = `Every path starts with ${base} in place of ${before.base}: the former paths are answered with 404.`;
  if (base !== before.base)
    breaking.set(message, { code: "base-changed", operations: kept, values: [before.base], message });
  return { breaking: [...breaking.values()], announced: [...announced.values()] };
}

/** The fields of an operation whose values change with the words of some vocabularies. */
export function wordsIn({ operations, vocabularies }: Api, operation: string, named = vocabularies): readonly string[] {
  const resource = operations.find(({ name }) => name === operation);
  const shapeWith = (words: readonly string[] | undefined) => {
    const vocabulary = Object.fromEntries(named.map(({ name }) => [name, words]));
    return shapeOf(z.toJSONSchema(resource?.schema(vocabulary) ?? z.never(), { unrepresentable: "any" }));
  };
  const open = shapeWith(undefined);
  return [...shapeWith(["x"])].flatMap(([path, { rules }]) =>
    JSON.stringify(rules) === JSON.stringify(open.get(path)?.rules) || rules.some(hasFields) ? [] : [path],
  );
}

const hasFields = ({ type }: { readonly type?: unknown }): boolean => type === "object" || type === "array";

const removed = ({ name, deprecated }: PublishedOperation, base: string): Loss => [
  "operation-removed",
  [name],
  `${base}/${name} is removed: it is answered with 404.`,
  () => deprecated,
];

/** What goes without notice, or before its time. The sentence may end with a colon, before values. */
function untimely(text: string, notice: Deprecation | undefined): string {
  const [it, its] = text.endsWith(":") ? [", which", ", whose"] : [". It", ". Its"];
  const when = notice?.sunset === undefined ? "had not been announced" : `is not before ${notice.sunset}`;
  const sentence = notice === undefined ? `${it} had not been deprecated` : `${its} sunset ${when}`;
  return text.replace(/[.:]$/, (end) => sentence + end);
}

function itemLosses(path: string, list: ListOperation, changes: readonly ItemChange[]): readonly Loss[] {
  const gone = changes.filter(({ kind }) => kind === "removed").map(({ key }) => key);
  const single = list.item === undefined ? "" : `, and answered with 404 at ${path}/KEY`;
  const items = `${counted(gone.length, list)} ${gone.length === 1 ? "is" : "are"} gone from ${path}${single}:`;
  const changed = changes.flatMap(({ kind, key, fields }) =>
    kind === "changed" ? fields.map((each) => ({ ...each, key, top: each.field.replace(/[[.].*$/, "") })) : [],
  );
  // Additions to a definition do not change its earlier meaning.
  const redefined = changed.filter(({ top, before }) => list.defining.includes(top) && before !== undefined);
  // An alias that moves to another item is answered with that item.
  const known = new Set(changes.flatMap(({ fields }) => fields.flatMap(({ after }) => textsIn(after))));
  const aliases = changed.filter(({ top }) => top === list.item?.aliases).flatMap(({ before }) => textsIn(before));
  return [
    ["item-removed", gone, items],
    [
      "item-removed",
      aliases.filter((alias) => !known.has(alias)),
      `${path}/KEY is answered with 404 for these aliases:`,
    ],
    ["meaning-changed", [...new Set(redefined.map(({ key }) => key))], `These definitions of ${path} have changed:`],
  ];
}

const textsIn = (value: unknown): readonly string[] => [value ?? []].flat().map(String);

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
