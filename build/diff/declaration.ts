// A declaration as data: all changes of it, and those that break consumers, whatever the items are.
import type { Api } from "../../src/api.ts";
import type { Deprecation } from "../../src/deprecation.ts";
import { combinationsOf, type Filter } from "../../src/filter.ts";
import { definitionOf, type Schema, schemasIn } from "../../src/kinds.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { orderName } from "../../src/order.ts";
import { defaultLimit } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";
import type { Loss } from "./kinds.ts";
import { lossesBetween, type Shape, shapeOf, typesIn } from "./shape.ts";

/** All changes of these operations, such as `nodes.filters.region` or `nodes.fields.name`. */
export const declaredChanges = (names: readonly string[], before: Api, after: Api): readonly FieldChange[] =>
  fieldChanges(declared(names, before), declared(names, after));

const declared = (names: readonly string[], { operations }: Api) =>
  Object.fromEntries(
    operations
      .filter(({ name }) => names.includes(name))
      .map((each) => {
        const schema = each.resource.schema({});
        const about = {
          cache: each.cacheControl,
          fields: typesIn(shapeOf(schema)),
          other_fields: openIn(schema),
          deprecated: each.deprecated,
          deprecated_fields: each.resource.deprecated,
        };
        return [each.name, each.kind === "document" ? about : { ...about, ...aboutList(each) }];
      }),
  );

/** The paths of the objects that may have fields which the declaration does not name; `item` for the whole. */
const openIn = (schema: Schema): readonly string[] =>
  [...schemasIn(schema)].flatMap(([path, each]) => {
    const def = definitionOf(each);
    const further = def.type === "object" ? def.catchall : undefined;
    return further === undefined || definitionOf(further).type === "never" ? [] : [path || "item"];
  });

/** Without vocabularies, any word of their form is allowed. */
export const answersOf = ({ resource }: Operation, vocabulary: Vocabulary = {}): Shape =>
  shapeOf(resource.schema(vocabulary));

const filterName = ({ field, by }: Pick<Filter, "field" | "by">): string =>
  field === undefined ? "a function" : by === "value" ? field : `${field} (${by})`;

function aboutList(list: ListOperation) {
  const { resource, order, filters, paged, item, brief } = list;
  const [key, ordered] = [keyFields(resource), order.map(orderName)];
  // The key comes last in every order, unless the declaration names it earlier.
  const isLast = String(ordered.slice(-key.length)) === String(key);
  const combinations = combinationsOf(list).filter(({ length }) => length > 1);
  return {
    key: key.join(", "),
    order: (isLast ? ordered.slice(0, -key.length) : ordered).join(", ") || "the key",
    filters: Object.fromEntries(filters.map(({ param, field, by }) => [param, filterName({ field, by })])),
    together: combinations.map((all) =>
      all
        .map(({ param }) => param)
        .sort()
        .join("+"),
    ),
    paged,
    items: item === undefined ? "only listed" : `by key${item.aliases === undefined ? "" : ` or ${item.aliases}`}`,
    /** The fields that only single items have. */
    unlisted: brief === undefined ? [] : topFields(list).filter((field) => !brief.includes(field)),
  };
}

const topFields = (list: ListOperation): readonly string[] =>
  [...answersOf(list)].filter(([, { parent }]) => parent === "").map(([field]) => field);

export function fieldLosses(path: string, old: Operation, own: Operation): readonly Loss[] {
  const { removed, optional, retyped, widened } = lossesBetween(answersOf(old), answersOf(own));
  return [
    ["field-removed", removed, `${path} does not have these fields any more:`, noticesOf(old)],
    ["field-optional", optional, `${path} may lack these fields:`],
    ["field-widened", retyped, `${path} may have values of other types than before in these fields:`],
    ["field-widened", widened, `${path} may have other values than before in these fields:`],
  ];
}

/** What consumers were told of a field, or of a field that contains it. */
const noticesOf =
  ({ resource: { deprecated } }: Operation) =>
  (field: string): Deprecation | undefined =>
    Object.entries(deprecated).find(
      ([path]) => field === path || (/^[[.]/.test(field.slice(path.length)) && field.startsWith(path)),
    )?.[1];

export function listLosses(path: string, old: ListOperation, own: ListOperation): readonly Loss[] {
  const fields = topFields(old);
  const kept = own.filters.filter(({ param, field, by }) =>
    old.filters.some((each) => each.param === param && each.field === field && each.by === by),
  );
  return fieldChanges(aboutList(old), aboutList(own)).flatMap(({ field, before, after }): readonly Loss[] => {
    const lost = before === undefined ? [] : [String(before)];
    const [, about, param = ""] = /^(\w+)\.?(.*)$/.exec(field) ?? [];
    switch (about) {
      case "key":
        return [["key-changed", lost, `The items of ${path} are named by ${after} in place of ${before}.`]];
      case "order":
        return [["order-changed", lost, `${path} is ordered by ${after} in place of ${before}: its cursors expire.`]];
      case "filters": {
        const now = `filters by ${after} in place of ${before} if it gets ${param}`;
        const message = `${path} ${after === undefined ? `ignores ${param}, by which it filtered` : now}.`;
        const notice = old.filters.find((each) => each.param === param)?.deprecated;
        return [["filter-removed", lost.map(() => param), message, () => notice]];
      }
      case "together": {
        const isKept = String(before)
          .split("+")
          .every((each) => kept.some((filter) => filter.param === each));
        return [["combination-removed", isKept ? lost : [], `${path} answers with 400 if these are sent together:`]];
      }
      case "paged": {
        const now = before
          ? "is not paged any more: it returns all items, ignores limit and cursor, and has no pagination"
          : `is paged: without a limit, it returns the first ${defaultLimit} items in place of all`;
        return [["paging-changed", ["limit", "cursor"], `${path} ${now}.`]];
      }
      case "items": {
        const aliases = old.item?.aliases;
        const isGone = after === "only listed";
        const names = isGone ? [`${path}/KEY`] : [aliases ?? []].flat();
        const why = isGone ? ": items can only be listed" : ` if it names an item by ${aliases}`;
        return [["item-removed", names, `${path}/KEY is answered with 404${why}.`]];
      }
      case "unlisted": {
        const values = fields.filter((each) => each === after);
        return [
          ["field-removed", values, `The lists at ${path} do not have these fields any more, single items have them:`],
        ];
      }
    }
    return [];
  });
}
