// Changes that may break the program of a consumer: something that the program requests is gone or has another meaning.
// Additions break nothing, except new words of a closed vocabulary.
import type { Deprecation } from "../../src/deprecation.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { hasSunset } from "../deprecations.ts";
import { counted } from "../text/words.ts";
import { answersOf, fieldLosses, listLosses } from "./declaration.ts";
import type { ItemChange, ListChanges } from "./items.ts";
import type { Breaking, Loss } from "./kinds.ts";
import { lossesBetween } from "./shape.ts";

interface Side {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
}

export interface Losses {
  readonly breaking: readonly Breaking[];
  /** What goes after its sunset. */
  readonly announced: readonly Breaking[];
}

/**
 * `lists` are the changes of items. Of the operations `uncompared`, the items are not known on both sides. `today` tells
 * which sunsets have come.
 */
export function breakingChanges(
  before: Side,
  after: Side,
  lists: readonly ListChanges[],
  uncompared: readonly string[],
  today: string,
): Losses {
  const [{ base: former }, { base }] = [before.catalog.api, after.catalog.api];
  const current = servedBy(after);
  const [found, announced] = [new Map<string, Breaking>(), new Map<string, Breaking>()];
  const kept: string[] = [];
  for (const old of servedBy(before)) {
    const own = current.find(({ name, kind }) => name === old.name && kind === old.kind);
    const losses = own === undefined ? [removed(old, former)] : lossesOf(old, own);
    if (own !== undefined) kept.push(old.name);
    for (const [code, values, text, noticeOf] of losses)
      for (const value of values) {
        const notice = noticeOf?.(value);
        const isAnnounced = notice !== undefined && hasSunset(notice, today);
        const message = noticeOf === undefined || isAnnounced ? text : untimely(text, notice);
        const own = isAnnounced ? announced : found;
        const all = [...(own.get(`${code} ${message}`)?.values ?? []), value];
        own.set(`${code} ${message}`, { code, operations: [old.name], values: all, message });
      }
  }
  const message = `Every path starts with ${base} in place of ${former}: the former paths are answered with 404.`;
  const baseChange: Breaking = { code: "base-changed", operations: kept, values: [former], message };
  return {
    breaking: [...found.values(), ...(base === former ? [] : [baseChange])],
    announced: [...announced.values()],
  };

  function lossesOf(old: Operation, own: Operation): readonly Loss[] {
    const path = `${base}/${old.name}`;
    const [words, now] = [before, after].map(({ catalog }) => answersOf(old, catalog.settings.vocabulary));
    const more = words && now ? lossesBetween(words, now).widened : [];
    const losses: Loss[] = [
      ["vocabulary-widened", more, `${path} can have words that no vocabulary listed in these fields:`],
      ...fieldLosses(path, old, own),
    ];
    if (old.kind !== "list" || own.kind !== "list") return losses;
    const changes = lists.find(({ operation }) => operation === old.name)?.items ?? [];
    losses.push(...listLosses(path, old, own), ...itemLosses(path, old, changes));
    losses.push(sizeLoss(path, old, before.catalog, after.catalog));
    if (uncompared.includes(old.name)) return losses;
    return [...losses, ...valueLosses(path, [old, before.catalog], [own, after.catalog])];
  }
}

const servedBy = ({ catalog, deployment }: Side): readonly Operation[] =>
  catalog.api.operations.filter(({ name }) => deployment.operations.includes(name));

const removed = ({ name, deprecated }: Operation, base: string): Loss => [
  "operation-removed",
  [name],
  `${base}/${name} is removed: it is answered with 404.`,
  () => deprecated,
];

/** What goes without notice, or before its time. The sentence may end with a colon, before values. */
function untimely(text: string, notice: Deprecation | undefined): string {
  const [it, its] = text.endsWith(":") ? [", which", ", whose"] : [". It", ". Its"];
  const sentence =
    notice === undefined
      ? `${it} had not been deprecated`
      : notice.sunset === undefined
        ? `${its} sunset had not been announced`
        : `${its} sunset is not before ${notice.sunset}`;
  return text.replace(/[.:]$/, (end) => sentence + end);
}

function itemLosses(path: string, { item, resource }: ListOperation, changes: readonly ItemChange[]): readonly Loss[] {
  const gone = changes.filter(({ kind }) => kind === "removed").map(({ key }) => key);
  const single = item === undefined ? "" : `, and answered with 404 at ${path}/KEY`;
  const items = `${counted(gone.length, resource)} ${gone.length === 1 ? "is" : "are"} gone from ${path}${single}:`;
  const changed = changes.flatMap(({ kind, key, fields }) =>
    kind === "changed" ? fields.map((each) => ({ ...each, key, top: each.field.replace(/[[.].*$/, "") })) : [],
  );
  // Additions to a definition do not change its earlier meaning.
  const redefined = changed.filter(({ top, before }) => resource.defining.includes(top) && before !== undefined);
  // An alias that moves to another item is answered with that item.
  const known = new Set(changes.flatMap(({ fields }) => fields.flatMap(({ after }) => textsIn(after))));
  const aliases = changed.filter(({ top }) => top === item?.aliases).flatMap(({ before }) => textsIn(before));
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

function sizeLoss(path: string, { name }: ListOperation, before: Catalog, after: Catalog): Loss {
  const [old = [], own] = [before, after].map(({ settings }) => settings.pageSizes.get(name));
  const gone = own === undefined ? [] : old.filter((size) => !own.includes(size));
  const answer = `a limit below ${own?.[0]} is an error, another gives the next smaller page`;
  return ["page-size-removed", gone.map(String), `${path} has no pages of these sizes any more (${answer}):`];
}

type Operated = readonly [operation: ListOperation, catalog: Catalog];

const valueLosses = (path: string, [old, before]: Operated, [own, after]: Operated): readonly Loss[] =>
  old.filters.map((filter) => {
    // A filter that is gone is another change.
    const same = own.filters.find(({ param, field }) => param === filter.param && field === filter.field);
    const known = new Set(same && filterValues(after, own, same));
    const gone = same === undefined ? [] : filterValues(before, old, filter).filter((value) => !known.has(value));
    const queries = gone.map((value) => `${filter.param}=${value}`);
    return ["value-removed", queries, `${path} answers with 400 to these, which were accepted:`];
  });
