// Changes that may break the program of a consumer: something that it requested is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { maxLimit, type PageSizes } from "../../src/paging.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { BuildPlan } from "../build-plan.ts";
import { filterValues } from "../content/catalog.ts";
import { counted } from "../words.ts";
import { declarationChanges } from "./declarations.ts";
import type { ListChanges } from "./items.ts";
import type { Breaking } from "./kinds.ts";
import { say } from "./sentence.ts";

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
  const changesOf = ({ name }: Operation) => lists.find(({ operation }) => operation === name);
  const own = kept.filter((operation) => operation.kind === "list");
  return [
    ...served.filter((operation) => !isKept(operation)).map((operation) => removedOperation(api, operation)),
    ...own.flatMap((operation) => removedValues(operation, before, after)),
    ...own.flatMap((operation) => removedItems(api, operation, changesOf(operation))),
    ...removedSizes(own, before, after),
    ...kept.flatMap((operation) => widened(api, operation, before.catalog.settings, after.catalog.settings)),
    ...own.flatMap((operation) => otherMeanings(operation, changesOf(operation))),
    ...declarationChanges(kept, api, after.catalog.api),
  ];
}

const pathOf = ({ base }: Api, { name }: Pick<Operation, "name">): string => `${base}/${name}`;

const removedOperation = (api: Api, operation: Operation): Breaking => ({
  code: "operation-removed",
  operations: [operation.name],
  values: [operation.name],
  sentence: say`${pathOf(api, operation)} is removed: it is answered with 404.`,
});

function removedValues(operation: ListOperation, before: BuildPlan, after: BuildPlan): readonly Breaking[] {
  const { api } = before.catalog;
  const now = after.catalog.api.lists.find(({ name }) => name === operation.name);
  return filtersOf(operation).flatMap((filter) => {
    const same = now && filtersOf(now).find(({ param }) => param === filter.param);
    // A filter that is gone is another change.
    if (now === undefined || same?.field !== filter.field) return [];
    const known = new Set(filterValues(after.catalog, now, same));
    const values = filterValues(before.catalog, operation, filter).filter((value) => !known.has(value));
    if (values.length === 0) return [];
    const queries = values.map((value) => `${filter.param}=${value}`);
    const sentence = say`${pathOf(api, operation)} does not accept ${queries} any more: the answer is 400.`;
    return [{ code: "value-removed", operations: [operation.name], values, sentence }];
  });
}

function removedItems(
  api: Api,
  { name, resource, item }: ListOperation,
  changes: ListChanges | undefined,
): readonly Breaking[] {
  const values = (changes?.items ?? []).filter(({ kind }) => kind === "removed").map(({ key }) => key);
  const gone = `${counted(values.length, resource)} ${values.length === 1 ? "is" : "are"} gone from `;
  const path = pathOf(api, { name });
  const end = item === undefined ? [] : [" Each is answered with 404 at ", ...say`${`${path}/KEY`}.`];
  const sentence = [gone, ...say`${path}: ${values}.`, ...end];
  return [
    ...(values.length === 0 ? [] : [{ code: "item-removed" as const, operations: [name], values, sentence }]),
    ...removedAliases(path, name, item?.aliases, changes),
  ];
}

/** Aliases of items that remain. An alias that another item has now is answered with that item. */
function removedAliases(
  path: string,
  name: string,
  field: string | undefined,
  changes: ListChanges | undefined,
): readonly Breaking[] {
  const fields = (changes?.items ?? []).flatMap((each) => each.fields.map((own) => ({ ...own, kind: each.kind })));
  const ofAliases = fields.filter((each) => each.field === field || each.field === `${field}[]`);
  const known = new Set(ofAliases.flatMap(({ after }) => textsIn(after)));
  const lost = ofAliases.flatMap(({ kind, before }) => (kind === "changed" ? textsIn(before) : []));
  const values = lost.filter((alias) => !known.has(alias));
  if (values.length === 0) return [];
  const sentence = say`${path} is answered with 404 at these aliases: ${values}.`;
  return [{ code: "item-removed", operations: [name], values, sentence }];
}

const textsIn = (value: unknown): readonly string[] => [value ?? []].flat().map(String);

/** Operations that lose the same sizes are reported together. */
function removedSizes(own: readonly ListOperation[], before: BuildPlan, after: BuildPlan): readonly Breaking[] {
  const groups = new Map<string, { readonly names: string[]; readonly gone: PageSizes; readonly least: number }>();
  for (const { name } of own.filter(({ paged }) => paged)) {
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
      const lost = say`There are no pages of ${ranges(gone)} items any more at ${names.map((name) => pathOf(before.catalog.api, { name }))}: `;
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

interface Words {
  readonly vocabulary: Vocabulary;
}

/** A vocabulary that is not listed allows any word of its form. */
function widened(api: Api, operation: Operation, before: Words, after: Words): readonly Breaking[] {
  return api.vocabularies.flatMap(({ name }) => {
    const [old, own] = [before.vocabulary[name], after.vocabulary[name]];
    const values = (own ?? []).filter((word) => old?.includes(word) === false);
    if (old === undefined || (own !== undefined && values.length === 0)) return [];
    return fieldsOf(operation, name).map((field): Breaking => {
      const what = [...say`${field} in ${pathOf(api, operation)} can be `];
      const sentence =
        own === undefined
          ? [...what, ...say`any word, as ${name} is not listed any more.`]
          : [...what, ...say`${values} too (${name}).`];
      return { code: "vocabulary-widened", operations: [operation.name], values, sentence };
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
      ...Object.entries(properties).flatMap(([field, own]) => enums(own, at === "" ? field : `${at}.${field}`)),
      ...(items === undefined ? [] : enums(items, `${at}[]`)),
      ...[...prefixItems].flatMap((own, index) => enums(own, `${at}[${index}]`)),
      ...enums(additionalProperties, `${at}.*`),
      ...[...(rest.anyOf ?? rest.oneOf ?? [])].flatMap((own) => enums(own, at)),
    ];
  }
}

/** Additions to a definition do not change its earlier meaning. */
function otherMeanings({ name, resource }: ListOperation, changes: ListChanges | undefined): readonly Breaking[] {
  const { defining, noun } = resource;
  return (changes?.items ?? []).flatMap(({ kind, key, fields }) => {
    if (kind !== "changed") return [];
    const isDefining = (field: string) => defining.some((own) => field.replace(/[[.].*$/, "") === own);
    const others = fields.filter(({ field, before }) => isDefining(field) && before !== undefined);
    if (others.length === 0) return [];
    const changed = others.map(({ field, after }) => (after === undefined ? `${field} removed` : field));
    const sentence = [`The definition of the ${noun} `, ...say`${key} has changed: ${changed}.`];
    return [{ code: "meaning-changed", operations: [name], values: [key], sentence }];
  });
}
