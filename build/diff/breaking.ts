// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { maxLimit, type PageSizes } from "../../src/paging.ts";
import type { BuildPlan } from "../build-plan.ts";
import { filterValues, type Settings } from "../content/catalog.ts";
import { counted } from "../words.ts";
import { declarationChanges } from "./declarations.ts";
import type { ItemChange, ListChanges } from "./items.ts";
import { type Breaking, changeOf, say } from "./kinds.ts";

/** In the order of the earlier table. */
export function breakingChanges(
  before: BuildPlan,
  after: BuildPlan,
  lists: readonly ListChanges[],
): readonly Breaking[] {
  const { api } = before.catalog;
  const served = api.operations.filter(({ name }) => before.deployment.operations.includes(name));
  const isKept = ({ name, kind }: Operation): boolean =>
    after.deployment.operations.includes(name) &&
    after.catalog.api.operations.some((each) => each.name === name && each.kind === kind);
  const kept = served.filter(isKept);
  const changesOf = ({ name }: Operation) => lists.find(({ operation }) => operation === name)?.items ?? [];
  const keptLists = kept.filter((operation) => operation.kind === "list");
  return [
    ...served.filter((operation) => !isKept(operation)).flatMap((operation) => removedOperation(api, operation)),
    ...keptLists.flatMap((operation) => removedValues(operation, before, after)),
    ...keptLists.flatMap((operation) => removedItems(api, operation, changesOf(operation))),
    ...removedSizes(keptLists, before, after),
    ...kept.flatMap((operation) => widened(api, operation, before.catalog.settings, after.catalog.settings)),
    ...keptLists.flatMap((operation) => otherMeanings(operation, changesOf(operation))),
    ...declarationChanges(kept, api, after.catalog.api),
  ];
}

const pathOf = ({ base }: Api, { name }: Pick<Operation, "name">): string => `${base}/${name}`;

const removedOperation = (api: Api, operation: Operation): readonly Breaking[] => {
  const sentence = say`${pathOf(api, operation)} is removed: it is answered with 404.`;
  return changeOf("operation-removed", operation.name, [operation.name], sentence);
};

function removedValues(operation: ListOperation, before: BuildPlan, after: BuildPlan): readonly Breaking[] {
  const { api } = before.catalog;
  const now = after.catalog.api.lists.find(({ name }) => name === operation.name);
  return filtersOf(operation).flatMap((filter) => {
    const same = now && filtersOf(now).find(({ param }) => param === filter.param);
    // A filter that is gone is another change.
    if (now === undefined || same?.field !== filter.field) return [];
    const known = new Set(filterValues(after.catalog, now, same));
    const values = filterValues(before.catalog, operation, filter).filter((value) => !known.has(value));
    const queries = values.map((value) => `${filter.param}=${value}`);
    const sentence = say`${pathOf(api, operation)} does not accept ${queries} any more: the answer is 400.`;
    return changeOf("value-removed", operation.name, values, sentence);
  });
}

function removedItems(
  api: Api,
  { name, resource, item }: ListOperation,
  changes: readonly ItemChange[],
): readonly Breaking[] {
  const values = changes.filter(({ kind }) => kind === "removed").map(({ key }) => key);
  const path = pathOf(api, { name });
  const gone = `${counted(values.length, resource)} ${values.length === 1 ? "is" : "are"} gone from `;
  const end = item === undefined ? [] : [" Each is answered with 404 at ", ...say`${`${path}/KEY`}.`];
  const aliases = removedAliases(item?.aliases, changes);
  return [
    ...changeOf("item-removed", name, values, [gone, ...say`${path}: ${values}.`, ...end]),
    ...changeOf("item-removed", name, aliases, say`${path} is answered with 404 at these aliases: ${aliases}.`),
  ];
}

/** The aliases of items that remain. An alias that moves to another item is answered with that item. */
function removedAliases(field: string | undefined, changes: readonly ItemChange[]): readonly string[] {
  const ofAliases = changes.flatMap(({ kind, fields }) =>
    fields.filter((each) => each.field === field || each.field === `${field}[]`).map((each) => ({ ...each, kind })),
  );
  const known = new Set(ofAliases.flatMap(({ after }) => textsIn(after)));
  return ofAliases
    .flatMap(({ kind, before }) => (kind === "changed" ? textsIn(before) : []))
    .filter((alias) => !known.has(alias));
}

