// The whole program, in the order in which it happens.
import type { Apis } from "../src/model/api.ts";
import type { PageSizes } from "../src/model/paging.ts";
import {
  type BudgetLine,
  budgetOf,
  checkBudget,
  checkCombinations,
  type Spending,
  usageOf,
  warnOfPlans,
} from "./budget/budget.ts";
import { checkConflicts } from "./budget/conflicts.ts";
import { checkMount } from "./budget/mount.ts";
import { checkPolicies } from "./budget/policies.ts";
import { type Catalog, type Deployment, pageSizesOf } from "./content/catalog.ts";
import { type Contents, readContents } from "./content/content.ts";
import { chooseDeployment } from "./content/settings/deployments.ts";
import { warnOfSunsets } from "./declaration/deprecations.ts";
import { documentsOf } from "./documents/documents.ts";
import { warnOfUndescribed } from "./documents/fields.ts";
import { otherApi } from "./documents/overview.ts";
import { siteOf } from "./documents/site.ts";
import type { Document } from "./files/document.ts";
import type { OutputFile } from "./files/file.ts";
import { MachineError } from "./files/machine-error.ts";
import type { History } from "./history/history.ts";
import { type FoundByBase, findAllPrevious, type HistoryOptions, loadHistory } from "./history/load.ts";
import { fitting, type RetiredPage, retire, retiredFile } from "./history/retired.ts";
import { configure } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { adapters, largestFile } from "./hosts/hosts.ts";
import { usualHost } from "./hosts/names.ts";
import { type Log, noFile, wholeBuild } from "./messages.ts";
import type { OnChange } from "./output/folder.ts";
import { refuseOverlap } from "./output/location.ts";
import { openOutput } from "./output/output.ts";
import { type AssetFiles, assetFilesOf } from "./pages/assets.ts";
import type { Cost } from "./pages/cost.ts";
import { missingError } from "./pages/missing.ts";
import { checkAddresses, type OutputFiles, routesOf } from "./pages/outputs.ts";
import { type ApiPlan, planApi } from "./pages/pages.ts";
import { apiFolder, missingPage } from "./routing/paths.ts";
import {
  type BuildUsage,
  basesIn,
  makeTable,
  markerOf,
  ownedBy,
  type RoutingTable,
  tableFile,
} from "./routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "./values/non-empty.ts";
import { once } from "./values/once.ts";

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
  readonly apis: Apis;
  /** The folder to publish. */
  readonly out: string;
  /** Whether the build may remove an API with another base from the folder. */
  readonly replaces?: boolean | undefined;
}

