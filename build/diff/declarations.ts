// Changes of the declaration that break consumers, with any data.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { combinationsOf } from "../../src/filter.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { orderName } from "../../src/order.ts";
import { defaultLimit } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import type { Breaking } from "./kinds.ts";
import { fieldLosses } from "./losses.ts";
import { type Sentence, say } from "./sentence.ts";

/** `kept` are the operations of the earlier API that are still answered. */
export function declarationChanges(kept: readonly Operation[], before: Api, after: Api): readonly Breaking[] {
  if (before === after) return [];
  const pairs = kept.flatMap((old) => {
    const own = after.operations.find(({ name }) => name === old.name);
    return own === undefined ? [] : [{ old, own, path: `${after.base}/${old.name}` }];
  });
  return [
    ...baseChange(kept, before, after),
    ...pairs.flatMap(({ old, own, path }) => fieldChanges(old, own, path)),
    ...pairs.flatMap(({ old, own, path }) => briefChanges(old, own, path)),
    ...pairs.flatMap(({ old, own, path }) =>
      old.kind === "list" && own.kind === "list" ? listChanges(old, own, path) : [],
    ),
  ];
}

function baseChange(kept: readonly Operation[], { base }: Api, after: Api): readonly Breaking[] {
  if (base === after.base) return [];
  const sentence = say`Every path starts with ${after.base} in place of ${base}: the former paths are answered with 404.`;
  return [{ code: "base-changed", operations: kept.map(({ name }) => name), values: [base], sentence }];
}

function fieldChanges(old: Operation, own: Operation, path: string): readonly Breaking[] {
  const { removed, optional, widened, retyped } = fieldLosses(schemaOf(old), schemaOf(own));
  const types = retyped.map(({ field, before, after }) => `${field} (${before} → ${after})`);
  const change = (code: Breaking["code"], values: readonly string[], sentence: Sentence): readonly Breaking[] =>
    values.length === 0 ? [] : [{ code, operations: [old.name], values, sentence }];
  return [
    ...change("field-removed", removed, say`${path} does not have these fields any more: ${removed}.`),
    ...change("field-optional", optional, say`${path} may lack these fields: ${optional}.`),
    ...change(
      "field-widened",
      retyped.map(({ field }) => field),
      say`${path} may have values of other types than before in these fields: ${types}.`,
    ),
    ...change("field-widened", widened, say`${path} may have other values than before in these fields: ${widened}.`),
  ];
}

/** The fields that lists lose, while single items keep them. */
function briefChanges(old: Operation, own: Operation, path: string): readonly Breaking[] {
  if (old.kind === "document" || own.kind === "document") return [];
  const [listed, kept] = [fieldsIn(own.listed), fieldsIn(own.resource.schema)];
  const values = fieldsIn(old.listed).filter((field) => !listed.includes(field) && kept.includes(field));
  if (values.length === 0) return [];
  const sentence = say`The lists at ${path} do not have these fields any more: ${values}. Single items have them.`;
  return [{ code: "field-removed", operations: [old.name], values, sentence }];
}

const fieldsIn = (schema: ListOperation["listed"]): readonly string[] =>
  Object.keys(Object(z.toJSONSchema(schema({})).properties));

/** Vocabularies are compared apart. */
const schemaOf = ({ resource }: Operation): unknown => z.toJSONSchema(resource.schema({}));

function listChanges(old: ListOperation, own: ListOperation, path: string): readonly Breaking[] {
  const operations = [old.name];
  const changes: Breaking[] = [];
  const [formerKey, key] = [keyFields(old.resource), keyFields(own.resource)];
  if (String(key) !== String(formerKey)) {
    const sentence = say`The items of ${path} are named by ${key} in place of ${formerKey}.`;
    changes.push({ code: "key-changed", operations, values: formerKey, sentence });
  }
  if (own.paged !== old.paged) {
    const sentence = own.paged
      ? say`${path} is paged: without a limit, it returns the first ${defaultLimit} items in place of all.`
      : say`${path} is not paged any more: it returns all items, ignores limit and cursor, and has no pagination.`;
    changes.push({ code: "paging-changed", operations, values: ["limit", "cursor"], sentence });
  }
  const [former, order] = [withoutKey(old), withoutKey(own)];
  if (String(former) !== String(order)) {
    const sentence = say`${path} is ordered by ${namesOf(own)} in place of ${namesOf(old)}: its cursors expire.`;
    changes.push({ code: "order-changed", operations, values: namesOf(old), sentence });
  }
  const lost = lostItems(old, own, path);
  if (lost !== undefined) changes.push({ code: "item-removed", operations, ...lost });
  const gone = old.filters.filter(
    ({ param, field, by }) =>
      !own.filters.some((each) => each.param === param && each.field === field && each.by === by),
  );
  for (const { param, field } of gone) {
    const same = own.filters.find((each) => each.param === param);
    const sentence =
      same === undefined
        ? say`${path} ignores ${param}, by which it filtered.`
        : say`${path} filters by ${same.field} in place of ${field} if ${param} is sent.`;
    changes.push({ code: "filter-removed", operations, values: [param], sentence });
  }
  const known = new Set(combinationsOf(own).map(paramsOf));
  for (const combination of combinationsOf(old)) {
    const params = combination.map(({ param }) => param);
    if (known.has(paramsOf(combination)) || combination.some((filter) => gone.includes(filter))) continue;
    const sentence = say`${path} does not accept these together any more: ${params}. The answer is 400.`;
    changes.push({ code: "combination-removed", operations, values: [params.join("+")], sentence });
  }
  return changes;
}

/** The addresses of items that the declaration takes away. */
function lostItems({ item: old }: ListOperation, { item: own }: ListOperation, path: string) {
  const each = `${path}/KEY`;
  if (old !== undefined && own === undefined) {
    return { values: [each], sentence: say`${each} is answered with 404: items can only be listed.` };
  }
  const aliases = old?.aliases;
  if (aliases === undefined || own?.aliases === aliases) return undefined;
  return { values: [aliases], sentence: say`${each} is answered with 404 if it names an item by ${aliases}.` };
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
