// The whole program, in the order in which it happens.
import type { Apis } from "../src/model/api.ts";
import { budgetOf, checkBudget, checkCombinations, warnOfPlans } from "./budget/budget.ts";
import { checkConflicts, checkMount, checkPolicies, warnOfAccess } from "./budget/hosts.ts";
import { type Contents, readContents } from "./content/content.ts";
import { warnOfSunsets } from "./declaration/deprecations.ts";
import { warnOfUndescribed } from "./documents/describe/fields.ts";
import { joinedFiles, listedFiles } from "./files/files.ts";
import { configure } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { adapters } from "./hosts/hosts.ts";
import { usualHost } from "./hosts/names.ts";
import type { Log } from "./messages.ts";
import type { OnChange } from "./output/folder.ts";
import { refuseOverlap } from "./output/location.ts";
import { openOutput } from "./output/output.ts";
import { type ApiOptions, type DeployedApi, filesOfApi } from "./plan/api.ts";
import {
  type BuildPlan,
  checkOutputs,
  configurationMarker,
  deployedApis,
  markerFile,
  planApis,
  withRetired,
} from "./plan/plan.ts";
import { basesIn, ownedBy, tableFile } from "./routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "./values/non-empty.ts";

export interface PlanOptions extends Omit<ApiOptions, "hosts"> {
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  /** The hosts to publish to. Undefined: those of api.yaml, else the usual one. */
  readonly hosts: readonly HostAdapter[] | undefined;
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

export interface Built {
  readonly plan: BuildPlan;
  /** The files beside the publish root that an earlier build had written with other bytes. */
  readonly replacedConfiguration: ReadonlySet<string>;
}

/**
 * Leaves the out folder as it is and returns undefined if an error is reported. Throws MachineError, or the system's error,
 * if the machine is at fault. The out folder is locked from the start, because planning reads the state that the last build
 * left there.
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
    const root = { marker: markerFile(plan), files: plan.files.all() };
    const configuration = { marker: configurationMarker(plan), files: plan.configuration };
    return { plan, replacedConfiguration: await output.write(root, configuration, events.onChange) };
  } finally {
    output.close();
  }
}

/** Plans a build of content that was read, without writing it. Undefined if an error is reported. */
export async function planContents(contents: Contents, options: PlanOptions, log: Log): Promise<BuildPlan | undefined> {
  const isValid = !log.hasErrors();
  const contentLog = log.below(options.content);
  const [{ settings }] = contents;
  const chosen = options.hosts ?? (settings.hosts && adapters(settings.hosts));
  const hosts = chosen ?? adapters([usualHost]);
  checkConflicts(settings, hosts, contentLog);
  // Faulty settings may have meant another host than the usual one.
  if (isValid || chosen !== undefined) checkMount(settings, hosts, contentLog);
  if (!isValid) return undefined;
  warnOfAccess(settings, hosts, contentLog);
  const deployed = deployedApis(contents, options.deployment);
  for (const { catalog, deployment } of deployed) {
    checkCombinations(catalog, deployment, log);
    checkPolicies(catalog, deployment, hosts, contentLog);
  }
  if (log.hasErrors()) return undefined;
  return planCatalogs(deployed, { ...options, hosts }, log);
}

/** Plans a build of the valid content of the APIs. Undefined if an error is reported. */
export async function planCatalogs(
  deployed: NonEmpty<DeployedApi>,
  options: ApiOptions,
  log: Log,
): Promise<BuildPlan | undefined> {
  const { hosts } = options;
  const contentLog = log.below(options.content);
  const planned = await planApis(deployed, options, log);
  if (planned === undefined) return undefined;
  const tables = mapNonEmpty(planned, ({ table }) => table);
  const { files: hostFiles, configuration } = configure(hosts, tables);
  checkOutputs(planned, hostFiles, log);
  // One of the files is the marker.
  const cost = checkBudget(hosts, planned, hostFiles.length + 1, log, contentLog);
  if (log.hasErrors()) return undefined;
  const { apis, cost: costOfAll } = withRetired(planned, hosts, cost, contentLog);
  for (const { catalog } of apis) {
    warnOfSunsets(catalog.api, options.today, log);
    warnOfUndescribed(catalog.api, log);
  }
  const budget = budgetOf(hosts, costOfAll, apis);
  warnOfPlans(budget, apis[0].catalog.settings, contentLog);
  const files = joinedFiles([...apis.map(filesOfApi), listedFiles(hostFiles)]);
  return { apis, hosts, budget, cost, count: costOfAll.files, files, hostFiles, configuration };
}
