// The declaration of operations as it is published: all changes of it, and those that break consumers, whatever the items
// are.
import * as z from "zod";
import { vocabularyOf } from "../../src/declare/vocabulary.ts";
import type { Api } from "../../src/model/api.ts";
import { combinationsOf } from "../../src/model/filter.ts";
import { orderName } from "../../src/model/order.ts";
import { defaultLimit } from "../../src/model/paging.ts";
import { restartWarning } from "../history/restarts.ts";
import type { PublishedOperation } from "../published/overview.ts";
import { type FieldChange, fieldChanges } from "./changes.ts";
import type { Loss } from "./kinds.ts";
import { fieldsOf, lossesBetween, typesIn } from "./schema.ts";

type Operations = readonly PublishedOperation[];

/** All changes of the operations that both sides have, such as `nodes.filters.region` or `nodes.fields.name`. */
export function declaredChanges(before: Operations, after: Operations): readonly FieldChange[] {
  const declared = (all: Operations, others: Operations) => {
    const shared = all.filter(({ name }) => others.some((each) => each.name === name));
    return Object.fromEntries(
      shared.map((each) => {
        const { name, kind, schema, cache, deprecated, deprecated_fields } = each;
        const about = { cache, fields: typesIn(fieldsOf(schema)), deprecated, deprecated_fields };
        return [name, kind === "document" ? about : { ...about, ...aboutList(each) }];
      }),
    );
  };
  return fieldChanges(declared(before, after), declared(after, before));
}

function aboutList(list: PublishedOperation) {
  const { key = [], order, filters, together, parameters, item, aliases, brief } = list;
  const keys = [key].flat();
  const ordered = order.map(orderName);
  // The key comes last in every order, unless the declaration names it earlier.
  const isLast = String(ordered.slice(-keys.length)) === String(keys);
  const combinations = combinationsOf({ filters: Object.keys(filters).map((param) => ({ param })), together });
  const several = combinations.map((all) => all.map(({ param }) => param)).filter(({ length }) => length > 1);
  return {
    key: keys.join(", "),
    order: (isLast ? ordered.slice(0, -keys.length) : ordered).join(", ") || "the key",
    filters: Object.fromEntries(Object.entries(filters).map(([param, rule]) => [param, ruleName(rule)])),
    together: several.map((params) => params.sort().join("+")),
    paged: parameters.includes("limit"),
    items: item === undefined ? "only listed" : `by key${aliases === undefined ? "" : ` or ${aliases}`}`,
    /** The fields that only single items have. */
    unlisted: brief === undefined ? [] : topFields(list).filter((field) => !brief.includes(field)),
  };
}

/** The warnings of a build after another one. The documents do not tell whether a cursor goes on. */
export const restartWarnings = (before: Operations, after: Operations): readonly string[] =>
  after.filter(isPaged).flatMap((list) => {
    const earlier = before.find(({ name }) => name === list.name);
    if (earlier === undefined || !isPaged(earlier)) return [];
    const parts = ["key", "order", "filters"] as const;
    const changed = parts.filter((part) => JSON.stringify(earlier[part]) !== JSON.stringify(list[part]));
    return changed.length === 0 ? [] : [restartWarning(list.name, changed, true)];
  });

const isPaged = ({ parameters }: PublishedOperation): boolean => parameters.includes("limit");

/** What a filter compares. */
function ruleName(rule: unknown): string {
  if (typeof rule === "string") return rule;
  const { field, keysOf } = Object(rule);
  if (keysOf !== undefined) return `${keysOf} (names)`;
  return field === undefined ? "a function" : `${field} (slug)`;
}

const topFields = ({ schema }: PublishedOperation): readonly string[] =>
  [...fieldsOf(schema)].filter(([, { parent }]) => parent === "").map(([field]) => field);