export interface BuildEvents {
  /** Called when another build holds the lock of the output folder and this one waits. */
  readonly onWait: () => void;
  /** Called when the content is read, whether it has errors or not. */
  readonly onRead: (contents: Contents) => Promise<void>;
  /** Called when the content is valid and fits the hosts, before any file is written. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: OnChange;
}

/** The APIs of a build, with what they share: the hosts, their configuration and their limits. */
export interface BuildPlan {
  /** Those of the deployment, in the order of the declaration. The first has the front page. */
  readonly apis: NonEmpty<ApiBuild>;
  readonly hosts: readonly HostAdapter[];
  /** How much of the hosts' limits the build uses. */
  readonly budget: readonly BudgetLine[];
  /** The cost of the current files, without retired pages. */
  readonly cost: Cost;
  /** The same for later builds to compare with. */
  readonly usage: () => BuildUsage;
  /** The number of files in the publish root. */
  readonly count: number;
  /** The routing tables as a file. */
  readonly marker: () => OutputFile;
  /** All other files of the publish root, generated one at a time. */
  readonly files: () => Iterable<OutputFile>;
  /** The files of the publish root that hosts read. */
  readonly ofHosts: readonly OutputFile[];
  /** One of the files. */
  readonly find: (file: string) => OutputFile | undefined;
  /** Files that hosts read and must not serve. */
  readonly beside: readonly OutputFile[];
  readonly besideMarker: () => OutputFile;
}

/** One API of a build. */
export interface ApiBuild {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly documents: readonly Document[];
  /** Pages of earlier builds that readers reach only with an old cursor. */
  readonly retired: readonly RetiredPage[];
  readonly table: RoutingTable;
  /** Its files, generated one at a time. */
  readonly files: () => Iterable<OutputFile>;
  /** One of them. */
  readonly find: (file: string) => OutputFile | undefined;
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
  const { apis, content: folder, out, replaces = false } = options;
  refuseOverlap(folder, out);
  const output = await openOutput(out, {
    bases: mapNonEmpty(apis, ({ base }) => base),
    basesIn,
    replaces,
    marker: tableFile,
    ownedBy,
    onWait: events.onWait,
  });
  try {
    const contents = await readContents(folder, apis, log);
    await events.onRead(contents);
    const plan = await planContents(contents, options, log);
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
export async function planContents(contents: Contents, options: PlanOptions, log: Log): Promise<BuildPlan | undefined> {
  const isValid = !log.hasErrors();
  const contentLog = log.below(options.content);
  const [{ settings }] = contents;
  const named = options.hosts ?? (settings.hosts && adapters(settings.hosts));
  const hosts = named ?? adapters([usualHost]);
  checkConflicts(settings, hosts, contentLog);
  // Faulty settings may have meant another host than the usual one.
  if (isValid || named !== undefined) checkMount(settings, hosts, contentLog);
  if (!isValid) return undefined;
  const parts = partsOf(contents, options.deployment);
  for (const { catalog, deployment } of parts) {
    checkCombinations(catalog, deployment, log);
    checkPolicies(catalog, deployment, hosts, contentLog);
  }
  if (log.hasErrors()) return undefined;
  return planCatalogs(parts, { ...options, hosts }, log);
}

/** The valid content of an API, for a deployment. */
export interface DeployedApi {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
}

/** Of several APIs, without those of which the deployment names nothing. Throws MachineError if it does not exist. */
function partsOf(contents: Contents, requested: string | undefined): NonEmpty<DeployedApi> {
  const all = mapNonEmpty(contents, (catalog) => ({ catalog, deployment: chooseDeployment(catalog, requested) }));
  if (all.length === 1) return all;
  const [first, ...others] = all.filter(({ deployment }) => deployment.operations.length > 0);
  if (first !== undefined) return [first, ...others];
  const { name } = all[0].deployment;
  throw new MachineError(
    `The deployment ${JSON.stringify(name)} names no operation of any API.`,
    "Add to its operations.",
  );
}

type CatalogOptions = Pick<PlanOptions, "content" | "today" | "history"> & { readonly hosts: readonly HostAdapter[] };

/** Plans a build of the valid content of the APIs. Undefined if an error is reported. */
export async function planCatalogs(
  parts: NonEmpty<DeployedApi>,
  options: CatalogOptions,
  log: Log,
): Promise<BuildPlan | undefined> {
  const { hosts } = options;
  const { settings } = parts[0].catalog;
  const contentLog = log.below(options.content);
  const found = await findAllPrevious(
    options.history,
    parts.map(({ catalog }) => catalog.api.base),
  );
  const drafts: Draft[] = [];
  for (const part of placed(parts)) {
    const draft = await draftOf(part, found, options, log);
    if (draft !== undefined) drafts.push(draft);
  }
  const unknown = (options.history?.forgotten ?? []).filter(
    (item) => !drafts.some(({ history }) => history.namesChanged(item)),
  );
  for (const item of unknown) {
    const text = `No entry of the list of changes names ${item} as changed, so there was nothing to forget.`;
    log.report({ code: "nothing-forgotten", at: noFile, text });
  }
  const [first, ...others] = drafts;
  if (first === undefined || log.hasErrors()) return undefined;
  const all: NonEmpty<Draft> = [first, ...others];
  const tables = mapNonEmpty(all, ({ table }) => table);
  const { files: ofHosts, beside } = configure(hosts, tables);
  const outputs = all.flatMap((draft) => draft.outputs);
  checkAddresses(outputs, otherNames(all, ofHosts), log);
  // One of the files is the marker.
  const spending = { apis: mapNonEmpty(all, spendingOf), others: ofHosts.length + 1, placeOf: settings.placeOf };
  const cost = checkBudget(hosts, spending, log, contentLog);
  if (log.hasErrors()) return undefined;
  const limits = hosts.flatMap((host) => host.limits ?? []);
  let costWithRetired = cost;
  const apis = mapNonEmpty(all, (draft): ApiBuild => {
    const { history, answers } = draft;
    const retired = fitting(limits, retire(answers.listings, history), history.maxPages, costWithRetired);
    costWithRetired = retired.cost;
    for (const text of retired.warnings) contentLog.report({ code: "cursors-left-out", at: wholeBuild, text });
    return apiBuildOf(draft, retired.pages);
  });
  for (const { catalog } of all) {
    warnOfSunsets(catalog.api, options.today, log);
    warnOfUndescribed(catalog.api, log);
  }
  const budget = budgetOf(hosts, costWithRetired, spending);
  warnOfPlans(budget, settings, contentLog);
  const folders = all.map(({ catalog }) => `${apiFolder(catalog.api.base)}/`);
  const foldersBeside = new Set(beside.map(({ file }) => file.slice(0, file.indexOf("/") + 1)));
  const owns = [...folders, missingPage, ...outsideOf(folders, all, ofHosts)];
  const errors = all.flatMap(({ answers }) => answers.others);
  const usage = once(() => usageOf(hosts, cost, spending, [...errors, ...ofHosts]));
  const states = () => mapNonEmpty(all, ({ table, history }) => ({ table, state: history.state() }));
  return {
    apis,
    hosts,
    budget,
    cost,
    usage,
    count: costWithRetired.files,
    ofHosts,
    beside,
    marker: () => markerOf(states(), owns, usage()),
    besideMarker: () => markerOf(states(), [...foldersBeside]),
    *files() {
      for (const { files } of apis) yield* files();
      yield* ofHosts;
    },
    find(file) {
      const found = apis.map((api) => api.find(file)).find((one) => one !== undefined);
      return found ?? ofHosts.find((output) => output.file === file);
    },
  };
}

/** The parts, each with its place among the others. */
function placed(parts: NonEmpty<DeployedApi>): readonly DeployedApi[] {
  if (parts.length === 1) return parts;
  const entries = parts.map(({ catalog }) => otherApi(catalog));
  return parts.map(({ catalog, deployment }, index) => {
    const others = entries.filter((_, other) => other !== index);
    return { catalog: { ...catalog, placement: { isFirst: index === 0, others } }, deployment };
  });
}

/** The plan of an API before it is known which pages of earlier builds the hosts have room for. */
interface Draft extends DeployedApi {
  readonly answers: ApiPlan;
  readonly history: History;
  readonly documents: readonly Document[];
  readonly outputs: readonly OutputFiles[];
  readonly assets: readonly AssetFiles[];
  readonly table: RoutingTable;
  /** The table with other page sizes. */
  readonly tableOf: (sizesOf: (operation: string) => PageSizes) => RoutingTable;
}

/** Undefined if an error is reported. */
async function draftOf(
  { catalog, deployment }: DeployedApi,
  found: FoundByBase,
  { content, history: options, hosts }: CatalogOptions,
  log: Log,
): Promise<Draft | undefined> {
  const maxBytes = largestFile(hosts);
  const addresses = hosts.length > 0 && hosts.every(({ servesOnlyFiles }) => servesOnlyFiles) ? "files" : "queries";
  const answers = planApi(catalog, deployment, addresses);
  const { pages, listings } = answers;
  const history = await loadHistory(options, found, catalog, deployment, pages, maxBytes, log.below(content));
  if (history === undefined) return undefined;
  const { changes } = history;
  const site = siteOf({ catalog, deployment, listings, changes, maxBytes, addresses }, log);
  if (site === undefined) return undefined;
  const documents = [...documentsOf(site), ...history.documents];
  const { outputs } = site;
  const assets = assetFilesOf(catalog, deployment);
  const routes = routesOf(outputs);
  const tableOutputs = [...routes.outputs, ...assets.map(({ route }) => route)];
  const { mount } = catalog.settings;
  const all = [...documents, ...routes.documents];
  const missing = missingError({ catalog, deployment }, addresses);
  const tableOf: Draft["tableOf"] = (sizesOf) => ({
    ...makeTable(catalog.api, deployment.operations, sizesOf, all, tableOutputs, missing),
    ...(addresses === "files" && { addresses, ...(mount !== "" && { mount }) }),
  });
  const table = tableOf((operation) => pageSizesOf(catalog.settings, operation));
  return { catalog, deployment, answers, history, documents, outputs, assets, table, tableOf };
}

/** The names of the files that are not outputs. */
function* otherNames(all: readonly Draft[], ofHosts: readonly OutputFile[]): Generator<string> {
  yield tableFile;
  for (const { table, documents, answers, assets } of all) {
    for (const { path } of table.operations) yield `${path.slice(1)}.json`;
    for (const { file } of [...documents, ...answers.others]) yield file;
    for (const files of assets) for (const { file } of files.all()) yield file;
  }
  for (const { file } of ofHosts) yield file;
}

function spendingOf({ catalog, answers, documents, outputs, assets, table, tableOf }: Draft): Spending {
  return {
    ...answers,
    base: catalog.api.base,
    outputs: [...outputs, ...assets],
    others: answers.others.length + documents.length,
    otherBytes: () => documents.reduce((sum, document) => sum + document.length, 0),
    table,
    tableWith: (sizes) => tableOf(() => sizes),
  };
}

/** The files outside of the folders of the APIs, without the 404 page. */
function outsideOf(folders: readonly string[], all: readonly Draft[], ofHosts: readonly OutputFile[]) {
  const isOutside = (file: string) => !folders.some((folder) => file.startsWith(folder));
  const documents = all.flatMap((draft) => draft.documents);
  const outside = [...documents, ...ofHosts].map(({ file }) => file).filter(isOutside);
  for (const { output, all: files } of all.flatMap((draft) => draft.outputs))
    if (isOutside(output.path.slice(1))) for (const { file } of files()) outside.push(file);
  return outside;
}

function apiBuildOf(draft: Draft, retired: readonly RetiredPage[]): ApiBuild {
  const { catalog, deployment, answers, documents, outputs, assets, table } = draft;
  const made = [...outputs, ...assets];
  return {
    catalog,
    deployment,
    api: answers,
    documents,
    retired,
    table,
    *files() {
      yield* answers.files();
      yield* documents;
      for (const { all } of made) yield* all();
      for (const page of retired) yield retiredFile(page);
    },
    find(file) {
      const isNamed = (output: OutputFile) => output.file === file;
      const found = documents.find(isNamed) ?? answers.find(file);
      const current = found ?? made.map((files) => files.find(file)).find((one) => one !== undefined);
      return current ?? retired.map(retiredFile).find(isNamed);
    },
  };
}
