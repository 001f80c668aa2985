// Checks before anything is written that the number of listings is sensible and that a build fits the limits of its
// hosts: hosts refuse the excess, or silently drop it.
import { combinationsOf } from "../../src/model/filter.ts";
import { type PageSizes, pageSizes } from "../../src/model/paging.ts";
import type { Place } from "../../src/model/place.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { type OutputFile, totalLength } from "../files/file.ts";
import { fileMeasures, type HostAdapter, type Limit } from "../hosts/host.ts";
import { inDeclaration, type Log, wholeBuild } from "../messages.ts";
import { type Cost, costOf } from "../pages/cost.ts";
import { pagesSum } from "../pages/listing.ts";
import type { PlannedApi } from "../plan/api.ts";
import type { BuildUsage, Tables } from "../routing/table.ts";
import { integer } from "../text/words.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";

/** A build's use of one limit. `--format json` has these fields. */
export interface BudgetLine {
  readonly host: string;
  /** `files`, `files in one folder (api/v1/nodes/cursor)`, `rules`. */
  readonly what: string;
  readonly used: number;
  readonly most: number;
  /** The URL of the limit's documentation. */
  readonly source: string;
  /** The plan that has the limit, if other plans of the host allow more. */
  readonly plan: string | undefined;
  /** The use of each API, by its base, if the build has several and the limit counts them together. */
  readonly apis?: Readonly<Record<string, number>>;
}

/** The build's use of each limit of the hosts. */
export function budgetOf(hosts: readonly HostAdapter[], cost: Cost, apis: NonEmpty<Spending>): readonly BudgetLine[] {
  const uses = usesOf(hosts, cost, tablesOf(apis));
  if (apis.length === 1) return uses.map(({ line }) => line);
  const isWeighed = weighs(hosts);
  const costs = apis.map((api) => ({ api, cost: costOfApis([api], isWeighed) }));
  return uses.map(({ limit, line }) => {
    const usedBy = ({ api, cost }: (typeof costs)[number]) => limit.used({ ...cost, tables: [api.table] });
    // The largest folder or file is of one API.
    if (costs.some((one) => usedBy(one).name !== undefined)) return line;
    return { ...line, apis: Object.fromEntries(costs.map((one) => [one.api.table.base, usedBy(one).amount])) };
  });
}

/** The name of a line without that of the largest folder or file, which may be another one in another build. */
export const limitName = ({ what }: Pick<BudgetLine, "what">): string => what.replace(/ \(.*\)$/, "");

/** The size of the current files, without retired pages. `otherFiles` are those of the hosts. */
export function usageOf(
  hosts: readonly HostAdapter[],
  cost: Cost,
  apis: NonEmpty<Spending>,
  otherFiles: readonly OutputFile[],
): BuildUsage {
  const documents = weighs(hosts) ? [] : apis.flatMap((api) => api.documents);
  return {
    files: cost.files,
    bytes: cost.bytes + totalLength([...documents, ...otherFiles]),
    limits: budgetOf(hosts, cost, apis).map((line) => {
      const { host, plan, used } = line;
      return { host, what: limitName(line), ...(plan !== undefined && { plan }), used };
    }),
  };
}

interface LimitUse {
  readonly limit: Limit;
  readonly line: BudgetLine;
}

const usesOf = (hosts: readonly HostAdapter[], cost: Cost, tables: Tables): readonly LimitUse[] =>
  hosts.flatMap(({ name: host, limits = [] }) =>
    limits.map((limit) => {
      const { amount, name } = limit.used({ ...cost, tables });
      const line: BudgetLine = {
        host,
        what: name === undefined ? limit.what : `${limit.what} (${name})`,
        used: amount,
        most: limit.max,
        source: limit.source,
        plan: limit.plan,
      };
      return { limit, line };
    }),
  );

/** Warns of the limits that a plan of a host has and others do not: any other excess is an error. */
export function warnOfPlans(budget: readonly BudgetLine[], { placeOf }: Catalog["settings"], log: Log): void {
  for (const { host, what, plan, used, most, source } of budget) {
    if (used <= most) continue;
    const text = `${host}, ${plan}: at most ${integer(most)} ${what} (${source}), and this build has more. Other plans accept it.`;
    log.report({ code: "over-plan", at: placeOf("hosts") ?? placeOf() ?? wholeBuild, text });
  }
}

/** Whether the build exceeds the limit on every plan of the host. */
const isOver = ({ line: { used, most, plan } }: LimitUse): boolean => used > most && plan === undefined;

const isOfFiles = ({ limit }: LimitUse): boolean => fileMeasures.some((measure) => measure === limit.what);

/** What an API has to publish. */
type Spending = Pick<
  PlannedApi,
  "catalog" | "listings" | "items" | "others" | "documents" | "outputs" | "assets" | "table" | "tableWith"
>;

const tablesOf = (apis: NonEmpty<Spending>): Tables => mapNonEmpty(apis, ({ table }) => table);

/** Whether a host limits all bytes together. */
const weighs = (hosts: readonly HostAdapter[]): boolean =>
  hosts.some(({ limits = [] }) => limits.some(({ what }) => what === "bytes in all"));

/** `others` is the number of files that are of no API. `isWeighed`: see `weighs`. */
function costOfApis(apis: readonly Spending[], isWeighed: boolean, others = 0): Cost {
  const pages = apis.flatMap(({ listings, table }) => listings.map((listing) => pagesSum(listing, table.base)));
  const items = apis.flatMap((api) => api.items);
  const outputs = apis.flatMap((api) => [...api.outputs, ...api.assets]);
  const documents = apis.flatMap((api) => api.documents);
  const errors = apis.flatMap((api) => api.others);
  return costOf(
    { pages, items, outputs },
    documents.length + errors.length + others,
    isWeighed ? totalLength(documents) : 0,
  );
}

