// The effect of a change of the content on an API, as data.
import { ownField } from "../../src/model/fields.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import type { BudgetLine } from "../budget/budget.ts";
import { type Deprecated, deprecatedApi, deprecatedIn, deprecatedOutputs } from "../declaration/deprecations.ts";
import { bytesOf } from "../files/file.ts";
import { type Reload, reloadsOf } from "../hosts/configuration.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Message, noFile, openLog } from "../messages.ts";
import type { PublishedApi, PublishedOperation } from "../published/overview.ts";
import { type FieldChange, fieldChanges } from "../values/field-changes.ts";
import { breakingChanges, removedApis } from "./breaking.ts";
import { countOf, type ItemChange, itemChanges, none } from "./changes.ts";
import { declaredChanges, outputChanges, restartWarnings } from "./declaration.ts";
import type { Breaking } from "./kinds.ts";
import { type CursorChanges, cursorChanges, type FileChanges, fileChanges } from "./output.ts";
import type { PlannedApi, Side } from "./side.ts";
import type { Comparison, Sides } from "./sides.ts";

/** The effect of a change on several APIs. */
export interface Differences {
  /** Of each API that both sides have, in the order of the declaration, with its base. */
  readonly apis: readonly (Difference & { readonly base: string })[];
  /** The bases of new APIs. */
  readonly added: readonly string[];
  /** The bases of APIs that are gone. */
  readonly removed: readonly string[];
  /** The breaking changes: the APIs that are gone, unless their sunset was announced and has passed. */
  readonly breaking: readonly Breaking[];
  readonly announced: readonly Breaking[];
  /** The warnings that are new. */
  readonly warnings: readonly Message[];
}

