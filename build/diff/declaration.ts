// The declaration of operations as it is published: all changes of it, and those that break consumers, whatever the items
// are.
import { combinationsOf } from "../../src/filter.ts";
import { orderName } from "../../src/order.ts";
import { defaultLimit } from "../../src/paging.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";
import type { Loss } from "./kinds.ts";
import type { PublishedOperation } from "./published.ts";
import { type FieldLoss, lossesBetween, openIn, shapeOf, typesIn } from "./shape.ts";

type Operations = readonly PublishedOperation[];

/** All changes of the operations that both sides have, such as `nodes.filters.region` or `nodes.fields.name`. */
export function declaredChanges(before: Operations, after: Operations): readonly FieldChange[] {
  const declared = (all: Operations, others: Operations) => {
    const shared = all.filter(({ name }) => others.some((each) => each.name === name));
    return Object.fromEntries(
      shared.map((each) => [
        each.name,
        each.kind === "document" ? about(each) : { ...about(each), ...aboutList(each) },
      ]),
    );
  };
  return fieldChanges(declared(before, after), declared(after, before));
}

function about({ schema, cache, deprecated, deprecated_fields }: PublishedOperation) {
  const shape = shapeOf(schema);
  return { cache, fields: typesIn(shape), other_fields: openIn(shape), deprecated, deprecated_fields };
}

function aboutList(list: PublishedOperation) {
  const { key = [], order, filters, together, parameters, item, aliases, brief } = list;
  const [keys, ordered] = [[key].flat(), order.map(orderName)];
  // The key comes last in every order, unless the declaration names it earlier.
  const isLast = String(ordered.slice(-keys.length)) === String(keys);
  const params = Object.keys(filters).map((param) => ({ param }));
  const combinations = combinationsOf({ filters: params, together }).filter(({ length }) => length > 1);
  return {
    key: keys.join(", "),
    order: (isLast ? ordered.slice(0, -keys.length) : ordered).join(", ") || "the key",
    filters: Object.fromEntries(Object.entries(filters).map(([param, rule]) => [param, ruleName(rule)])),
    together: combinations.map((all) =>
      all
        .map(({ param }) => param)
        .sort()
        .join("+"),
    ),
    paged: parameters.includes("limit"),
    items: item === undefined ? "only listed" : `by key${aliases === undefined ? "" : ` or ${aliases}`}`,
    /** The fields that only single items have. */
    unlisted: brief === undefined ? [] : topFields(list).filter((field) => !brief.includes(field)),
  };
}

/** What a filter compares. */
function ruleName(rule: unknown): string {
  if (typeof rule === "string") return rule;
  const { field, keysOf } = Object(rule);
  if (keysOf !== undefined) return `${keysOf} (names)`;
  return field === undefined ? "a function" : `${field} (slug)`;
}

const topFields = ({ schema }: PublishedOperation): readonly string[] =>
  [...shapeOf(schema)].filter(([, { parent }]) => parent === "").map(([field]) => field);

/** `words` are the fields whose words a vocabulary may list. */
export function fieldLosses(
  path: string,
  old: PublishedOperation,
  own: PublishedOperation,
  words: readonly string[],
): readonly Loss[] {
  const losses = lossesBetween(shapeOf(old.schema), shapeOf(own.schema));
  const lost = (kind: FieldLoss[0]) => losses.filter(([each]) => each === kind).map(([, field]) => field);
  const widened = lost("widened");
  const isListed = (field: string) => words.includes(field);
  // What consumers were told of a field, or of a field that contains it.
  const noticeOf = (field: string) =>
    Object.entries(old.deprecated_fields).find(
      ([each]) => field === each || (field.startsWith(each) && /^[[.]/.test(field.slice(each.length))),
    )?.[1];
  return [
    [
      "vocabulary-widened",
      widened.filter(isListed),
      `${path} can have words that no vocabulary listed in these fields:`,
    ],
    ["field-removed", lost("removed"), `${path} does not have these fields any more:`, noticeOf],
    ["field-optional", lost("optional"), `${path} may lack these fields:`],
    ["field-widened", lost("retyped"), `${path} may have values of other types than before in these fields:`],
    [
      "field-widened",
      widened.filter((field) => !isListed(field)),
      `${path} may have other values than before in these fields:`,
    ],
  ];
}

export const listLosses = (path: string, old: PublishedOperation, own: PublishedOperation): readonly Loss[] =>
  fieldChanges(aboutList(old), aboutList(own)).flatMap((change) => lossesBy(change, path, old, own));

function lossesBy(
  { field, before, after }: FieldChange,
  path: string,
  old: PublishedOperation,
  own: PublishedOperation,
): readonly Loss[] {
  const lost = before === undefined ? [] : [String(before)];
  const [about, param = ""] = field.split(/\.|\[/);
  switch (about) {
    case "key":
      return [["key-changed", lost, `The items of ${path} are named by ${after} in place of ${before}.`]];
    case "order":
      return [["order-changed", lost, `${path} is ordered by ${after} in place of ${before}: its cursors expire.`]];
    case "filters": {
      const now = `filters by ${after} in place of ${before} if it gets ${param}`;
      const message = `${path} ${after === undefined ? `ignores ${param}, by which it filtered` : now}.`;
      return [["filter-removed", lost.map(() => param), message, () => old.deprecated_filters[param]]];
    }
    case "together": {
      const isKept = (each: string) => JSON.stringify(own.filters[each]) === JSON.stringify(old.filters[each]);
      const pairs = lost.filter((pair) => pair.split("+").every(isKept));
      return [["combination-removed", pairs, `${path} answers with 400 if these are sent together:`]];
    }
    case "paged": {
      const now = before
        ? "is not paged any more: it returns all items, ignores limit and cursor, and has no pagination"
        : `is paged: without a limit, it returns the first ${defaultLimit} items in place of all`;
      return [["paging-changed", ["limit", "cursor"], `${path} ${now}.`]];
    }
    case "items": {
      const isGone = after === "only listed";
      const names = isGone ? [`${path}/KEY`] : [old.aliases ?? []].flat();
      const why = isGone ? ": items can only be listed" : ` if it names an item by ${old.aliases}`;
      return [["item-removed", names, `${path}/KEY is answered with 404${why}.`]];
    }
    case "unlisted": {
      const values = topFields(old).filter((each) => each === after);
      return [
        ["field-removed", values, `The lists at ${path} do not have these fields any more, single items have them:`],
      ];
    }
    default:
      return [];
  }
}