/** `path` is the one of the operation, `words` are the fields whose words a vocabulary may list. */
export function fieldLosses(
  path: string,
  old: PublishedOperation,
  own: PublishedOperation,
  words: readonly string[],
): readonly Loss[] {
  const { removed, optional, widened } = lossesBetween(fieldsOf(old.schema), fieldsOf(own.schema));
  const ofWords = widened.filter((field) => words.includes(field));
  const others = widened.filter((field) => !words.includes(field));
  // What consumers were told of a field, or of a field that contains it.
  const noticeOf = (field: string) =>
    Object.entries(old.deprecated_fields).find(
      ([each]) => field === each || (field.startsWith(each) && /^[[.]/.test(field.slice(each.length))),
    )?.[1];
  return [
    ["vocabulary-widened", ofWords, `${path} can have words that no vocabulary listed in these fields:`],
    ["field-removed", removed, `${path} does not have these fields any more:`, noticeOf],
    ["field-optional", optional, `${path} may lack these fields:`],
    ["field-widened", others, `${path} may have other values than before in these fields:`],
  ];
}

export function listLosses(path: string, old: PublishedOperation, own: PublishedOperation): readonly Loss[] {
  const was = aboutList(old);
  const now = aboutList(own);
  const filters = Object.entries(was.filters).filter(([param, rule]) => rule !== now.filters[param]);
  const isKept = (param: string) => JSON.stringify(own.filters[param]) === JSON.stringify(old.filters[param]);
  const pairs = was.together.filter((pair) => !now.together.includes(pair) && pair.split("+").every(isKept));
  const unlisted = now.unlisted.filter((field) => !was.unlisted.includes(field) && topFields(old).includes(field));
  const paging = now.paged
    ? `is paged: without a limit, it returns the first ${defaultLimit} items in place of all`
    : "is not paged any more: it returns all items, ignores limit and cursor, and has no pagination";
  const item = `${path}/KEY is answered with 404`;
  const ifChanged = <Value>(one: Value, other: Value, values: readonly string[]) => (one === other ? [] : values);
  const aliases =
    own.item === undefined ? [] : ifChanged(old.aliases, own.aliases, old.aliases === undefined ? [] : [old.aliases]);
  return [
    [
      "key-changed",
      ifChanged(was.key, now.key, [was.key]),
      `The items of ${path} are named by ${now.key} in place of ${was.key}.`,
    ],
    [
      "order-changed",
      ifChanged(was.order, now.order, [was.order]),
      `${path} is ordered by ${now.order} in place of ${was.order}: its cursors expire.`,
    ],
    ...filters.map(([param, rule]): Loss => {
      const by = now.filters[param];
      const effect = by === undefined ? "ignores the parameter" : `filters by ${by} in place of ${rule} if it gets`;
      return ["filter-removed", [param], `${path} ${effect} ${param}.`, () => old.deprecated_filters[param]];
    }),
    ["combination-removed", pairs, `${path} answers with 400 if these are sent together:`],
    ["paging-changed", ifChanged(was.paged, now.paged, ["limit", "cursor"]), `${path} ${paging}.`],
    ["item-removed", old.item && own.item === undefined ? [`${path}/KEY`] : [], `${item}: items can only be listed.`],
    ["item-removed", aliases, `${item} if it names an item by ${old.aliases}.`],
    ["field-removed", unlisted, `The lists at ${path} do not have these fields any more, single items have them:`],
  ];
}

/** The fields of an operation that have words of a vocabulary. */
export function wordsIn({ operations, vocabularies }: Api, operation: string): readonly string[] {
  const found = operations.find(({ name }) => name === operation);
  const limited = Object.fromEntries(vocabularies.map(({ name }) => [name, ["x"]]));
  const schema = found?.schema(limited) ?? z.never();
  const fields = fieldsOf(z.toJSONSchema(schema, { unrepresentable: "any", metadata: vocabularyOf }));
  return [...fields].flatMap(([path, { kinds }]) => (kinds.some((each) => "name" in each) ? [path] : []));
}
