// The effect of a change of the content on an API, as data.
import { ownField } from "../../src/model/fields.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { type BudgetLine, limitName } from "../budget/budget.ts";
import { type Deprecated, deprecatedApi, deprecatedIn, deprecatedOutputs } from "../declaration/deprecations.ts";
import { bytesOf } from "../files/file.ts";
import { type Reload, reloadsOf } from "../hosts/configuration.ts";
import { type Log, type Message, noFile, openLog } from "../messages.ts";
import type { PlannedApi } from "../plan/api.ts";
import { type BuildPlan, usageOfPlan } from "../plan/plan.ts";
import type { PublishedApi, PublishedOperation } from "../published/overview.ts";
import type { BuildUsage } from "../routing/table.ts";
import { type FieldChange, fieldChanges } from "../values/field-changes.ts";
import { breakingChanges, removedApis } from "./breaking.ts";
import { countOf, type ItemChange, itemChanges, none } from "./changes.ts";
import { declaredChanges, outputChanges, restartWarnings } from "./declaration.ts";
import type { Breaking } from "./kinds.ts";
import { type CursorChanges, cursorChanges, type FileChanges, fileChanges } from "./output.ts";
import { type Pair, pairSides } from "./pair.ts";
import type { PlannedVersion, Side, Version } from "./side.ts";

/** The effect of a change on several APIs. */
export interface BuildDifference {
  /** Of each API that both sides have, in the order of the declaration, with its base. */
  readonly apis: readonly (ApiDifference & { readonly base: string })[];
  /** The bases of new APIs. */
  readonly added: readonly string[];
  /** The bases of APIs that are gone. */
  readonly removed: readonly string[];
  /** The breaking changes: the APIs that are gone, unless their sunset was announced and has passed. */
  readonly breaking: readonly Breaking[];
  readonly announced: readonly Breaking[];
  /** Undefined if the files of the side before are not known. */
  readonly files: FileChanges | undefined;
  readonly limits: readonly LimitChange[];
  /** The hosts that have to load another configuration, with the files that differ. */
  readonly reloads: readonly Reload[];
  /** The warnings that are new. */
  readonly warnings: readonly Message[];
}

export interface ApiDifference {
  /** The labels of the sides. */
  readonly before: string;
  readonly after: string;
  /** The collections whose items are not compared. */
  readonly uncompared: readonly string[];
  /** The name of the deployment, or both names if it was renamed. Empty if the content has no other. */
  readonly deployments: readonly string[];
  readonly breaking: readonly Breaking[];
  /** Removals after an announced sunset. */
  readonly announced: readonly Breaking[];
  /** New deprecations. */
  readonly deprecated: readonly Deprecated[];
  /** Names of operations. */
  readonly operations: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** By list operation that both sides have and that is compared, in the order of the table. */
  readonly items: Readonly<Record<string, ListChanges>>;
  /** The documents that both sides have and that differ. */
  readonly documents: readonly { readonly operation: string; readonly fields: readonly FieldChange[] }[];
  /** The changes of the declaration: of operations that both sides have, and of outputs. */
  readonly declaration: readonly FieldChange[];
  /** As in api.yaml, with the defaults of absent settings, and the texts beside it by the names of their files. */
  readonly settings: readonly FieldChange[];
  /** Undefined if the side before is published: its cursors are not known. */
  readonly cursors: CursorChanges | undefined;
  /** Sentences about the extent of the comparison. */
  readonly notes: readonly string[];
}

export interface ListChanges {
  /** The number of items. */
  readonly before: number;
  readonly after: number;
  readonly changes: readonly ItemChange[];
}

export interface LimitChange extends Omit<BudgetLine, "used"> {
  /** Undefined if the earlier build did not have this limit, or is not known. */
  readonly before: number | undefined;
  readonly after: number;
}

