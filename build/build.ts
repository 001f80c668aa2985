// The whole program, in the order in which it happens.
import type { Api } from "../src/model/api.ts";
import type { PageSizes } from "../src/model/paging.ts";
import { type BudgetLine, budgetOf, checkBudget, checkCombinations, warnOfPlans } from "./budget/budget.ts";
import { checkMount } from "./budget/mount.ts";
import { checkPolicies } from "./budget/policies.ts";
import { type Catalog, type Deployment, pageSizesOf } from "./content/catalog.ts";
import { type Content, readContent } from "./content/content.ts";
import { chooseDeployment } from "./content/settings/deployments.ts";
import { warnOfSunsets } from "./declaration/deprecations.ts";
import { documentsOf } from "./documents/documents.ts";
import { warnOfUndescribed } from "./documents/fields.ts";
import { siteOf } from "./documents/site.ts";
import type { Document } from "./files/document.ts";
import type { OutputFile } from "./files/file.ts";
import { type HistoryOptions, loadHistory } from "./history/load.ts";
import { fitting, type RetiredPage, retire, retiredFile } from "./history/retired.ts";
import { configure, ownedBeside, ownedInRoot } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { adapters, largestFile } from "./hosts/hosts.ts";
import { usualHost } from "./hosts/names.ts";
import { type Log, wholeBuild } from "./messages.ts";
import type { OnChange } from "./output/folder.ts";
import { refuseOverlap } from "./output/location.ts";
import { openOutput } from "./output/output.ts";
import { assetFilesOf } from "./pages/assets.ts";
import type { Cost } from "./pages/cost.ts";
import { checkAddresses, routesOf } from "./pages/outputs.ts";
import { type ApiPlan, planApi } from "./pages/pages.ts";
import { apiFolder, missingPage } from "./routing/paths.ts";
import { makeTable, markerOf, parseRoutingTable, type RoutingTable, tableFile } from "./routing/table.ts";

export interface PlanOptions {
  /** The folder with the data, relative to the folder of the declaration, as all files are in the log. */
  readonly content: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  /** The hosts to publish to. Undefined: those of api.yaml, else the usual one. */
  readonly hosts: readonly HostAdapter[] | undefined;
  /** In UTC, such as 2026-11-26. */
  readonly today: string;
  /** The earlier builds whose cursors stay valid, and the time. Undefined: none, for a plan that is not published. */
  readonly history?: HistoryOptions | undefined;
}

export interface BuildOptions extends PlanOptions {
  readonly api: Api;
  /** The folder to publish. */
  readonly out: string;
  /** Whether the build may remove an API with another base from the folder. */
  readonly replaces?: boolean | undefined;
}

export interface BuildEvents {
  /** Called when another build holds the lock of the output folder and this one waits. */
  readonly onWait: () => void;
  /** Called when the content is read, whether it has errors or not. */
  readonly onRead: (content: Content) => Promise<void>;
  /** Called when the content is valid and fits the hosts, before any file is written. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: OnChange;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly hosts: readonly HostAdapter[];
  readonly api: ApiPlan;
  readonly documents: readonly Document[];
  /** Pages of earlier builds that readers reach only with an old cursor. */
  readonly retired: readonly RetiredPage[];
  readonly table: RoutingTable;
  /** How much of the hosts' limits the build uses. */
  readonly budget: readonly BudgetLine[];
  /** The cost of the current files, without retired pages. */
  readonly cost: Cost;
  /** The number of files in the publish root. */
  readonly count: number;
  /** The routing table as a file. */
  readonly marker: () => OutputFile;
  /** All other files of the publish root, generated one at a time. */
  readonly files: () => Iterable<OutputFile>;
  /** One of the files. */
  readonly find: (file: string) => OutputFile | undefined;
  /** Files that hosts read and must not serve. */
  readonly beside: readonly OutputFile[];
  readonly besideMarker: () => OutputFile;
}

export interface Built {
  readonly plan: BuildPlan;
  /** The files beside the publish root that an earlier build had written with other bytes. */
  readonly replacedBeside: ReadonlySet<string>;
}

/**
 * Writes nothing and returns undefined if an error is reported. Throws MachineError, or the system's error, if the machine
 * is at fault. The out folder is locked from the start, because planning reads the state that the last build left there.
 */
export async function build(options: BuildOptions, log: Log, events: BuildEvents): Promise<Built | undefined> {
  const { api, content: folder, out, replaces = false } = options;
  refuseOverlap(folder, out);
  const output = await openOutput(out, {
    base: api.base,
    baseOf: (text) => parseRoutingTable(text)?.base,
    replaces,
    marker: tableFile,
    ownedBy: ownedInRoot,
    ownedBeside,
    onWait: events.onWait,
  });
  try {
    const content = await readContent(folder, api, log);
    await events.onRead(content);
    const plan = await planContent(content, options, log);
    if (plan === undefined) return undefined;
    events.onPlan(plan);
    const root = { marker: plan.marker(), files: plan.files() };
    const beside = { marker: plan.besideMarker(), files: plan.beside };
    return { plan, replacedBeside: await output.write(root, beside, events.onChange) };
  } finally {
    output.close();
  }
}

