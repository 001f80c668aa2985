// Whether a build fits the hosts it is for, before anything is written: hosts refuse what is too much, or silently
// drop it.
import { type Cuts, type PageSizes, pageSizes } from "../../src/paging.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { HostAdapter, Limit } from "../hosts/host.ts";
import { cutListing, type Listing } from "../pages/listing.ts";
import type { RetiredPage } from "../pages/retired.ts";
import type { RoutingTable } from "../routing/table.ts";
import { type Cost, costOf, type Output } from "./cost.ts";
import { fitting, type Retired } from "./room.ts";

/** What a build uses of one limit. */
export interface BudgetLine {
  readonly host: string;
  /** `files`, `files in one folder (api/v1/nodes/cursor)` */
  readonly what: string;
  readonly used: number;
  readonly most: number;
  /** Where the limit is that of one plan, and others have more. */
  readonly plan: string | undefined;
  /** The address of the documentation that gives the limit. */
  readonly source: string;
}

export interface Budget {
  readonly lines: readonly BudgetLine[];
  /** One for each limit that is exceeded whatever the plan. */
  readonly faults: readonly Diagnostic[];
  readonly retired: Retired;
  /** Of today's files, without retired pages. */
  readonly cost: Cost;
}

export interface Spending extends Output {
  readonly cutsOf: (listing: Listing) => Cuts | undefined;
  readonly sizesOf: (operation: string) => PageSizes;
  readonly tableOf: (sizesOf: (operation: string) => PageSizes) => RoutingTable;
  /** How many pages the largest build has whose pages there should be besides, today's included. */
  readonly mostPages: number;
  /** Those that there should be besides, as far as there is room. */
  readonly retired: Iterable<RetiredPage>;
}

export function budgetOf(hosts: readonly HostAdapter[], spending: Spending): Budget {
  const cost = costOf(spending, spending.cutsOf);
  const table = spending.tableOf(spending.sizesOf);
  const today = usesOf(hosts, cost, table);
  const over = today.filter(isOver);
  const hint = over.length === 0 ? "" : advice(hosts, spending);
  const faults = over.map((line) => faultOf(line, cost, hint));
  const retired = fitting(hosts, faults.length === 0 ? spending.retired : [], spending.mostPages, cost);
  const lines = retired.pages.length === 0 ? today : usesOf(hosts, retired.cost, table);
  return { lines, faults, retired, cost };
}

/** Whether no plan of the host takes it. */
const isOver = ({ used, most, plan }: BudgetLine): boolean => used > most && plan === undefined;

const usesOf = (hosts: readonly HostAdapter[], cost: Cost, table: RoutingTable): readonly BudgetLine[] =>
  hosts.flatMap(({ name: host, limits = [], uses }) => [
    ...limits.map((limit) => ({ host, plan: limit.plan, ...use(limit, cost) })),
    ...(uses?.(table) ?? []).map((own) => ({ host, plan: undefined, ...own })),
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

/** From many sizes to few; the last is as few as there can be. */
const thriftier: readonly PageSizes[] = [[1, 5, 10, 25, 50, 100], [10, 25, 50, 100], [25, 100], [100]].map(pageSizes);

/** The first of these page sizes with which everything fits. */
function advice(hosts: readonly HostAdapter[], spending: Spending): string {
  for (const sizes of thriftier) {
    const cost = costOf(spending, (listing) => cutListing(listing, sizes));
    const table = spending.tableOf(() => sizes);
    if (!usesOf(hosts, cost, table).some(isOver)) {
      return `With page_sizes: [${sizes.join(", ")}] it fits: ${grouped(cost.files)} files.`;
    }
  }
  return "No page_sizes make it fit: keep less data in one deployment, or choose another host.";
}

/** Page sizes are chosen in api.yaml, whether or not the file is there yet. */
const faultOf = ({ host, what, used, most, source }: BudgetLine, { listing }: Cost, hint: string): Diagnostic => ({
  file: "api.yaml",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  code: "over-budget",
  message:
    `${host} takes at most ${grouped(most)} ${what}, and this would be ${grouped(used)} (${source}). ` +
    `Most costs ${listing.name}, with ${grouped(listing.amount)} files.`,
  hint,
});

const grouped = (value: number): string => value.toLocaleString("en-US");
