// Checks before anything is written that the number of listings is sensible and that a build fits the limits of its
// hosts: hosts refuse the excess, or silently drop it.
import { combinationsOf } from "../../src/filter.ts";
import { type PageSizes, pageSizes } from "../../src/paging.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { type Diagnostic, wholeBuild } from "../diagnostics.ts";
import type { HostAdapter, Limit } from "../hosts/host.ts";
import { cutListing } from "../pages/listing.ts";
import { pagesSum } from "../pages/page.ts";
import type { ApiPlan } from "../pages/pages.ts";
import type { RoutingTable } from "../routing/table.ts";
import { type Cost, costOf } from "./cost.ts";

/** A build's use of one limit. */
export interface BudgetLine {
  readonly host: string;
  /** `files`, `files in one folder (api/v1/nodes/cursor)` */
  readonly what: string;
  readonly used: number;
  readonly most: number;
  /** The plan that has the limit, if other plans of the host allow more. */
  readonly plan: string | undefined;
  /** The address of the documentation that states the limit. */
  readonly source: string;
}

/** The build's use of each limit of the hosts. */
export const budgetOf = (hosts: readonly HostAdapter[], cost: Cost, table: RoutingTable): readonly BudgetLine[] =>
  usesOf(hosts, cost, table).map(({ by: _, ...line }) => line);

export interface Spending extends Pick<ApiPlan, "listings" | "items"> {
  readonly cost: Cost;
  /** The number of files that are neither pages nor items, and the size of those that grow with the data. */
  readonly others: number;
  readonly otherBytes: number;
  readonly table: RoutingTable;
  /** The table with other page sizes. */
  readonly tableOf: (sizesOf: ApiPlan["sizesOf"]) => RoutingTable;
}

/** A fault for each limit that the build exceeds and no plan of the host lifts. */
export function overBudget(hosts: readonly HostAdapter[], spending: Spending): readonly Diagnostic[] {
  const over = usesOf(hosts, spending.cost, spending.table).filter(isOver);
  const hint = over.length === 0 ? "" : advice(hosts, spending, over);
  return over.map((use) => faultOf(use, spending.cost, hint));
}

interface Use extends BudgetLine {
  /** Whether the files use the limit, or the host's configuration: rules and scripts. */
  readonly by: "files" | "configuration";
}

/** Whether the build exceeds the limit on every plan of the host. */
const isOver = ({ used, most, plan }: BudgetLine): boolean => used > most && plan === undefined;

const usesOf = (hosts: readonly HostAdapter[], cost: Cost, table: RoutingTable): readonly Use[] =>
  hosts.flatMap(({ name: host, limits = [], uses }) => [
    ...limits.map((limit) => ({ by: "files" as const, host, plan: limit.plan, ...use(limit, cost) })),
    ...(uses?.(table) ?? []).map((used) => ({ by: "configuration" as const, host, plan: undefined, ...used })),
  ]);

function use({ what, most, source }: Limit, cost: Cost): Omit<BudgetLine, "host" | "plan"> {
  switch (what) {
    case "files":
      return { what, used: cost.files, most, source };
    case "files in one folder":
      return { what: `${what} (${cost.folder.name})`, used: cost.folder.amount, most, source };
    case "bytes in one file":
      return { what: `${what} (${cost.file.name})`, used: cost.file.amount, most, source };
    case "bytes in all":
      return { what, used: cost.bytes, most, source };
  }
}

/** From many sizes to the fewest possible. */
const thriftier: readonly PageSizes[] = [[1, 5, 10, 25, 50, 100], [10, 25, 50, 100], [25, 100], [100]].map(pageSizes);

/** Names the first of these page sizes with which everything fits. */
function advice(
  hosts: readonly HostAdapter[],
  { cost: today, listings, tableOf, ...rest }: Spending,
  over: readonly Use[],
) {
  for (const sizes of thriftier) {
    const cost = costOf({ ...rest, pages: listings.map((listing) => pagesSum(listing, cutListing(listing, sizes))) });
    const table = tableOf(() => sizes);
    if (!usesOf(hosts, cost, table).some(isOver)) {
      return `With page_sizes: [${sizes.join(", ")}] it fits: ${grouped(cost.files)} files.`;
    }
  }
  const excess = new Set(over.map(({ by }) => by));
  const less = [
    ...(excess.has("files") ? ["keep less data in one deployment"] : []),
    ...(excess.has("files") && today.items.amount > 0 ? ["declare fewer collections with item"] : []),
    ...(excess.has("configuration") ? ["declare fewer filters, let fewer of them be sent together"] : []),
  ];
  return `No page_sizes make it fit: ${less.join(", ")}, or choose another host.`;
}

const faultOf = ({ by, host, what, used, most, source }: Use, cost: Cost, hint: string): Diagnostic => ({
  ...wholeBuild,
  code: "over-budget",
  message:
    `${host} takes at most ${grouped(most)} ${what}, and this build has ${grouped(used)} (${source}).` +
    (by === "configuration" ? "" : ` ${largestOf(cost)}`),
  hint,
});

const largestOf = ({ listing, items }: Cost): string =>
  items.amount > listing.amount
    ? `The single items of ${items.name} are ${grouped(items.amount)} files.`
    : `The largest listing is ${listing.name}, with ${grouped(listing.amount)} files.`;

const grouped = (value: number): string => value.toLocaleString("en-US");

/** More listings than this are more likely a slip than wanted: each has at least one file. */
const mostCombinations = 5_000;

/**
 * A fault if the filters of a deployment that go together have too many combinations of values. Each combination is a
 * listing, with or without items.
 */
export function checkCombinations(catalog: Catalog, { operations }: Deployment): readonly Diagnostic[] {
  const sets = catalog.api.lists
    .filter(({ name }) => operations.includes(name))
    .flatMap((operation) =>
      combinationsOf(operation)
        .filter(({ length }) => length > 1)
        .map((filters) => ({
          operation,
          name: `${filters.map(({ param }) => param).join(" and ")} of ${operation.name}`,
          count: filters.reduce((count, filter) => count * filterValues(catalog, operation, filter).length, 1),
        })),
    );
  const total = sets.reduce((sum, { count }) => sum + count, 0);
  const [largest] = sets.toSorted((one, other) => other.count - one.count);
  if (largest === undefined || total <= mostCombinations) return [];
  return [
    {
      ...(largest.operation.placeOf?.("together") ?? wholeBuild),
      code: "over-budget",
      message: `The filters that go together have ${grouped(total)} combinations of values, and a build has at most ${grouped(mostCombinations)}. Most of them, ${grouped(largest.count)}, are those of ${largest.name}.`,
      hint: "Remove this combination from together.",
    },
  ];
}
