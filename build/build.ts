// The whole program, in the order in which it happens.
import type { Api } from "../src/model/api.ts";
import type { DeclaredPlace } from "../src/model/operation.ts";
import type { PageSizes } from "../src/model/paging.ts";
import { type BudgetLine, budgetOf, checkBudget, checkCombinations } from "./budget/budget.ts";
import { type Catalog, type Deployment, pageSizesOf } from "./content/catalog.ts";
import { type ContentEvents, inRoot, readCatalog } from "./content/content.ts";
import { chooseDeployment } from "./content/deployments.ts";
import { relativeTo } from "./content/discover.ts";
import type { Reported } from "./diagnostics.ts";
import { documentsOf } from "./documents/documents.ts";
import { sourceOf } from "./documents/source.ts";
import { type Document, documentFile, lengthOf } from "./files/document.ts";
import type { OutputFile } from "./files/file.ts";
import { type HistoryOptions, loadHistory } from "./history/load.ts";
import { fitting, type RetiredPage, retire, retiredFile } from "./history/retired.ts";
import { configure, ownedBeside, ownedInRoot } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { largestFile } from "./hosts/hosts.ts";
import type { OnChange } from "./output/folder.ts";
import { refuseOverlap } from "./output/location.ts";
import { openOutput } from "./output/output.ts";
import type { Cost } from "./pages/cost.ts";
import { type ApiPlan, planApi } from "./pages/pages.ts";
import { apiFolder, missingPage } from "./routing/paths.ts";
import { makeTable, markerOf, parseRoutingTable, type RoutingTable, tableFile } from "./routing/table.ts";

export interface BuildOptions extends ContentEvents {
  readonly api: Api;
  readonly content: string;
  /** The folder to publish. */
  readonly out: string;
  /** Whether the build may remove an API with another base from the folder. */
  readonly replaces?: boolean | undefined;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** The earlier builds whose cursors stay valid, and the time. Undefined: none, for a plan that is not published. */
  readonly history?: HistoryOptions | undefined;
}

export interface BuildEvents {
  /** Called when another build holds the lock of the output folder and this one waits. */
  readonly onWait: () => void;
  /** Called when the content is valid and fits the hosts, before any file is written. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: OnChange;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly documents: readonly Document[];
  /** Pages of earlier builds that readers reach only with an old cursor. */
  readonly retired: readonly RetiredPage[];
  /** Notes about valid content for the user, one or two sentences each. */
  readonly warnings: readonly string[];
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
 * Writes nothing if there are diagnostics. Throws MachineError, or the system's error, if the machine is at fault. The out
 * folder is locked from the start, because planning reads what the last build left there.
 */
export async function build(options: BuildOptions, events: BuildEvents): Promise<Reported<Built | undefined>> {
  const { api, content, out, hosts, replaces = false } = options;
  refuseOverlap(content, out);
  const output = await openOutput(out, {
    base: api.base,
    baseOf: (text) => parseRoutingTable(text)?.base,
    replaces,
    marker: tableFile,
    ownedBy: ownedInRoot,
    ownedBeside,
    onWait: events.onWait,
    needsBeside: hosts.some(({ beside }) => beside !== undefined),
  });
  try {
    const [plan, diagnostics, omitted] = await planBuild(options);
    if (plan === undefined) return [undefined, diagnostics, omitted];
    events.onPlan(plan);
    const beside = { marker: plan.besideMarker(), files: plan.beside };
    const root = { marker: plan.marker(), files: plan.files() };
    return [{ plan, replacedBeside: await output.write(root, beside, events.onChange) }, [], []];
  } finally {
    output.close();
  }
}

/** Plans a build without writing it. If there is no plan, there is a diagnostic. */
export async function planBuild(
  asked: Omit<BuildOptions, "out" | "replaces">,
): Promise<Reported<BuildPlan | undefined>> {
  const { content } = asked;
  const [read, ...faults] = await readCatalog(content, asked.api, asked);
  if (faults[0].length > 0) return [undefined, ...faults];
  // Without the files, whose bytes the rest of the content keeps in memory.
  const { api, items, deployments, settings } = read;
  const catalog: Catalog = { api, items, deployments, settings };
  const deployment = chooseDeployment(catalog, asked.deployment);
  const excess = checkCombinations(catalog, deployment);
  if (excess.length > 0) return [undefined, excess.map(inRoot(content)), []];
  const [plan, ...excessive] = await planCatalog(catalog, deployment, { ...asked, root: content });
  return [plan && { ...plan, warnings: [...read.warnings, ...plan.warnings] }, ...excessive];
}

/** Like `planBuild`, for content that has been read already. Faults name files by their paths in `root`. */
export async function planCatalog(
  catalog: Catalog,
  deployment: Deployment,
  { hosts, root, ...asked }: Pick<BuildOptions, "hosts" | "history"> & { readonly root: string },
): Promise<Reported<BuildPlan | undefined>> {
  const mostBytes = largestFile(hosts);
  const api = planApi(catalog, deployment);
  const [history, lost] = await loadHistory(asked.history, catalog, deployment, api.pages, mostBytes);
  if (lost.length > 0) return [undefined, lost, []];
  const made = documentsOf({ ...sourceOf(catalog, deployment, api), changes: history.changes }, mostBytes);
  if (made.faults.length > 0) return [undefined, made.faults.map(inRoot(root)), []];

  const documents = [...made.made, ...history.documents];
  const tableOf = (sizesOf: (operation: string) => PageSizes) =>
    makeTable(catalog.api, deployment.operations, sizesOf, documents);
  const table = tableOf((operation) => pageSizesOf(catalog.settings, operation));
  const { files: ofHosts, beside } = configure(hosts, [table]);

  // One of the files is the marker.
  const others = api.others.length + documents.length + ofHosts.length + 1;
  const otherBytes = () => documents.reduce((sum, document) => sum + lengthOf(document), 0);
  const { base } = catalog.api;
  const tableWith = (sizes: PageSizes) => tableOf(() => sizes);
  const { placeOf } = catalog.settings;
  const inDeclaration = (place: DeclaredPlace) => ({ ...place, file: relativeTo(root, place.file) });
  const spending = { ...api, base, others, otherBytes, table, tableWith, placeOf, inDeclaration };
  const [cost, over] = checkBudget(hosts, spending);
  if (over.length > 0) return [undefined, over, []];
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const retired = fitting(limits, retire(api.listings, history), history.maxPages, cost);

  const folder = `${apiFolder(base)}/`;
  const outside = [...documents, ...ofHosts].map(({ file }) => file).filter((file) => !file.startsWith(folder));
  const foldersBeside = new Set(beside.map(({ file }) => file.slice(0, file.indexOf("/") + 1)));
  const plan: BuildPlan = {
    catalog,
    deployment,
    api,
    documents,
    table,
    cost,
    beside,
    retired: retired.pages,
    warnings: [...history.warnings, ...made.warnings, ...retired.warnings],
    budget: budgetOf(hosts, retired.cost, table),
    count: retired.cost.files,
    marker: () => markerOf(table, [folder, missingPage, ...outside], history.state()),
    besideMarker: () => markerOf(table, [...foldersBeside], history.state()),
    *files() {
      yield* api.files();
      for (const document of documents) yield documentFile(document);
      for (const page of retired.pages) yield retiredFile(page);
      yield* ofHosts;
    },
    find(file) {
      const document = documents.find((each) => each.file === file);
      if (document !== undefined) return documentFile(document);
      return api.find(file) ?? [...retired.pages.map(retiredFile), ...ofHosts].find((each) => each.file === file);
    },
  };
  return [plan, [], []];
}
