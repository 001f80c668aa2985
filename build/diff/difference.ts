// What a change of the content does to the API, as data.
import { documentOperations, listOperations } from "../../src/operations.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { BuildPlan } from "../build-plan.ts";
import type { Catalog, Deployment, Items } from "../content/catalog.ts";
import { durationOf } from "../documents/source.ts";
import { deletionsIn, type ListingDeletion } from "../pages/deletion.ts";
import { type Breaking, breakingChanges } from "./breaking.ts";
import { type CursorChanges, cursorChanges } from "./cursors.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";
import { type FileChanges, fileChanges } from "./files.ts";
import { type ItemChange, itemChanges } from "./items.ts";
import { type LimitChange, limitChanges } from "./limits.ts";
import type { Sides } from "./sides.ts";

export interface Difference {
  /** What the sides are called. */
  readonly before: string;
  readonly after: string;
  /** The name of the deployment; two where it was renamed. */
  readonly deployments: readonly string[];
  readonly breaking: readonly Breaking[];
  /** Names of operations. */
  readonly operations: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Of the list operations that both sides have, in the order of the table. */
  readonly lists: readonly ListChanges[];
  /** Of the documents that both sides have and that differ. */
  readonly documents: readonly { readonly operation: string; readonly fields: readonly FieldChange[] }[];
  /** As in api.yaml, with the defaults of what is not there. */
  readonly settings: readonly FieldChange[];
  readonly files: FileChanges;
  readonly limits: readonly LimitChange[];
  readonly cursors: Omit<CursorChanges, "warnings">;
  /** What a further deletion would do after the change. */
  readonly deletions: readonly ListingDeletion[];
  /** Those that were none before. A sentence or two each. */
  readonly warnings: readonly string[];
}

export interface ListChanges {
  readonly operation: string;
  readonly noun: string;
  /** How many items there are. */
  readonly before: number;
  readonly after: number;
  readonly items: readonly ItemChange[];
}

export function differenceOf(sides: Sides): Difference {
  const { before, after } = sides;
  const [old, own] = [before.plan, after.plan];
  const lists = listChanges(old, own);
  const { warnings, ...cursors } = cursorChanges(sides);
  return {
    before: before.label,
    after: after.label,
    deployments: [...new Set([old.deployment.name, own.deployment.name])],
    breaking: breakingChanges(old, own, lists),
    operations: {
      added: without(own.deployment.operations, old.deployment.operations),
      removed: without(old.deployment.operations, own.deployment.operations),
    },
    lists,
    documents: documentChanges(old.deployment, own.deployment),
    settings: fieldChanges(settingsOf(old.catalog), settingsOf(own.catalog)),
    files: fileChanges(old, own),
    limits: limitChanges(old.budget, own.budget),
    cursors,
    deletions: deletionsIn(own.api.listings, own.api.cutsOf),
    warnings: [...without(own.warnings, old.warnings), ...warnings],
  };
}

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((each) => !some.includes(each));

const listChanges = (before: BuildPlan, after: BuildPlan): readonly ListChanges[] =>
  listOperations
    .filter(({ name }) => [before, after].every(({ deployment }) => deployment.operations.includes(name)))
    .map(({ name, resource }) => {
      const [old, own] = [itemsIn(before, name), itemsIn(after, name)];
      const items = itemChanges(old, own, resource.key);
      return { operation: name, noun: resource.noun, before: old.count, after: own.count, items };
    });

function itemsIn({ catalog }: BuildPlan, operation: string): Items {
  const items = catalog.items.get(operation);
  if (items === undefined) throw new Error(`The catalog has no list of ${operation}.`);
  return items;
}

const documentChanges = (before: Deployment, after: Deployment): Difference["documents"] =>
  documentOperations.flatMap(({ name, resource }) => {
    const [old, own] = [before.documents.get(name), after.documents.get(name)];
    if (old === undefined || own === undefined) return [];
    const fields = fieldChanges(resource.documentOf(old), resource.documentOf(own));
    return fields.length === 0 ? [] : [{ operation: name, fields }];
  });

function settingsOf({ settings }: Catalog) {
  const { defaultDeployment, pageSizes, paging, cursorLifetime, frontPage, vocabulary, ...texts } = settings;
  const sizes = [...pageSizes].map(
    ([name, own]) => [name, own.length === everyPageSize.length ? "every" : own] as const,
  );
  return {
    ...texts,
    default_deployment: defaultDeployment,
    page_sizes: oneOrEach(sizes),
    paging: oneOrEach([...paging]),
    cursor_lifetime: durationOf(cursorLifetime),
    front_page: frontPage,
    vocabulary,
  };
}

/** The choice of all operations, or that of each. */
function oneOrEach<Choice>(choices: readonly (readonly [operation: string, choice: Choice])[]) {
  const [[, first] = []] = choices;
  return choices.every(([, own]) => String(own) === String(first)) ? first : Object.fromEntries(choices);
}
