// The declaration of operations as it is published: all changes of it, and those that break consumers, whatever the items
// are.
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { vocabularyOf } from "../../src/declare/vocabulary.ts";
import type { Api } from "../../src/model/api.ts";
import { isObject, ownField } from "../../src/model/fields.ts";
import { combinationsOf } from "../../src/model/filter.ts";
import { orderName, sortParam } from "../../src/model/order.ts";
import { defaultLimit } from "../../src/model/paging.ts";
import { stateName } from "../history/build-state.ts";
import { restartWarning } from "../history/earlier.ts";
import type { PublishedApi, PublishedOperation } from "../published/overview.ts";
import { type FieldChange, fieldChanges } from "../values/field-changes.ts";
import type { Loss } from "./kinds.ts";
import { fieldsOf, lossesBetween, typesIn } from "./schema.ts";

type Operations = readonly PublishedOperation[];

/** All changes of the operations that both sides have, such as `nodes.filters.region` or `nodes.fields.name`. */
export function declaredChanges(before: Operations, after: Operations): readonly FieldChange[] {
  const declared = (all: Operations, others: Operations) => {
    return Object.fromEntries(
      all.flatMap((operation) => {
        const { name, kind, cache, deprecated, deprecated_fields } = operation;
        const other = others.find((one) => one.name === name);
        if (other === undefined) return [];
        const about = { cache, fields: fieldTypes(operation), deprecated, deprecated_fields };
        return [[name, kind === "document" ? about : { ...about, ...aboutList(operation, other) }]];
      }),
    );
  };
  return fieldChanges(declared(before, after), declared(after, before));
}

/** All changes of the outputs, such as those of `outputs./feeds/cities.xml.type`. */
export function outputChanges(before: PublishedApi["outputs"], after: PublishedApi["outputs"]): readonly FieldChange[] {
  const byPath = (outputs: PublishedApi["outputs"]) =>
    Object.fromEntries(outputs.map(({ path, ...about }) => [path, about]));
  return fieldChanges({ outputs: byPath(before) }, { outputs: byPath(after) });
}

/** The type of each field, with a note if lists do not have it. */
const fieldTypes = (operation: PublishedOperation): Readonly<Record<string, string>> => {
  const types = Object.entries(typesIn(fieldsOf(operation.schema)));
  const unlisted = unlistedIn(operation);
  return Object.fromEntries(
    types.map(([field, type]) => [field, unlisted.includes(field) ? `${type}, only in single items` : type]),
  );
};

/** The fields that only single items have. */
const unlistedIn = (operation: PublishedOperation): readonly string[] =>
  operation.brief === undefined ? [] : topFields(operation).filter((field) => !operation.brief?.includes(field));

/** `other` is the same list on the other side. An order that stays while the key changes is told whole on both. */
function aboutList(list: PublishedOperation, other: PublishedOperation) {
  const { key = [], order, orders, filters, together, parameters, item, aliases } = list;
  const keys = [key].flat();
  const isRekeyed = !isDeepStrictEqual(key, other.key);
  const wordsOf = (rule: typeof order, otherRule?: typeof order) =>
    orderWords(rule, isRekeyed && isDeepStrictEqual(rule, otherRule) ? [] : keys);
  const combinations = combinationsOf({ filters: Object.keys(filters).map((param) => ({ param })), together });
  const several = combinations.map((all) => all.map(({ param }) => param)).filter(({ length }) => length > 1);
  return {
    key: keys.join(", "),
    order: wordsOf(order, other.order),
    orders: Object.fromEntries(
      Object.entries(orders).map(([name, rule]) => [name, wordsOf(rule, ownField(other.orders, name))]),
    ),
    filters: Object.fromEntries(Object.entries(filters).map(([param, rule]) => [param, ruleName(rule)])),
    together: several.map((params) => params.sort().join("+")),
    paged: parameters.includes("limit"),
    items: item === undefined ? "only listed" : `by key${aliases === undefined ? "" : ` or ${ruleName(aliases)}`}`,
  };
}

/** The key comes last in every order, unless the declaration names it earlier, and goes without saying. */
function orderWords(rule: PublishedOperation["order"], keys: readonly string[]): string {
  const ordered = rule.map(orderName);
  const isLast = keys.length > 0 && String(ordered.slice(-keys.length)) === String(keys);
  return (isLast ? ordered.slice(0, -keys.length) : ordered).join(", ") || "the key";
}