export interface Difference {
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
  /** As in api.yaml, with the defaults of absent settings. */
  readonly settings: readonly FieldChange[];
  /** Undefined if the files of the side before are not known. */
  readonly files: FileChanges | undefined;
  readonly limits: readonly LimitChange[];
  /** The hosts that have to load another configuration, with the files that differ. */
  readonly reloads: readonly Reload[];
  readonly cursors: CursorChanges;
  /** Sentences about the extent of the comparison. */
  readonly notes: readonly string[];
  /** The warnings that are new. */
  readonly warnings: readonly Message[];
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
export function differencesOf({ pairs, added, removed }: Comparison, today: string): Differences {
  const apis = pairs.map((sides) => ({ base: sides.after.published.base, ...differenceOf(sides, today) }));
  const basesOf = (sides: readonly Side[]) => sides.map(({ published }) => published.base);
  return {
    apis,
    added: basesOf(added),
    removed: basesOf(removed),
    ...removedApis(
      removed.map(({ published }) => published),
      today,
    ),
    warnings: [...apis.flatMap(({ warnings }) => warnings), ...added.flatMap(({ warnings }) => warnings)],
  };
}

/** `today` determines which sunsets have passed. */
export function differenceOf(sides: Sides, today: string): Difference {
  const { before, after, uncompared, notes } = sides;
  const log = openLog();
  const planBefore = before.plan;
  const planAfter = after.plan;
  const { hosts } = planAfter;
  const operationsBefore = before.published.operations;
  const operationsAfter = after.published.operations;
  const namesBefore = operationsBefore.map(({ name }) => name);
  const namesAfter = operationsAfter.map(({ name }) => name);
  const items = Object.fromEntries(listChanges(sides));
  const noticesBefore = new Set(noticesOf(before.published).map(({ what }) => what));
  const lifetime = planAfter.catalog.settings.cursorLifetime;
  const ofCursors =
    planBefore === undefined
      ? {
          cursors: { retired: 0, pages: 0, lifetime },
          warnings: restartWarnings(operationsBefore, operationsAfter),
        }
      : cursorChanges(planBefore, planAfter, hosts);
  for (const text of ofCursors.warnings) log.report({ code: "cursors-restart", at: noFile, text });
  for (const { code, place, text, hint } of newWarnings(before, after)) log.report({ code, at: place, text, hint });
  return {
    before: before.label,
    after: after.label,
    uncompared,
    deployments: comparedDeployments(planBefore ?? planAfter, planAfter),
    ...breakingChanges(sides, items, today),
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
    files: planBefore && fileChanges(planBefore, planAfter),
    limits: limitChanges(planBefore?.budget ?? [], planAfter.budget),
    reloads: planBefore === undefined ? [] : changedConfiguration(planBefore, planAfter, hosts),
    cursors: ofCursors.cursors,
    notes,
    warnings: log.messages().shown,
  };
}

/** Places may have moved. Without a plan, the warnings before are not known. */
const newWarnings = (before: Side, after: Side): readonly Message[] =>
  before.plan === undefined
    ? []
    : after.warnings.filter(
        ({ code, text }) => !before.warnings.some((warning) => warning.code === code && warning.text === text),
      );

type Operations = readonly PublishedOperation[];

const noticesOf = (api: PublishedApi): readonly Deprecated[] => [
  ...deprecatedApi(api),
  ...noticesIn(api.operations),
  ...deprecatedOutputs(api.outputs),
];

const noticesIn = (operations: Operations): readonly Deprecated[] =>
  deprecatedIn(
    operations.map(({ filters, orders, deprecated_fields: deprecatedFields, ...operation }) => ({
      ...operation,
      filters: Object.keys(filters).map((param) => ({
        param,
        deprecated: ownField(operation.deprecated_filters, param),
      })),
      orders: Object.keys(orders).map((name) => ({ name, deprecated: ownField(operation.deprecated_orders, name) })),
      deprecatedFields,
    })),
  );

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((name) => !some.includes(name));

function comparedDeployments(before: PlannedApi, { deployment, catalog }: PlannedApi): readonly string[] {
  const names = [...new Set([before.deployment.name, deployment.name])];
  return names.length === 1 && catalog.deployments.size < 2 ? [] : names;
}

function listChanges({ before, after, uncompared }: Sides): readonly (readonly [operation: string, ListChanges])[] {
  const changes: (readonly [operation: string, ListChanges])[] = [];
  const keyIn = ({ published }: Side, list: string) => published.operations.find(({ name }) => name === list)?.key;
  for (const list of after.plan.catalog.api.lists) {
    const { name } = list;
    const key = keyIn(before, name);
    // Without a common key, no item is the same.
    if (key === undefined || String(key) !== String(keyIn(after, name)) || uncompared.includes(name)) continue;
    const linesBefore = before.items.get(name) ?? none;
    const linesAfter = after.items.get(name) ?? none;
    changes.push([
      name,
      {
        before: countOf(linesBefore),
        after: countOf(linesAfter),
        changes: itemChanges(linesBefore, linesAfter, list),
      },
    ]);
  }
  return changes;
}

function changedConfiguration(before: PlannedApi, after: PlannedApi, hosts: readonly HostAdapter[]): readonly Reload[] {
  const filesBefore = configurationOf(before);
  const filesAfter = configurationOf(after);
  const { others = [] } = after.catalog.placement ?? {};
  const bases = [after.table.base, ...others.map(({ base }) => base)];
  return reloadsOf(hosts, bases, (file) => filesBefore.get(file) !== filesAfter.get(file));
}

const configurationOf = ({ beside }: PlannedApi): ReadonlyMap<string, string> =>
  new Map(beside.map((file) => [file.file, bytesOf(file).toString()]));

function documentChanges(before: Operations, after: Operations): Difference["documents"] {
  const contents = new Map(before.map(({ name, content }) => [name, content]));
  return after
    .filter(({ name, content }) => content !== undefined && contents.get(name) !== undefined)
    .map(({ name, content }) => ({ operation: name, fields: fieldChanges(contents.get(name), content) }))
    .filter(({ fields }) => fields.length > 0);
}

function settingsOf({ settings }: Side) {
  const { defaultDeployment, pageSizes, paging, cursorLifetime, changes, frontPage, vocabulary, logo, ...others } =
    settings;
  const { placeOf: _, ...texts } = others;
  const sizes = [...pageSizes].map(
    ([name, list]) => [name, list.length === everyPageSize.length ? "every" : list] as const,
  );
  return {
    ...texts,
    logo: logo?.file,
    default_deployment: defaultDeployment,
    page_sizes: oneOrEach(sizes),
    paging: oneOrEach([...paging]),
    cursor_lifetime: lifetimeOf(cursorLifetime),
    changes: lifetimeOf(changes),
    front_page: frontPage,
    vocabulary,
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

/** In the order of the lines after the change. The name of the largest folder or file may change, and is left out. */
function limitChanges(before: readonly BudgetLine[], after: readonly BudgetLine[]): readonly LimitChange[] {
  const withoutName = (line: BudgetLine) => ({ ...line, what: line.what.replace(/ \(.*\)$/, "") });
  const linesBefore = before.map(withoutName);
  return after.map(withoutName).map(({ used, ...line }) => {
    const lineBefore = linesBefore.find(
      ({ host, what, plan }) => host === line.host && what === line.what && plan === line.plan,
    );
    return { ...line, before: lineBefore?.used, after: used };
  });
}
