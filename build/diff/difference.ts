// The effect of a change of the content on the API, as data.
import { everyPageSize } from "../../src/paging.ts";
import type { BudgetLine } from "../budget/budget.ts";
import type { BuildPlan } from "../build.ts";
import { type Deprecated, deprecatedIn } from "../deprecations.ts";
import { bytesOf } from "../file.ts";
import { type Reload, reloadsOf } from "../hosts/configuration.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { breakingChanges } from "./breaking.ts";
import { declaredChanges } from "./declaration.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";
import { itemChanges, type ListChanges } from "./items.ts";
import type { Breaking } from "./kinds.ts";
import { type CursorChanges, cursorChanges, type FileChanges, fileChanges } from "./output.ts";
import type { PublishedOperation } from "./published.ts";
import type { Side } from "./side.ts";
import type { Earlier, Sides } from "./sides.ts";

export interface Difference {
  /** The labels of the sides. */
  readonly before: string;
  readonly after: string;
  readonly earlier: Earlier;
  /** The name of the deployment, or both names if it was renamed. Empty if the content has no other. */
  readonly deployments: readonly string[];
  readonly breaking: readonly Breaking[];
  /** What goes after the sunset that consumers were told. */
  readonly announced: readonly Breaking[];
  /** What is deprecated and was not before. */
  readonly deprecated: readonly Deprecated[];
  /** Names of operations. */
  readonly operations: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** The list operations that both sides have and that are compared, in the order of the table. */
  readonly lists: readonly ListChanges[];
  /** The documents that both sides have and that differ. */
  readonly documents: readonly { readonly operation: string; readonly fields: readonly FieldChange[] }[];
  /** The changes of the declaration of operations that both sides have. */
  readonly declaration: readonly FieldChange[];
  /** As in api.yaml, with the defaults of absent settings. */
  readonly settings: readonly FieldChange[];
  /** Undefined if the files of the side before are not known. */
  readonly files: FileChanges | undefined;
  readonly limits: readonly LimitChange[];
  /** The hosts that have to load another configuration, with the files that differ. */
  readonly reloads: readonly Reload[];
  readonly cursors: Omit<CursorChanges, "warnings">;
  /** The warnings that are new, a sentence or two each. */
  readonly warnings: readonly string[];
}

export interface LimitChange extends Omit<BudgetLine, "used"> {
  /** Undefined if the earlier build did not have this limit, or is not known. */
  readonly before: number | undefined;
  readonly after: number;
}

/** `today` tells which sunsets have come. */
export function differenceOf(sides: Sides, today: string): Difference {
  const { before, after, hosts, earlier, notes } = sides;
  const [old, own] = [before.plan, after.plan];
  const [former, current] = [before.published.operations, after.published.operations];
  const [served, names] = [former.map(({ name }) => name), current.map(({ name }) => name)];
  const lists = listChanges(sides);
  const told = new Set(noticesIn(former).map(({ what }) => what));
  const lifetime = own.catalog.settings.cursorLifetime;
  const { warnings, ...cursors } =
    old === undefined ? { retired: 0, pages: 0, lifetime, warnings: [] } : cursorChanges(old, own, hosts);
  return {
    before: before.label,
    after: after.label,
    earlier,
    deployments: comparedDeployments(before, after),
    ...breakingChanges(before.published, after.published, own.catalog.api, lists, earlier.uncompared, today),
    deprecated: noticesIn(current).filter(({ what }) => !told.has(what)),
    operations: { added: without(names, served), removed: without(served, names) },
    lists,
    documents: documentChanges(former, current),
    declaration: declaredChanges(former, current),
    settings: fieldChanges(settingsOf(before), settingsOf(after)),
    files: old && fileChanges(old, own),
    limits: limitChanges(old?.budget ?? [], own.budget),
    reloads: old === undefined ? [] : changedConfiguration(old, own, hosts),
    cursors,
    warnings: [...notes, ...(old === undefined ? [] : without(own.warnings, old.warnings)), ...warnings],
  };
}

type Operations = readonly PublishedOperation[];

const noticesIn = (operations: Operations): readonly Deprecated[] =>
  deprecatedIn(
    operations.map(({ filters, deprecated_filters: notices, deprecated_fields: deprecatedFields, ...each }) => ({
      ...each,
      filters: Object.keys(filters).map((param) => ({ param, deprecated: notices[param] })),
      deprecatedFields,
    })),
  );

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((each) => !some.includes(each));

function comparedDeployments(before: Side, after: Side): readonly string[] {
  const names = [...new Set([before.deployment.name, after.deployment.name])];
  const isOnly = [before, after].every(({ deployments }) => deployments.size < 2);
  return isOnly && names.length === 1 ? [] : names;
}

function listChanges({ before, after, earlier }: Sides): readonly ListChanges[] {
  return after.plan.catalog.api.lists.flatMap((list) => {
    const { name, noun } = list;
    const [former, current] = [before, after].map(({ published }) =>
      published.operations.find((each) => each.name === name),
    );
    // Without a common key, no item is the same.
    const isComparable = former !== undefined && String(former.key) === String(current?.key);
    if (!isComparable || earlier.uncompared.includes(name)) return [];
    const [old, own] = [before.items.get(name), after.items.get(name)];
    const items = itemChanges(old, own, list);
    return [{ operation: name, noun, before: old?.count ?? 0, after: own?.count ?? 0, items }];
  });
}

function changedConfiguration(before: BuildPlan, after: BuildPlan, hosts: readonly HostAdapter[]): readonly Reload[] {
  const [olds, owns] = [before, after].map(
    ({ beside }) => new Map([...beside].map((file) => [file.file, bytesOf(file).toString()])),
  );
  return reloadsOf(hosts, (file) => olds?.get(file) !== owns?.get(file));
}

const documentChanges = (before: Operations, after: Operations): Difference["documents"] =>
  after.flatMap(({ name, content }) => {
    const old = before.find((each) => each.name === name)?.content;
    const fields = old === undefined || content === undefined ? [] : fieldChanges(old, content);
    return fields.length === 0 ? [] : [{ operation: name, fields }];
  });

function settingsOf({ settings }: Side) {
  const { defaultDeployment, pageSizes, paging, cursorLifetime, changes, frontPage, vocabulary, logo, ...texts } =
    settings;
  const sizes = [...pageSizes].map(
    ([name, own]) => [name, own.length === everyPageSize.length ? "every" : own] as const,
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
  const [unit, length] = Object.entries(units).find(([, each]) => seconds % each === 0) ?? ["s", 1];
  return seconds === 0 ? "0" : `${seconds / length}${unit}`;
}

/** The choice that all operations share, or the choice of each operation. */
function oneOrEach<Choice>(choices: readonly (readonly [operation: string, choice: Choice])[]) {
  const [[, first] = []] = choices;
  return choices.every(([, own]) => String(own) === String(first)) ? first : Object.fromEntries(choices);
}

/** In the order of the lines after the change. */
function limitChanges(before: readonly BudgetLine[], after: readonly BudgetLine[]): readonly LimitChange[] {
  const olds = new Map(before.map((line) => [nameOf(line), line.used]));
  return after.map(({ used, ...line }) => ({ ...line, before: olds.get(nameOf(line)), after: used }));
}

/** Leaves out the name of the largest folder or file, which may change. */
const nameOf = ({ host, what, plan }: Pick<BudgetLine, "host" | "what" | "plan">): string =>
  [host, what.replace(/ \(.*\)$/, ""), plan].join("\n");