/** The warnings of a build after another one. The documents do not show whether a cursor stays valid. */
export const restartWarnings = (before: Operations, after: Operations): readonly string[] =>
  after.filter(isPaged).flatMap((list) => {
    const listBefore = before.find(({ name }) => name === list.name);
    if (listBefore === undefined || !isPaged(listBefore)) return [];
    const shared = Object.keys(list.orders).filter((name) => Object.hasOwn(listBefore.orders, name));
    const orders: readonly (readonly [name: string, before: unknown, after: unknown])[] = [
      [list.name, listBefore.order, list.order],
      ...shared.map(
        (name) =>
          [stateName(list.name, { name }), ownField(listBefore.orders, name), ownField(list.orders, name)] as const,
      ),
    ];
    return orders.flatMap(([name, ...order]) => {
      const values = { key: [listBefore.key, list.key], order, filters: [listBefore.filters, list.filters] };
      const changed = Object.entries(values).flatMap(([part, [one, other]]) =>
        isDeepStrictEqual(one, other) ? [] : [part],
      );
      return changed.length === 0 ? [] : [restartWarning(name, changed, String(changed) === "filters")];
    });
  });

const isPaged = ({ parameters }: PublishedOperation): boolean => parameters.includes("limit");

/** The field or names that a filter compares. */
function ruleName(rule: unknown): string {
  if (typeof rule === "string") return rule;
  if (!isObject(rule)) return "a function";
  const { field, keysOf } = rule;
  if (keysOf !== undefined) return `${keysOf} (names)`;
  return field === undefined ? "a function" : `${field} (slug)`;
}

const topFields = ({ schema }: PublishedOperation): readonly string[] =>
  [...fieldsOf(schema)].filter(([, { parent }]) => parent === "").map(([field]) => field);