/** `today` determines which sunsets have passed. */
export function differencesOf(before: Version, after: PlannedVersion, today: string): BuildDifference {
  const { pairs, added, removed } = pairSides(before.sides, after.sides);
  const log = openLog();
  const apis = pairs.map((pair) => ({
    base: pair.after.published.base,
    ...differenceOf(pair, after.plan, today, log),
  }));
  for (const { code, place, text, hint } of newWarnings(before, after)) log.report({ code, at: place, text, hint });
  const basesOf = (sides: readonly Side[]) => sides.map(({ published }) => published.base);
  return {
    apis,
    added: basesOf(added),
    removed: basesOf(removed),
    ...removedApis(
      removed.map(({ published }) => published),
      today,
    ),
    files: filesBetween(before, after),
    limits: limitChanges(before.usage?.limits ?? [], after.plan.budget),
    reloads: before.plan === undefined ? [] : changedConfiguration(before.plan, after.plan),
    warnings: log.messages().shown,
  };
}

function filesBetween({ plan, usage }: Version, after: PlannedVersion): FileChanges | undefined {
  if (plan !== undefined) return fileChanges(plan, after.plan);
  if (usage === undefined) return undefined;
  const amountOf = ({ files, bytes }: BuildUsage) => ({ files, bytes });
  return { before: amountOf(usage), after: amountOf(usageOfPlan(after.plan)) };
}

/** `build` is the one after the change. */
function differenceOf(pair: Pair, build: BuildPlan, today: string, log: Log): ApiDifference {
  const { before, after } = pair;
  const planBefore = before.plan;
  const planAfter = after.plan;
  const operationsBefore = before.published.operations;
  const operationsAfter = after.published.operations;
  const namesBefore = operationsBefore.map(({ name }) => name);
  const namesAfter = operationsAfter.map(({ name }) => name);
  const items = Object.fromEntries(listChanges(pair));
  const noticesBefore = new Set(noticesOf(before.published).map(({ what }) => what));
  const ofCursors =
    planBefore === undefined
      ? { cursors: undefined, warnings: restartWarnings(operationsBefore, operationsAfter) }
      : cursorChanges(planBefore, planAfter, build);
  for (const text of ofCursors.warnings) log.report({ code: "cursors-restart", at: noFile, text });
  return {
    before: before.label,
    after: after.label,
    uncompared: before.uncompared,
    deployments: comparedDeployments(planBefore ?? planAfter, planAfter),
    ...breakingChanges(pair, items, today),
    deprecated: noticesOf(after.published).filter(({ what }) => !noticesBefore.has(what)),
    operations: {
      added: without(namesAfter, namesBefore),
      removed: without(namesBefore, namesAfter),
    },
    items,
    documents: documentChanges(operationsBefore, operationsAfter),
    declaration: [
      ...declaredChanges(operationsBefore, operationsAfter),
      ...outputChanges(before.published.outputs, after.published.outputs),
    ],
    settings: fieldChanges(settingsOf(before), settingsOf(after)),
    cursors: ofCursors.cursors,
    notes: before.notes,
  };
}

/** Places may have moved. Without a plan, the warnings before are not known. */
const newWarnings = (before: Version, after: Version): readonly Message[] =>
  before.plan === undefined
    ? []
    : after.warnings.filter(
        ({ code, text }) => !before.warnings.some((warning) => warning.code === code && warning.text === text),
      );

type Operations = readonly PublishedOperation[];

const noticesOf = (api: PublishedApi): readonly Deprecated[] => [
  ...deprecatedApi(api),
  ...deprecatedIn(
    api.operations.map(({ filters, orders, deprecated_fields: deprecatedFields, ...operation }) => ({
      ...operation,
      filters: Object.keys(filters).map((param) => ({
        param,
        deprecated: ownField(operation.deprecated_filters, param),
      })),
      orders: Object.keys(orders).map((name) => ({ name, deprecated: ownField(operation.deprecated_orders, name) })),
      deprecatedFields,
    })),
  ),
  ...deprecatedOutputs(api.outputs),
];

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((name) => !some.includes(name));