/** Plans a build of content that was read, without writing it. Undefined if an error is reported. */
export async function planContent(content: Content, options: PlanOptions, log: Log): Promise<BuildPlan | undefined> {
  if (log.hasErrors()) return undefined;
  const deployment = chooseDeployment(content, options.deployment);
  checkCombinations(content, deployment, log);
  if (log.hasErrors()) return undefined;
  const hosts = options.hosts ?? adapters(content.settings.hosts ?? [usualHost]);
  checkMount(content.settings, hosts, log.below(options.content));
  if (log.hasErrors()) return undefined;
  checkPolicies(content, deployment, hosts, log.below(options.content));
  if (log.hasErrors()) return undefined;
  return planCatalog(content, deployment, { ...options, hosts }, log);
}

/** Plans a build of the valid content for a deployment. Undefined if an error is reported. */
export async function planCatalog(
  catalog: Catalog,
  deployment: Deployment,
  options: Pick<PlanOptions, "content" | "today" | "history"> & { readonly hosts: readonly HostAdapter[] },
  log: Log,
): Promise<BuildPlan | undefined> {
  const { hosts } = options;
  const { settings } = catalog;
  const contentLog = log.below(options.content);
  const maxBytes = largestFile(hosts);
  const api = planApi(catalog, deployment);
  const history = await loadHistory(options.history, catalog, deployment, api.pages, maxBytes, contentLog);
  if (history === undefined) return undefined;
  const basis = {
    catalog,
    deployment,
    listings: api.listings,
    changes: history.changes,
    maxBytes,
    addresses: hosts.length > 0 && hosts.every(({ servesOnlyFiles }) => servesOnlyFiles) ? "files" : "queries",
  } as const;
  const site = siteOf(basis, log);
  if (site === undefined) return undefined;
  const documents = [...documentsOf(site), ...history.documents];
  const { outputs } = site;
  const assets = assetFilesOf(catalog, deployment);
  const made = [...outputs, ...assets];
  const routes = routesOf(outputs);
  const tableOutputs = [...routes.outputs, ...assets.map(({ route }) => route)];
  const { addresses } = basis;
  const { mount } = settings;
  const tableOf = (sizesOf: (operation: string) => PageSizes): RoutingTable => ({
    ...makeTable(catalog.api, deployment.operations, sizesOf, [...documents, ...routes.documents], tableOutputs),
    ...(addresses === "files" && { addresses, ...(mount !== "" && { mount }) }),
  });
  const table = tableOf((operation) => pageSizesOf(settings, operation));
  const { files: ofHosts, beside } = configure(hosts, [table]);

  function* otherNames() {
    yield tableFile;
    for (const { path } of table.operations) yield `${path.slice(1)}.json`;
    for (const { file } of [...documents, ...api.others, ...ofHosts]) yield file;
    for (const { all } of assets) for (const { file } of all()) yield file;
  }
  checkAddresses(outputs, otherNames(), log);
  if (log.hasErrors()) return undefined;

  // One of the files is the marker.
  const others = api.others.length + documents.length + ofHosts.length + 1;
  const otherBytes = () => documents.reduce((sum, document) => sum + document.length, 0);
  const { base } = catalog.api;
  const tableWith = (sizes: PageSizes) => tableOf(() => sizes);
  const { placeOf } = settings;
  const spending = { ...api, base, outputs: made, others, otherBytes, table, tableWith, placeOf };
  const cost = checkBudget(hosts, spending, log, contentLog);
  if (log.hasErrors()) return undefined;
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const retired = fitting(limits, retire(api.listings, history), history.maxPages, cost);
  for (const text of retired.warnings) contentLog.report({ code: "cursors-left-out", at: wholeBuild, text });
  warnOfSunsets(catalog.api, options.today, log);
  warnOfUndescribed(catalog.api, log);
  const budget = budgetOf(hosts, retired.cost, table);
  warnOfPlans(budget, settings, contentLog);

  const folder = `${apiFolder(base)}/`;
  const isOutside = (file: string) => !file.startsWith(folder);
  const outside = [...documents, ...ofHosts].map(({ file }) => file).filter(isOutside);
  for (const { output, all } of outputs)
    if (isOutside(output.path.slice(1))) for (const { file } of all()) outside.push(file);
  const foldersBeside = new Set(beside.map(({ file }) => file.slice(0, file.indexOf("/") + 1)));
  return {
    catalog,
    deployment,
    hosts,
    api,
    documents,
    table,
    cost,
    beside,
    retired: retired.pages,
    budget,
    count: retired.cost.files,
    marker: () => markerOf(table, [folder, missingPage, ...outside], history.state()),
    besideMarker: () => markerOf(table, [...foldersBeside], history.state()),
    *files() {
      yield* api.files();
      yield* documents;
      for (const { all } of made) yield* all();
      for (const page of retired.pages) yield retiredFile(page);
      yield* ofHosts;
    },
    find(file) {
      const isNamed = (output: OutputFile) => output.file === file;
      const found = documents.find(isNamed) ?? api.find(file);
      const current = found ?? made.map((files) => files.find(file)).find((one) => one !== undefined);
      return current ?? [...retired.pages.map(retiredFile), ...ofHosts].find(isNamed);
    },
  };
}
