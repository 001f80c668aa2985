// One API of a build: what it answers and publishes, before it is written.
import type { PageSizes } from "../../src/model/paging.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { pageSizesOf, type Settings } from "../content/settings/chosen-settings.ts";
import { type PublisherTexts, siteOf } from "../documents/describe/site.ts";
import { documentsOf } from "../documents/documents.ts";
import type { Document } from "../files/document.ts";
import { type Files, joinedFiles, listedFiles } from "../files/files.ts";
import { type History, historyOf } from "../history/history.ts";
import type { Found, HistoryOptions } from "../history/previous.ts";
import { type RetiredPage, retiredFiles } from "../history/retired.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { largestFile } from "../hosts/hosts.ts";
import type { Log } from "../messages.ts";
import { type Answers, answersOf, filesOfAnswers, missingError } from "../pages/answers.ts";
import { type AssetFiles, assetFilesOf } from "../pages/assets.ts";
import { type OutputFiles, routesOf } from "../pages/outputs.ts";
import type { Addresses } from "../routing/paths.ts";
import { makeTable, type RoutingTable } from "../routing/table.ts";

/** The valid content of an API, for a deployment. */
export interface DeployedApi {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
}

export interface PlannedApi extends DeployedApi, Answers {
  readonly history: History;
  readonly documents: readonly Document[];
  readonly outputs: readonly OutputFiles[];
  /** The files beside the data. */
  readonly assets: readonly AssetFiles[];
  readonly table: RoutingTable;
  /** The table with these page sizes for all lists. */
  readonly tableWith: (sizes: PageSizes) => RoutingTable;
  /**
   * Pages of earlier builds that readers reach only with an old cursor. Empty until `withRetired` selects those of the history
   * for which the hosts have room.
   */
  readonly retired: readonly RetiredPage[];
}

export interface ApiOptions {
  /** The folder with the data, relative to the folder of the declaration, as all files are in the log. */
  readonly content: string;
  readonly hosts: readonly HostAdapter[];
  /** In UTC, such as 2026-11-26. */
  readonly today: string;
  /** The earlier builds whose cursors stay valid, and the time. Undefined: none, for a plan that is not published. */
  readonly history?: HistoryOptions | undefined;
}

const noHistory: HistoryOptions = { from: undefined, now: 0 };

/** `found` is what the earlier build left. Undefined if an error is reported. */
export async function planApi(
  { catalog, deployment }: DeployedApi,
  found: Found,
  options: ApiOptions,
  log: Log,
): Promise<PlannedApi | undefined> {
  const { content, hosts } = options;
  const maxBytes = largestFile(hosts);
  const addresses = hosts.length > 0 && hosts.every(({ servesOnlyFiles }) => servesOnlyFiles) ? "files" : "queries";
  const answers = answersOf(catalog, deployment, addresses);
  const { pageCount, listings } = answers;
  const basis = { catalog, deployment, listings, pageCount, maxBytes, ...(options.history ?? noHistory) };
  const history = await historyOf(basis, found, log.below(content));
  if (history === undefined) return undefined;
  const { changes } = history;
  const texts = await textsIn(catalog.settings);
  const site = siteOf({ catalog, deployment, listings, changes, maxBytes, addresses, texts }, log);
  if (site === undefined) return undefined;
  const documents = [...documentsOf(site), ...history.documents];
  const { outputs } = site;
  const assets = assetFilesOf(catalog, deployment);
  const parts = { catalog, deployment, documents, outputs, assets };
  return {
    ...answers,
    ...parts,
    history,
    table: tableOf(parts, addresses, (operation) => pageSizesOf(catalog.settings, operation)),
    tableWith: (sizes) => tableOf(parts, addresses, () => sizes),
    retired: [],
  };
}

async function textsIn(settings: Settings): Promise<PublisherTexts> {
  if (settings.introduction === undefined && settings.changesText === undefined) return {};
  const { publisherTexts } = await import("../documents/frame/publisher-text.ts");
  return publisherTexts(settings);
}

function tableOf(
  api: Pick<PlannedApi, "catalog" | "deployment" | "documents" | "outputs" | "assets">,
  addresses: Addresses,
  sizesOf: (operation: string) => PageSizes,
): RoutingTable {
  const { catalog, deployment, documents, outputs, assets } = api;
  const { settings } = catalog;
  const { mount } = settings;
  const routes = routesOf(outputs);
  const tableOutputs = [...routes.outputs, ...assets.map(({ route }) => route)];
  const tableDocuments = [...documents, ...routes.documents];
  const missing = missingError(api, addresses);
  return {
    ...makeTable(catalog.api, deployment.operations, sizesOf, tableDocuments, tableOutputs, missing, settings),
    ...(addresses === "files" && { addresses, ...(mount !== "" && { mount }) }),
  };
}

/** All its files. */
export const filesOfApi = (api: PlannedApi): Files =>
  joinedFiles([
    filesOfAnswers(api),
    listedFiles(api.documents),
    ...api.outputs,
    ...api.assets,
    retiredFiles(api.retired),
  ]);
