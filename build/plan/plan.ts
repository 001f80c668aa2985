// The APIs of a build, and what they share in the publish root.
import { type BudgetLine, usageOf } from "../budget/budget.ts";
import { withinLimits } from "../budget/room.ts";
import type { Contents } from "../content/content.ts";
import { chooseDeployment } from "../content/settings/deployments.ts";
import { otherApi } from "../documents/programs/overview.ts";
import type { OutputFile } from "../files/file.ts";
import { type Files, joinedFiles } from "../files/files.ts";
import { MachineError } from "../files/machine-error.ts";
import { namesChanged } from "../history/changes.ts";
import { findAllPrevious } from "../history/previous.ts";
import { maxPerPage } from "../history/retired.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Log, noFile, wholeBuild } from "../messages.ts";
import { filesOfAnswers } from "../pages/answers.ts";
import type { Cost } from "../pages/cost.ts";
import { checkAddresses } from "../pages/outputs.ts";
import { apiFolder, missingPage } from "../routing/paths.ts";
import { type BuildUsage, markerOf, tableFile } from "../routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { type ApiOptions, type DeployedApi, type PlannedApi, planApi } from "./api.ts";

/** The APIs of a build, with what they share: the hosts, their configuration and their limits. */
export interface BuildPlan {
  /** Those of the deployment, in the order of the declaration. The first has the front page. */
  readonly apis: NonEmpty<PlannedApi>;
  readonly hosts: readonly HostAdapter[];
  /** How much of the hosts' limits the build uses. */
  readonly budget: readonly BudgetLine[];
  /** The cost of the current files, without retired pages. */
  readonly cost: Cost;
  /** The number of files in the publish root. */
  readonly count: number;
  /** The files of the publish root, without the marker. */
  readonly files: Files;
  /** Those that hosts read. */
  readonly hostFiles: readonly OutputFile[];
  /** Files that hosts read and must not serve. */
  readonly configuration: readonly OutputFile[];
}

/**
 * The APIs with their deployments. Of several APIs, those without an operation in the deployment are left out. Throws
 * MachineError if the deployment does not exist, or names no operation of any API.
 */
export function deployedApis(contents: Contents, requested: string | undefined): NonEmpty<DeployedApi> {
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

/** Undefined if an error is reported. */
export async function planApis(
  deployed: NonEmpty<DeployedApi>,
  options: ApiOptions,
  log: Log,
): Promise<NonEmpty<PlannedApi> | undefined> {
  const bases = deployed.map(({ catalog }) => catalog.api.base);
  const found = await findAllPrevious(options.history, bases, log);
  const planned: PlannedApi[] = [];
  for (const api of placed(deployed)) {
    const plan = await planApi(api, found.get(api.catalog.api.base) ?? { kind: "none" }, options, log);
    if (plan !== undefined) planned.push(plan);
  }
  for (const item of options.history?.forgotten ?? []) {
    if (planned.some(({ history }) => namesChanged(history.changes, item))) continue;
    const text = `No entry of the list of changes names ${item} as changed, so there was nothing to forget.`;
    log.report({ code: "nothing-forgotten", at: noFile, text });
  }
  const [first, ...others] = planned;
  return first === undefined || log.hasErrors() ? undefined : [first, ...others];
}

/** The APIs, each with its place among the others. */
function placed(deployed: NonEmpty<DeployedApi>): readonly DeployedApi[] {
  if (deployed.length === 1) return deployed;
  const entries = deployed.map(({ catalog }) => otherApi(catalog));
  return deployed.map(({ catalog, deployment }, index) => {
    const others = entries.filter((_, other) => other !== index);
    return { catalog: { ...catalog, placement: { isFirst: index === 0, others } }, deployment };
  });
}

/** Reports outputs that have the path of another file. */
export function checkOutputs(apis: NonEmpty<PlannedApi>, hostFiles: readonly OutputFile[], log: Log): void {
  const outputs = apis.flatMap((api) => api.outputs);
  checkAddresses(outputs, otherNames(apis, hostFiles), joinedFiles(apis.map(filesOfAnswers)), log);
}

/** The names of the files that are not outputs. */
function* otherNames(apis: NonEmpty<PlannedApi>, hostFiles: readonly OutputFile[]): Generator<string> {
  yield tableFile;
  for (const { table, documents, others, assets } of apis) {
    for (const { path } of table.operations) yield `${path.slice(1)}.json`;
    for (const { file } of [...documents, ...others]) yield file;
    for (const files of assets) for (const { file } of files.all()) yield file;
  }
  for (const { file } of hostFiles) yield file;
}

/** Adds the pages of earlier builds for which the hosts have room. `cost` is the cost of today's files. */
export function withRetired(
  planned: NonEmpty<PlannedApi>,
  hosts: readonly HostAdapter[],
  cost: Cost,
  contentLog: Log,
): { readonly apis: NonEmpty<PlannedApi>; readonly cost: Cost } {
  let costOfAll = cost;
  const apis = mapNonEmpty(planned, (api): PlannedApi => {
    const { retiredPages: earlierPages } = api.history;
    const room = withinLimits(hosts, earlierPages.pages, costOfAll);
    const { pages } = room;
    costOfAll = room.cost;
    const isFull = pages.length < earlierPages.pages.length;
    if (isFull || earlierPages.isCut) {
      const text = `${isFull ? noRoom : tooMany}, so some of their cursors expire early. ${shorten}`;
      contentLog.report({ code: "cursors-left-out", at: wholeBuild, text });
    }
    return { ...api, retired: pages };
  });
  return { apis, cost: costOfAll };
}

const noRoom = "The pages of earlier builds would exceed a limit of the host";
const tooMany = `There are more than ${maxPerPage} pages of earlier builds for each page of the largest build`;
const shorten = "Shorten cursor_lifetime to keep fewer of them.";

/** The routing tables as a file, with what later builds read: their state, what the build owns, and its size. */
export const markerFile = (plan: BuildPlan): OutputFile =>
  markerOf(statesOf(plan), ownedFiles(plan), usageOfPlan(plan));

/** The same for the folder beside the publish root. */
export function configurationMarker(plan: BuildPlan): OutputFile {
  const folders = new Set(plan.configuration.map(({ file }) => file.slice(0, file.indexOf("/") + 1)));
  return markerOf(statesOf(plan), [...folders]);
}

const statesOf = ({ apis }: BuildPlan) =>
  mapNonEmpty(apis, ({ table, history }) => ({ table, state: history.stateDigest() }));

/** The folders of the APIs, the 404 page, and the files outside of them. */
function ownedFiles({ apis, hostFiles }: BuildPlan): readonly string[] {
  const folders = apis.map(({ catalog }) => `${apiFolder(catalog.api.base)}/`);
  const isOutside = (file: string) => !folders.some((folder) => file.startsWith(folder));
  const documents = apis.flatMap((api) => api.documents);
  const outside = [...documents, ...hostFiles].map(({ file }) => file).filter(isOutside);
  for (const { output, all } of apis.flatMap((api) => api.outputs))
    if (isOutside(output.path.slice(1))) for (const { file } of all()) outside.push(file);
  return [...folders, missingPage, ...outside];
}

/** The size of the current files, for later builds to compare with. */
export function usageOfPlan({ apis, hosts, cost, hostFiles }: BuildPlan): BuildUsage {
  const errors = apis.flatMap((api) => api.others);
  return usageOf(hosts, cost, apis, [...errors, ...hostFiles]);
}