function comparedDeployments(before: PlannedApi, { deployment, catalog }: PlannedApi): readonly string[] {
  const names = [...new Set([before.deployment.name, deployment.name])];
  return names.length === 1 && catalog.deployments.size < 2 ? [] : names;
}

/** By operation. */
function listChanges({ before, after }: Pair): ReadonlyMap<string, ListChanges> {
  const changes = new Map<string, ListChanges>();
  const keyIn = ({ published }: Side, list: string) => published.operations.find(({ name }) => name === list)?.key;
  for (const list of after.plan.catalog.api.lists) {
    const { name } = list;
    const key = keyIn(before, name);
    // Without a common key, no item is the same.
    if (key === undefined || String(key) !== String(keyIn(after, name)) || before.uncompared.includes(name)) continue;
    const linesBefore = before.items.get(name) ?? none;
    const linesAfter = after.items.get(name) ?? none;
    changes.set(name, {
      before: countOf(linesBefore),
      after: countOf(linesAfter),
      changes: itemChanges(linesBefore, linesAfter, list),
    });
  }
  return changes;
}

function changedConfiguration(before: BuildPlan, after: BuildPlan): readonly Reload[] {
  const filesBefore = configurationOf(before);
  const filesAfter = configurationOf(after);
  const bases = after.apis.map(({ table }) => table.base);
  return reloadsOf(after.hosts, bases, (file) => filesBefore.get(file) !== filesAfter.get(file));
}

const configurationOf = ({ configuration }: BuildPlan): ReadonlyMap<string, string> =>
  new Map(configuration.map((file) => [file.file, bytesOf(file).toString()]));

function documentChanges(before: Operations, after: Operations): ApiDifference["documents"] {
  const contents = new Map(before.map(({ name, content }) => [name, content]));
  return after
    .filter(({ name, content }) => content !== undefined && contents.get(name) !== undefined)
    .map(({ name, content }) => ({ operation: name, fields: fieldChanges(contents.get(name), content) }))
    .filter(({ fields }) => fields.length > 0);
}

function settingsOf({ settings }: Side) {
  const {
    defaultDeployment,
    pageSizes,
    paging,
    cursorLifetime,
    frontPage,
    changesLifetime,
    changesFields,
    changesText,
    introduction,
    vocabulary,
    logo,
    card,
    placeOf: _,
    ...texts
  } = settings;
  const sizes = [...pageSizes].map(
    ([name, list]) => [name, list.length === everyPageSize.length ? "every" : list] as const,
  );
  return {
    ...texts,
    logo: logo?.file,
    "card.png": card?.file,
    default_deployment: defaultDeployment,
    page_sizes: oneOrEach(sizes),
    paging: oneOrEach([...paging]),
    cursor_lifetime: lifetimeOf(cursorLifetime),
    changes: lifetimeOf(changesLifetime),
    changes_fields: changesFields,
    front_page: frontPage,
    vocabulary,
    "introduction.md": introduction,
    "changes.md": changesText,
  };
}

/** As api.yaml has it: `15m`, `1h`, `7d`, `0`. */
function lifetimeOf(seconds: number): string {
  const units = { d: 86_400, h: 3_600, m: 60 };
  const [unit, length] = Object.entries(units).find(([, unitLength]) => seconds % unitLength === 0) ?? ["s", 1];
  return seconds === 0 ? "0" : `${seconds / length}${unit}`;
}

/** The choice that all operations share, or the choice of each operation. */
function oneOrEach<Choice>(choices: readonly (readonly [operation: string, choice: Choice])[]) {
  const first = choices[0]?.[1];
  return choices.every(([, choice]) => String(choice) === String(first)) ? first : Object.fromEntries(choices);
}

/** In the order of the lines after the change. */
function limitChanges(before: BuildUsage["limits"], after: readonly BudgetLine[]): readonly LimitChange[] {
  return after.map(({ used, ...line }) => {
    const what = limitName(line);
    const lineBefore = before.find(
      (limit) => limit.host === line.host && limit.what === what && limit.plan === line.plan,
    );
    return { ...line, what, before: lineBefore?.used, after: used };
  });
}