/** `path` is the path of the operation. `words` are the fields whose words a vocabulary may list. */
export function fieldLosses(
  path: string,
  before: PublishedOperation,
  after: PublishedOperation,
  words: readonly string[],
): readonly Loss[] {
  const { removed, optional, widened } = lossesBetween(fieldsOf(before.schema), fieldsOf(after.schema));
  // The notice about a field, or about a field that contains it.
  const noticeOf = (field: string) =>
    Object.entries(before.deprecated_fields).find(
      ([name]) => field === name || (field.startsWith(name) && /^[[.]/.test(field.slice(name.length))),
    )?.[1];
  return [
    {
      code: "vocabulary-widened",
      values: widened.filter((field) => words.includes(field)),
      text: `${path} can have words that no vocabulary listed in these fields`,
      listsValues: true,
    },
    {
      code: "field-removed",
      values: removed,
      text: `${path} no longer has these fields`,
      listsValues: true,
      noticeOf,
    },
    {
      code: "field-optional",
      values: optional,
      text: `${path} may lack these fields`,
      listsValues: true,
    },
    {
      code: "field-widened",
      values: widened.filter((field) => !words.includes(field)),
      text: `${path} may have other values in these fields than before`,
      listsValues: true,
    },
  ];
}

export function listLosses(path: string, before: PublishedOperation, after: PublishedOperation): readonly Loss[] {
  const sides = { path, before, after, listBefore: aboutList(before, after), listAfter: aboutList(after, before) };
  return [...orderLosses(sides), ...filterLosses(sides), ...answerLosses(sides)];
}

/** A list before and after, as it is published and as it is compared. */
interface ListSides {
  readonly path: string;
  readonly before: PublishedOperation;
  readonly after: PublishedOperation;
  readonly listBefore: ReturnType<typeof aboutList>;
  readonly listAfter: ReturnType<typeof aboutList>;
}

/** The key, the usual order, and those that a request can name. */
function orderLosses({ path, before, listBefore, listAfter }: ListSides): readonly Loss[] {
  return [
    {
      code: "key-changed",
      values: listBefore.key === listAfter.key ? [] : [listBefore.key],
      text: `The items of ${path} are named by ${listAfter.key} in place of ${listBefore.key}`,
    },
    {
      code: "order-changed",
      values: listBefore.order === listAfter.order ? [] : [listBefore.order],
      text: `${path} is ordered by ${listAfter.order} in place of ${listBefore.order}: its cursors expire`,
    },
    ...Object.entries(listBefore.orders).flatMap(([name, rule]): readonly Loss[] => {
      const now = ownField(listAfter.orders, name);
      if (now === rule) return [];
      const asked = `${path}?${sortParam}=${name}`;
      const text = `${asked} is ordered by ${now} in place of ${rule}: its cursors expire`;
      if (now !== undefined) return [{ code: "order-changed", values: [name], text }];
      return [
        {
          code: "order-removed",
          values: [name],
          text: `${asked} ${orderless(listAfter)}`,
          noticeOf: () => ownField(before.deprecated_orders, name),
        },
      ];
    }),
  ];
}

/** The filters, and those that can be combined. */
function filterLosses({ path, before, after, listBefore, listAfter }: ListSides): readonly Loss[] {
  const filters = Object.entries(listBefore.filters).filter(
    ([param, rule]) => rule !== ownField(listAfter.filters, param),
  );
  const isKept = (param: string) =>
    JSON.stringify(ownField(after.filters, param)) === JSON.stringify(ownField(before.filters, param));
  const pairs = listBefore.together.filter(
    (pair) => !listAfter.together.includes(pair) && pair.split("+").every(isKept),
  );
  return [
    ...filters.map(([param, rule]): Loss => {
      const by = ownField(listAfter.filters, param);
      const effect = by === undefined ? "ignores the parameter" : `filters by ${by} in place of ${rule} if it gets`;
      return {
        code: "filter-removed",
        values: [param],
        text: `${path} ${effect} ${param}`,
        noticeOf: () => ownField(before.deprecated_filters, param),
      };
    }),
    {
      code: "combination-removed",
      values: pairs,
      text: `${path} answers with 400 if these are sent together`,
      listsValues: true,
    },
  ];
}

/** Paging, single items, and the fields that only they have. */
function answerLosses({ path, before, after, listBefore, listAfter }: ListSides): readonly Loss[] {
  const paging = listAfter.paged
    ? `is paged: without a limit, it returns the first ${defaultLimit} items in place of all`
    : "is no longer paged: it returns all items, ignores limit and cursor, and has no pagination";
  const item = `${path}/KEY is answered with 404`;
  const aliases = before.aliases && ruleName(before.aliases);
  const isOther = after.item !== undefined && aliases !== (after.aliases && ruleName(after.aliases));
  const unlistedBefore = unlistedIn(before);
  const unlisted = unlistedIn(after).filter(
    (field) => !unlistedBefore.includes(field) && topFields(before).includes(field),
  );
  return [
    {
      code: "paging-changed",
      values: listBefore.paged === listAfter.paged ? [] : ["limit", "cursor"],
      text: `${path} ${paging}`,
    },
    {
      code: "item-removed",
      values: before.item !== undefined && after.item === undefined ? [`${path}/KEY`] : [],
      text: `${item}: items can only be listed`,
    },
    {
      code: "item-removed",
      values: isOther && aliases !== undefined ? [aliases] : [],
      text: `${item} if it names an item by ${aliases}`,
    },
    {
      code: "field-removed",
      values: unlisted,
      text: `The lists at ${path} no longer have these fields; single items have them`,
      listsValues: true,
    },
  ];
}

/** What becomes of the request for an order that a list does not have any more. */
const orderless = ({ orders, order }: ReturnType<typeof aboutList>): string =>
  Object.keys(orders).length > 0 ? "is answered with 400" : `ignores the parameter: the list is ordered by ${order}`;

/** The fields of an operation that have words of a vocabulary. */
export function wordsIn({ operations, vocabularies }: Api, operation: string): readonly string[] {
  const declared = operations.find(({ name }) => name === operation);
  const limited = Object.fromEntries(vocabularies.map(({ name }) => [name, ["x"]]));
  const schema = declared?.schema(limited) ?? z.never();
  const fields = fieldsOf(z.toJSONSchema(schema, { unrepresentable: "any", metadata: vocabularyOf }));
  return [...fields].filter(([, { kinds }]) => kinds.some((kind) => "name" in kind)).map(([path]) => path);
}
