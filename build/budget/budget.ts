// Whether a build fits the hosts it is for, before anything is written: hosts refuse or silently drop what is too much.
import { type PageSizes, pageSizes } from "../../src/paging.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { HostAdapter, Limit } from "../hosts/host.ts";
import type { Listing } from "../pages/listing.ts";
import type { RoutingTable } from "../routing/table.ts";
import { type Cost, costOf } from "./cost.ts";

export interface BudgetLine {
  readonly host: string;
  /** `files`, `files in one folder (api/v1/nodes/cursor)` */
  readonly what: string;
  readonly used: number;
  readonly most: number;
  readonly plan: string | undefined;
  readonly source: string;
}

export interface Budget {
  readonly lines: readonly BudgetLine[];
  readonly faults: readonly Diagnostic[];
}

/** `others` is the number of files besides pages. */
export function budgetOf(
  adapters: readonly HostAdapter[],
  table: RoutingTable,
  listings: readonly Listing[],
  sizesOf: (operation: string) => PageSizes,
  others: number,
): Budget {
  const cost = costOf(listings, sizesOf, others);
  const lines = adapters.flatMap(({ name, limits = [], uses }) => [
    ...limits.map((limit): BudgetLine => ({ host: name, plan: limit.plan, ...use(limit, cost) })),
    ...(uses?.(table) ?? []).map((own): BudgetLine => ({ host: name, plan: undefined, ...own })),
  ]);
  const over = lines.filter(({ used, most, plan }) => used > most && plan === undefined);
  const advice = over.length === 0 ? undefined : fitting(adapters, listings, others);
  return { lines, faults: over.map((line) => faultOf(line, cost, advice)) };
}

function use({ what, most, source }: Limit, cost: Cost): Omit<BudgetLine, "host" | "plan"> {
  switch (what) {
    case "files":
      return { what, used: cost.files, most, source };
    case "files in one folder":
      return { what: `${what} (${cost.folder.name})`, used: cost.folder.amount, most, source };
    case "bytes in one file":
      return { what: `${what} (${cost.file.name})`, used: cost.file.amount, most, source };
  }
}

/** From many sizes to few; the last is as few as there can be. */
const thriftier: readonly PageSizes[] = [[1, 5, 10, 25, 50, 100], [10, 25, 50, 100], [25, 100], [100]].map(pageSizes);

/** The first of these page sizes with which everything fits. */
function fitting(adapters: readonly HostAdapter[], listings: readonly Listing[], others: number): string | undefined {
  const hard = adapters.flatMap(({ limits = [] }) => limits.filter(({ plan }) => plan === undefined));
  for (const sizes of thriftier) {
    const cost = costOf(listings, () => sizes, others);
    if (hard.every((limit) => use(limit, cost).used <= limit.most)) {
      return `With page_sizes: [${sizes.join(", ")}] it is ${grouped(cost.files)} files, which fits.`;
    }
  }
  return undefined;
}

/** Page sizes are chosen in api.yaml, whether or not the file is there yet. */
function faultOf(
  { host, what, used, most, source }: BudgetLine,
  { operation }: Cost,
  advice: string | undefined,
): Diagnostic {
  return {
    file: "api.yaml",
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    code: "over-budget",
    message: `${host} takes at most ${grouped(most)} ${what}, and this would be ${grouped(used)}; most costs ${operation.name}, with ${grouped(operation.amount)} files. See ${source}.`,
    hint: advice ?? "No page_sizes make it fit: keep less data in one deployment, or choose another host.",
  };
}

const grouped = (value: number): string => value.toLocaleString("en-US");
