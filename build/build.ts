// The whole program, in order of execution.
import path from "node:path";
import type { PageSizes } from "../src/paging.ts";
import { budgetOf, checkCombinations, overBudget } from "./budget/budget.ts";
import { costOf } from "./budget/cost.ts";
import { type BuildEvents, type BuildOptions, type BuildPlan, type Built, planOf, spendingOf } from "./build-plan.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import { inRoot, readCatalog } from "./content/content.ts";
import { chooseDeployment } from "./content/deployments.ts";
import type { Reported } from "./diagnostics.ts";
import { documentsOf, withoutForeign } from "./documents/documents.ts";
import { sourceOf } from "./documents/source.ts";
import { loadHistory } from "./history/load.ts";
import { fitting, retire } from "./history/retired.ts";
import { besidePublishRoot, configure, inPublishRoot } from "./hosts/configuration.ts";
import { largestFile } from "./hosts/hosts.ts";
import { refuseOverlap } from "./output/overlap.ts";
import { openPublication, type Publication } from "./output/publication.ts";
import { pagesSum } from "./pages/page.ts";
import { planApi } from "./pages/pages.ts";
import { makeTable } from "./routing/table.ts";

/**
 * Writes nothing if there are diagnostics. `earlier` is this process's last build into the same folder. Throws
 * MachineError, or the system's error, if the machine is at fault.
 */
export async function build(
  options: BuildOptions,
  events: BuildEvents,
  earlier?: Built,
): Promise<Reported<Built | undefined>> {
  const output = await openOutput(options, events, earlier);
  try {
    const [plan, diagnostics, omitted] = await planBuild(options, output);
    if (plan === undefined) return [undefined, diagnostics, omitted];
    events.onPlan(plan);
    const result = await output.write(plan, events.onChange);
    return [{ ...result, plan }, [], []];
  } finally {
    output.close();
  }
}

/** Locks the output folder, because planning reads the files in it. The caller must close it. */
function openOutput(
  { api, content, out, hosts, cache, clean, again }: BuildOptions,
  { onWait }: Pick<BuildEvents, "onWait">,
  earlier: Built | undefined,
) {
  refuseOverlap(content, out);
  const needsBeside = hosts.some(({ beside }) => beside !== undefined);
  const indexes = cache && path.join(cache, "indexes");
  const ownership = { ownership: inPublishRoot(api), beside: besidePublishRoot(api) };
  return openPublication(out, { ...ownership, needsBeside, cache: indexes, clean, again, left: earlier?.left, onWait });
}

/**
 * Plans a build without writing it. If there is no plan, there is a diagnostic. `output` is the folder to publish, if
 * one is open.
 */
export async function planBuild(
  asked: Omit<BuildOptions, "out">,
  output?: Pick<Publication, "foreignAmong">,
): Promise<Reported<BuildPlan | undefined>> {
  const { content } = asked;
  const [{ api, items, deployments, settings }, diagnostics, omitted] = await readCatalog(content, asked.api, asked);
  if (diagnostics.length > 0) return [undefined, diagnostics, omitted];
  // Without the files, whose bytes the rest of the content keeps in memory.
  const catalog: Catalog = { api, items, deployments, settings };
  const deployment = chooseDeployment(catalog, asked.deployment);
  const excess = checkCombinations(catalog, deployment);
  if (excess.length > 0) return [undefined, excess, []];
  return planCatalog(catalog, deployment, { ...asked, root: content }, output);
}

/** Like `planBuild`, for content that has been read already. Faults name files by their paths in `root`. */
export async function planCatalog(
  catalog: Catalog,
  deployment: Deployment,
  asked: Pick<BuildOptions, "hosts" | "history"> & { readonly root: string },
  output?: Pick<Publication, "foreignAmong">,
): Promise<Reported<BuildPlan | undefined>> {
  const { hosts } = asked;
  const mostBytes = largestFile(hosts);
  const api = planApi(catalog, deployment);
  const [history, lost] = await loadHistory(asked.history, catalog, deployment, api.pages, mostBytes);
  if (lost.length > 0) return [undefined, lost, []];
  const wanted = documentsOf(sourceOf(catalog, deployment, api), history, mostBytes);
  if (wanted.faults.length > 0) return [undefined, wanted.faults.map(inRoot(asked.root)), []];
  const foreign = output?.foreignAmong(wanted.made) ?? new Set();
  const documents = withoutForeign(wanted, foreign);
  const tableOf = (sizes?: PageSizes) =>
    makeTable(catalog.api, deployment.operations, sizes === undefined ? api.sizesOf : () => sizes, documents.made);
  const table = tableOf();
  const configuration = configure(hosts, table);
  const spending = spendingOf(api, documents, configuration);
  const cost = costOf({ ...spending, pages: api.listings.map((listing) => pagesSum(listing, api.cutsOf(listing))) });
  const over = overBudget(hosts, { ...spending, cost, tableOf });
  if (over.length > 0) return [undefined, over, []];
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const retired = fitting(limits, retire(api.listings, api.cutsOf, history), history.mostPages, cost);
  const budget = { lines: budgetOf(hosts, retired.cost, table), cost, retired };
  const parts = { catalog, deployment, history, api, documents, foreign, table, configuration, budget };
  return [planOf(parts), [], []];
}
