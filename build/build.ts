// The whole program, in the order in which it happens.
import path from "node:path";
import { type BudgetLine, budgetOf } from "./budget/budget.ts";
import { openCache } from "./cache/cache.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import { readCatalog, readingVersion } from "./content/content.ts";
import { chooseDeployment } from "./content/deployments.ts";
import type { Checked } from "./diagnostics.ts";
import type { OutputFile } from "./file.ts";
import { configure } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { chooseEncodings } from "./hosts/hosts.ts";
import { besidePublishRoot, inPublishRoot } from "./hosts/ownership.ts";
import type { Change, OutputResult } from "./output/folder.ts";
import { openPublication, type Publication, refuseOverlap } from "./output/publication.ts";
import { type ApiPlan, planApi } from "./pages/pages.ts";
import { withSidecars } from "./pages/precompress.ts";
import { makeTable, markerOf, type RoutingTable } from "./routing/table.ts";

export interface BuildOptions {
  readonly content: string;
  /** The folder to publish. */
  readonly out: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** Whether pages get compressed copies for the hosts that send them. */
  readonly precompress?: boolean;
  /** A folder for what later builds may know of this one. Undefined: they know nothing. */
  readonly cache?: string;
  /** Whether every file is written again, and nothing is known of earlier builds. */
  readonly clean?: boolean;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly table: RoutingTable;
  /** What the build uses of the hosts' limits. */
  readonly budget: readonly BudgetLine[];
  /** How many files the publish root gets, without compressed copies: how many these are shows when they are made. */
  readonly count: number;
  readonly marker: OutputFile;
  readonly files: Iterable<OutputFile>;
  /** What hosts read and must not serve. */
  readonly beside: Iterable<OutputFile>;
}

export interface BuildEvents {
  /** Another build has the output folder; this one waits for it. */
  readonly onWait: () => void;
  /** The content is valid and fits the hosts; its files follow. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
}

export interface Built extends OutputResult {
  readonly plan: BuildPlan;
}

/** With diagnostics nothing is written. Throws MachineError, or the system's error, where the machine is at fault. */
export async function build(options: BuildOptions, events: BuildEvents): Promise<Checked<Built | undefined>> {
  const output = await open(options, events);
  try {
    return await buildInto(output, options, events);
  } finally {
    await output.close();
  }
}

/** The output folder of a process that builds again and again. The caller must close it. */
export function open({ content, out, hosts, cache, clean }: BuildOptions, { onWait }: Pick<BuildEvents, "onWait">) {
  refuseOverlap(content, out);
  const needsBeside = hosts.some(({ beside }) => beside !== undefined);
  const manifests = cache && path.join(cache, "manifests");
  const ownership = { ownership: inPublishRoot, beside: besidePublishRoot };
  return openPublication(out, { ...ownership, needsBeside, cache: manifests, clean, onWait });
}

/** `earlier` is the last build of this process into the same folder. */
export async function buildInto(
  output: Publication,
  options: BuildOptions,
  { onPlan, onChange }: Omit<BuildEvents, "onWait">,
  earlier?: Built,
): Promise<Checked<Built | undefined>> {
  const [plan, diagnostics] = await planBuild(options, earlier?.plan.api);
  if (plan === undefined) return [undefined, diagnostics];
  onPlan(plan);
  const result = await output.write(plan, onChange);
  return [{ ...result, plan }, []];
}

/** Everything that a build writes, without writing it. Without a plan there is a diagnostic. */
export async function planBuild(
  { content, deployment: asked, hosts, precompress = false, cache, clean }: Omit<BuildOptions, "out">,
  earlier?: ApiPlan,
): Promise<Checked<BuildPlan | undefined>> {
  const encodings = precompress ? chooseEncodings(hosts) : [];
  const known = cache === undefined || clean ? undefined : openCache(path.join(cache, "yaml"), readingVersion);
  const [catalog, diagnostics] = await readCatalog(content, known);
  if (diagnostics.length > 0) return [undefined, diagnostics];
  const deployment = chooseDeployment(catalog, asked);
  const api = planApi(catalog, deployment, earlier);
  const table = makeTable(deployment.operations, api.sizesOf);
  const { files, beside } = configure(hosts, table, precompress);
  const count = api.count + files.length + 1;
  const spending = { ...api, others: count - api.pages, copies: encodings.length };
  const tableOf = (sizesOf: ApiPlan["sizesOf"]) => makeTable(deployment.operations, sizesOf);
  const { lines: budget, faults } = budgetOf(hosts, { ...spending, tableOf });
  if (faults.length > 0) return [undefined, faults];
  const all = chain(withSidecars(api.files, encodings), files);
  return [{ catalog, deployment, api, table, budget, count, marker: markerOf(table), files: all, beside }, []];
}

function* chain<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