/** The same with these page sizes. */
const withPageSizes = (api: Spending, sizes: PageSizes): Spending => ({
  ...api,
  listings: api.listings.map((listing) => listing.with({ sizes })),
  table: api.tableWith(sizes),
});

/**
 * Returns the cost of a build, and reports each limit that it exceeds and no plan of the host lifts. `others` is the number of
 * files that are of no API. `log` takes messages about the declaration, `contentLog` messages about the content.
 */
export function checkBudget(
  hosts: readonly HostAdapter[],
  apis: NonEmpty<Spending>,
  others: number,
  log: Log,
  contentLog: Log,
): Cost {
  const isWeighed = weighs(hosts);
  const { placeOf } = apis[0].catalog.settings;
  const spend = (all: NonEmpty<Spending>) => {
    const cost = costOfApis(all, isWeighed, others);
    return { cost, excess: usesOf(hosts, cost, tablesOf(all)).filter(isOver) };
  };
  const { cost, excess } = spend(apis);
  if (excess.length === 0) return cost;
  let fit: string | undefined;
  let sizesPlace: Place | undefined;
  for (const sizes of thriftier) {
    const thrifty = spend(mapNonEmpty(apis, (api) => withPageSizes(api, sizes)));
    if (thrifty.excess.length > 0) continue;
    fit = `With page_sizes: [${sizes.join(", ")}] in api.yaml it fits: ${integer(thrifty.cost.files)} files.`;
    sizesPlace = placeOf("page_sizes");
    break;
  }
  const settings = sizesPlace ?? placeOf("hosts") ?? placeOf() ?? wholeBuild;
  const declared = sizesPlace === undefined ? declaredPlace(apis, cost) : undefined;
  for (const use of excess) {
    const note = isOfFiles(use) ? ` ${largestOf(cost)}` : sharesOf(use, apis, cost);
    const remedies = [remedyOf(use), ...(apis.length > 1 ? [apart] : []), "choose another host"];
    const words = excessOf(use.line, note, fit ?? `No page_sizes make it fit: ${remedies.join(", or ")}.`);
    if (isOfFiles(use) && declared !== undefined) log.report({ code: "over-budget", at: declared, ...words });
    else contentLog.report({ code: "over-budget", at: settings, ...words });
  }
  return cost;
}

/** From many sizes to the fewest possible. */
const thriftier: readonly PageSizes[] = [[1, 5, 10, 25, 50, 100], [10, 25, 50, 100], [25, 100], [100]].map(pageSizes);

const excessOf = ({ host, what, used, most, source }: BudgetLine, note: string, hint: string) => ({
  text: `${host} accepts at most ${integer(most)} ${what}, and this build has ${integer(used)} (${source}).${note}`,
  hint,
});

/** A clause. The configuration of a host does not grow with the data. */
const remedyOf = (use: LimitUse): string =>
  isOfFiles(use)
    ? "publish less data, fewer filters or fewer single items"
    : "publish fewer collections or fewer filters";

/** A clause. */
const apart =
  "publish one of the APIs at an address of its own: a deployment leaves out an API of which it names no operation";

/** How much of a host's configuration the rules of each of several APIs are, in a sentence after a space. */
function sharesOf({ limit }: LimitUse, apis: NonEmpty<Spending>, cost: Cost): string {
  if (apis.length === 1) return "";
  const shares = apis.map(
    ({ table }) => `${table.base} alone has ${integer(limit.used({ ...cost, tables: [table] }).amount)}`,
  );
  return ` ${shares.join(", ")}.`;
}

/** The place of the option that makes the most files, or of the collection that has them, in the declaration. */
function declaredPlace(apis: readonly Spending[], { listing, items, output }: Cost): Place | undefined {
  if (output.amount > Math.max(listing.amount, items.amount)) {
    const outputs = apis.flatMap((api) => api.outputs);
    return outputs.find(({ of }) => of === output.name)?.output.place();
  }
  const largest = items.amount > listing.amount ? items : listing;
  const [target, query] = largest.name.split("?");
  const found = apis
    .flatMap(({ table, listings }) => listings.filter(({ operation }) => target === `${table.base}/${operation.name}`))
    .at(0);
  const ofListing = query === undefined ? "paged" : "filters";
  return found?.operation.placeOf(largest === items ? "item" : ofListing);
}

function largestOf({ listing, items, output }: Cost): string {
  if (output.amount > Math.max(listing.amount, items.amount))
    return `The output ${output.name} has ${integer(output.amount)} files.`;
  return items.amount > listing.amount
    ? `The single items of ${items.name} are ${integer(items.amount)} files.`
    : `The largest listing is ${listing.name}, with ${integer(listing.amount)} files.`;
}

/** More listings than this are more likely a slip than wanted: each has at least one file. */
const maxCombinations = 5_000;

/**
 * Reports if the filters of a deployment that go together have too many combinations of values. Each combination is a
 * listing, with or without items.
 */
export function checkCombinations(catalog: Catalog, { operations }: Deployment, log: Log): void {
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
  if (largest === undefined || total <= maxCombinations) return;
  log.report({
    code: "over-budget",
    at: largest.operation.placeOf("together") ?? inDeclaration,
    text: `The combined filters have ${integer(total)} combinations of values, but a build can have at most ${integer(maxCombinations)}. Most of them, ${integer(largest.count)}, are those of ${largest.name}.`,
    hint: "Remove this combination from together.",
  });
}
