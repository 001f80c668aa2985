// Changes of the declaration: those that break consumers, whatever the data, and all of them by field.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { combinationsOf, type Filter } from "../../src/filter.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { orderName } from "../../src/order.ts";
import { defaultLimit } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";
import { type Breaking, changeOf, type Sentence, say } from "./kinds.ts";
import { fieldLosses, fieldTypes } from "./losses.ts";

/** `kept` are the operations of the earlier API that are still answered. */
export function declarationChanges(kept: readonly Operation[], before: Api, after: Api): readonly Breaking[] {
  if (before === after) return [];
  const pairs = kept.flatMap((old) => {
    const own = after.operations.find(({ name }) => name === old.name);
    return own === undefined ? [] : [{ old, own, path: `${after.base}/${old.name}` }];
  });
  const lists = pairs.flatMap(({ old, own, path }) =>
    old.kind === "list" && own.kind === "list" ? [{ old, own, path }] : [],
  );
  return [
    ...baseChange(kept, before, after),
    ...pairs.flatMap(({ old, own, path }) => lostFields(old, own, path)),
    ...lists.flatMap(({ old, own, path }) => briefChanges(old, own, path)),
    ...lists.flatMap(({ old, own, path }) => listChanges(old, own, path)),
  ];
}

function baseChange(kept: readonly Operation[], { base }: Api, after: Api): readonly Breaking[] {
  if (base === after.base) return [];
  const sentence = say`Every path starts with ${after.base} in place of ${base}: the former paths are answered with 404.`;
  return [{ code: "base-changed", operations: kept.map(({ name }) => name), values: [base], sentence }];
}

function lostFields(old: Operation, own: Operation, path: string): readonly Breaking[] {
  const { removed, optional, widened, retyped } = fieldLosses(schemaOf(old), schemaOf(own));
  const others = retyped.map(({ field }) => field);
  const types = retyped.map(({ field, before, after }) => `${field} (${before} → ${after})`);
  const othersSentence = say`${path} may have values of other types than before in these fields: ${types}.`;
  const widenedSentence = say`${path} may have other values than before in these fields: ${widened}.`;
  return [
    ...changeOf("field-removed", old.name, removed, say`${path} does not have these fields any more: ${removed}.`),
    ...changeOf("field-optional", old.name, optional, say`${path} may lack these fields: ${optional}.`),
    ...changeOf("field-widened", old.name, others, othersSentence),
    ...changeOf("field-widened", old.name, widened, widenedSentence),
  ];
}

/** Fields that lists lose and single items keep. */
function briefChanges(old: ListOperation, own: ListOperation, path: string): readonly Breaking[] {
  const [listed, kept] = [fieldsIn(own.listed), fieldsIn(own.resource.schema)];
  const values = fieldsIn(old.listed).filter((field) => !listed.includes(field) && kept.includes(field));
  const sentence = say`The lists at ${path} do not have these fields any more: ${values}. Single items have them.`;
  return changeOf("field-removed", old.name, values, sentence);
}

const fieldsIn = (schema: ListOperation["listed"]): readonly string[] =>
  Object.keys(Object(z.toJSONSchema(schema({})).properties));

/** All changes of operations that both APIs have, such as `nodes.filters.region` or `nodes.fields.name`. */
export const declaredChanges = (names: readonly string[], before: Api, after: Api): readonly FieldChange[] =>
  before === after ? [] : fieldChanges(declared(names, before), declared(names, after));

const declared = (names: readonly string[], { operations }: Api) =>
  Object.fromEntries(operations.filter(({ name }) => names.includes(name)).map((each) => [each.name, aboutOf(each)]));

function aboutOf(operation: Operation) {
  const common = { cache: operation.cacheControl, fields: fieldTypes(schemaOf(operation)) };
  if (operation.kind === "document") return common;
  const { resource, order, filters, together, paged, item, brief } = operation;
  return {
    ...common,
    key: keyFields(resource).join(", "),
    order: order.map(orderName).join(", "),
    filters: Object.fromEntries(filters.map(({ param, field }) => [param, field])),
    together: together.map((params) => params.join("+")),
    brief: brief?.join(", "),
    paged,
    items: item !== undefined,
    aliases: item?.aliases,
  };
}

/** Without vocabularies, which are compared separately. */
const schemaOf = ({ resource }: Operation): unknown => z.toJSONSchema(resource.schema({}));

function listChanges(old: ListOperation, own: ListOperation, path: string): readonly Breaking[] {
  const changes: Breaking[] = [];
  const add = (code: Breaking["code"], values: readonly string[], sentence: Sentence) =>
    changes.push(...changeOf(code, old.name, values, sentence));
  const [formerKey, key] = [keyFields(old.resource), keyFields(own.resource)];
  if (String(key) !== String(formerKey)) {
    add("key-changed", formerKey, say`The items of ${path} are named by ${key} in place of ${formerKey}.`);
  }
  if (own.paged !== old.paged) {
    const sentence = own.paged
      ? say`${path} is paged: without a limit, it returns the first ${defaultLimit} items in place of all.`
      : say`${path} is not paged any more: it returns all items, ignores limit and cursor, and has no pagination.`;
    add("paging-changed", ["limit", "cursor"], sentence);
  }
  const [formerOrder, order] = [namesOf(old), namesOf(own)];
  if (String(withoutKey(old)) !== String(withoutKey(own))) {
    const sentence = say`${path} is ordered by ${order} in place of ${formerOrder}: its cursors expire.`;
    add("order-changed", formerOrder, sentence);
  }
  const each = `${path}/KEY`;
  const aliases = old.item?.aliases;
  if (old.item !== undefined && own.item === undefined) {
    add("item-removed", [each], say`${each} is answered with 404: items can only be listed.`);
  } else if (aliases !== undefined && own.item?.aliases !== aliases) {
    add("item-removed", [aliases], say`${each} is answered with 404 if it names an item by ${aliases}.`);
  }
  const isSame = (one: Filter, other: Filter) =>
    one.param === other.param && one.field === other.field && one.by === other.by;
  const gone = old.filters.filter((filter) => !own.filters.some((other) => isSame(filter, other)));
  for (const { param, field } of gone) {
    const now = own.filters.find((other) => other.param === param);
    const sentence = now
      ? say`${path} filters by ${now.field} in place of ${field} if ${param} is sent.`
      : say`${path} ignores ${param}, by which it filtered.`;
    add("filter-removed", [param], sentence);
  }
  const known = new Set(combinationsOf(own).map(paramsOf));
  for (const combination of combinationsOf(old)) {
    if (known.has(paramsOf(combination)) || combination.some((filter) => gone.includes(filter))) continue;
    const params = combination.map(({ param }) => param);
    const sentence = say`${path} does not accept these together any more: ${params}. The answer is 400.`;
    add("combination-removed", [params.join("+")], sentence);
  }
  return changes;
}

const namesOf = ({ order }: ListOperation): readonly string[] => order.map(orderName);

/** The key comes last in every order, unless the declaration names it earlier. */
function withoutKey(operation: ListOperation): readonly string[] {
  const [names, key] = [namesOf(operation), keyFields(operation.resource)];
  return String(names.slice(-key.length)) === String(key) ? names.slice(0, -key.length) : names;
}

const paramsOf = (combination: readonly { readonly param: string }[]): string =>
  combination
    .map(({ param }) => param)
    .sort()
    .join("+");
