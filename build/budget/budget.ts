// Checks before anything is written that the number of listings is sensible and that a build fits the limits of its
// hosts: hosts refuse the excess, or silently drop it.
import { combinationsOf } from "../../src/filter.ts";
import { type PageSizes, pageSizes } from "../../src/paging.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { type Checked, type Diagnostic, wholeBuild } from "../diagnostics.ts";
import type { HostAdapter, Limit } from "../hosts/host.ts";
import { type Cost, costOf } from "../pages/cost.ts";
import { cutListing, type Listing } from "../pages/listing.ts";
import { pagesSum } from "../pages/page.ts";
import type { ApiPlan } from "../pages/pages.ts";
import type { RoutingTable } from "../routing/table.ts";

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
  hosts.flatMap((host) => [...filesOf(host, cost), ...configurationOf(host, table)]);

const filesOf = ({ name, limits = [] }: HostAdapter, cost: Cost): readonly BudgetLine[] =>
  limits.map((limit) => ({ host: name, ...useOf(limit, cost), plan: limit.plan }));

function useOf({ what, most, source }: Limit, { files, folder, file, bytes }: Cost) {
  switch (what) {
    case "files":
      return { what, used: files, most, source };
    case "files in one folder":
      return { what: `${what} (${folder.name})`, used: folder.amount, most, source };
    case "bytes in one file":
      return { what: `${what} (${file.name})`, used: file.amount, most, source };
    case "bytes in all":
      return { what, used: bytes, most, source };
  }
}

/** Of the host's rules and scripts. */
const configurationOf = ({ name, uses }: HostAdapter, table: RoutingTable): readonly BudgetLine[] =>
  (uses?.(table) ?? []).map((use) => ({ host: name, ...use, plan: undefined }));

/** Whether the build exceeds the limit on every plan of the host. */
const isOver = ({ used, most, plan }: BudgetLine): boolean => used > most && plan === undefined;

export interface Spending extends Pick<ApiPlan, "listings" | "sizesOf" | "cutsOf" | "items"> {
  /** The number of files that are neither pages nor items. */
  readonly others: number;
  /** The size of those that grow with the data. It is computed if a host limits all bytes together. */
  readonly otherBytes: () => number;
  /** The table with these page sizes. */
  readonly tableOf: (sizesOf: ApiPlan["sizesOf"]) => RoutingTable;
}

interface Spent {
  readonly cost: Cost;
  /** The limits that the files exceed, and those that the configuration exceeds. */
  readonly files: readonly BudgetLine[];
  readonly rules: readonly BudgetLine[];
}

/** The cost of a build, and a fault for each limit that it exceeds and no plan of the host lifts. */
export function checkBudget(hosts: readonly HostAdapter[], spending: Spending): Checked<Cost> {
  const { listings, items, others, tableOf } = spending;
  const isWeighed = hosts.some(({ limits = [] }) => limits.some(({ what }) => what === "bytes in all"));
  const otherBytes = isWeighed ? spending.otherBytes() : 0;
  const spend = (sizesOf: ApiPlan["sizesOf"], cutsOf: ApiPlan["cutsOf"]): Spent => {
    const pages = listings.map((listing) => pagesSum(listing, cutsOf(listing)));
    const cost = costOf(pages, items, others, otherBytes);
    return {
      cost,
      files: hosts.flatMap((host) => filesOf(host, cost)).filter(isOver),
      rules: hosts.flatMap((host) => configurationOf(host, tableOf(sizesOf))).filter(isOver),
    };
  };
  const { cost, files, rules } = spend(spending.sizesOf, spending.cutsOf);
  if (files.length + rules.length === 0) return [cost, []];
  const less = [
    ...(files.length > 0 ? ["keep less data in one deployment"] : []),
    ...(files.length > 0 && cost.items.amount > 0 ? ["declare fewer collections with item"] : []),
    ...(rules.length > 0 ? ["declare fewer filters, let fewer of them be sent together"] : []),
  ];
  const hint = adviceOf(spend) ?? `No page_sizes make it fit: ${less.join(", ")}, or choose another host.`;
  const largest = ` ${largestOf(cost)}`;
  return [cost, [...files.map((use) => faultOf(use, largest, hint)), ...rules.map((use) => faultOf(use, "", hint))]];
}

/** From many sizes to the fewest possible. */
const thriftier: readonly PageSizes[] = [[1, 5, 10, 25, 50, 100], [10, 25, 50, 100], [25, 100], [100]].map(pageSizes);

/** Names the first of these page sizes with which everything fits. */
function adviceOf(spend: (sizesOf: ApiPlan["sizesOf"], cutsOf: ApiPlan["cutsOf"]) => Spent): string | undefined {
  for (const sizes of thriftier) {
    const cutsOf = (listing: Listing) => cutListing(listing, sizes);
    const { cost, files, rules } = spend(() => sizes, cutsOf);
    if (files.length + rules.length > 0) continue;
    return `With page_sizes: [${sizes.join(", ")}] it fits: ${grouped(cost.files)} files.`;
  }
  return undefined;
}

const faultOf = ({ host, what, used, most, source }: BudgetLine, note: string, hint: string): Diagnostic => ({
  ...wholeBuild,
  code: "over-budget",
  message: `${host} takes at most ${grouped(most)} ${what}, and this build has ${grouped(used)} (${source}).${note}`,
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