const textsIn = (value: unknown): readonly string[] => [value ?? []].flat().map(String);

/** Operations that lose the same sizes are reported together. */
function removedSizes(lists: readonly ListOperation[], before: BuildPlan, after: BuildPlan): readonly Breaking[] {
  const groups = new Map<string, { readonly names: string[]; readonly gone: PageSizes; readonly least: number }>();
  for (const { name } of lists.filter(({ paged }) => paged)) {
    const sizes = after.api.sizesOf(name);
    const gone = before.api.sizesOf(name).filter((size) => !sizes.includes(size));
    const [least = maxLimit] = sizes;
    const group = groups.get(`${gone} ${least}`) ?? { names: [], gone, least };
    groups.set(`${gone} ${least}`, group);
    group.names.push(name);
  }
  return [...groups.values()]
    .filter(({ gone }) => gone.length > 0)
    .map(({ names, gone, least }) => {
      const paths = names.map((name) => pathOf(before.catalog.api, { name }));
      const lost = say`There are no pages of ${ranges(gone)} items any more at ${paths}: `;
      const end = gone.some((size) => size < least)
        ? say`a limit below ${least} is an error, another gives the next smaller page.`
        : say`such a limit gives the next smaller page.`;
      return { code: "page-size-removed", operations: names, values: gone.map(String), sentence: [...lost, ...end] };
    });
}

/** `1–4`, `6–9`, `11` */
function ranges(sizes: PageSizes): readonly string[] {
  const found: [first: number, last: number][] = [];
  for (const size of sizes) {
    const range = found.at(-1);
    if (range !== undefined && range[1] === size - 1) range[1] = size;
    else found.push([size, size]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
}

type Words = Pick<Settings, "vocabulary">;

/** A vocabulary that is not listed allows any word of its form. */
function widened(api: Api, operation: Operation, before: Words, after: Words): readonly Breaking[] {
  return api.vocabularies.flatMap(({ name }) => {
    const [old, current] = [before.vocabulary[name], after.vocabulary[name]];
    const values = (current ?? []).filter((word) => old?.includes(word) === false);
    if (old === undefined || (current !== undefined && values.length === 0)) return [];
    return fieldsOf(operation, name).map((field): Breaking => {
      const start = say`${field} in ${pathOf(api, operation)} can be `;
      const end = current ? say`${values} too (${name}).` : say`any word, as ${name} is not listed any more.`;
      return { code: "vocabulary-widened", operations: [operation.name], values, sentence: [...start, ...end] };
    });
  });
}

/** The fields of an operation's answer whose only values are the words of a vocabulary. */
function fieldsOf({ resource }: Operation, name: string): readonly string[] {
  const probe = "probe";
  return enums(z.toJSONSchema(resource.schema({ [name]: [probe] })), "");

  function enums(schema: unknown, at: string): readonly string[] {
    if (typeof schema !== "object") return [];
    const { enum: words, properties = {}, items, prefixItems = [], additionalProperties, ...rest } = Object(schema);
    if (Array.isArray(words) && words.includes(probe)) return [at];
    return [
      ...Object.entries(properties).flatMap(([field, each]) => enums(each, at === "" ? field : `${at}.${field}`)),
      ...(items === undefined ? [] : enums(items, `${at}[]`)),
      ...[...prefixItems].flatMap((each, index) => enums(each, `${at}[${index}]`)),
      ...enums(additionalProperties, `${at}.*`),
      ...[...(rest.anyOf ?? rest.oneOf ?? [])].flatMap((each) => enums(each, at)),
    ];
  }
}

/** Additions to a definition do not change its earlier meaning. */
function otherMeanings({ name, resource }: ListOperation, changes: readonly ItemChange[]): readonly Breaking[] {
  const { defining, noun } = resource;
  return changes.flatMap(({ kind, key, fields }) => {
    const others = fields.filter(
      ({ field, before }) => defining.includes(field.replace(/[[.].*$/, "")) && before !== undefined,
    );
    if (kind !== "changed" || others.length === 0) return [];
    const changed = others.map(({ field, after }) => (after === undefined ? `${field} removed` : field));
    const sentence = [`The definition of the ${noun} `, ...say`${key} has changed: ${changed}.`];
    return changeOf("meaning-changed", name, [key], sentence);
  });
}
