// The whole program, in the order in which it happens.
import path from "node:path";
import { budgetOf } from "./budget/budget.ts";
import type { BuildEvents, BuildOptions, BuildPlan, Built } from "./build-plan.ts";
import { openCache } from "./cache/cache.ts";
import { readCatalog } from "./content/content.ts";
import { chooseDeployment } from "./content/deployments.ts";
import { readingVersion } from "./content/yaml-cache.ts";
import type { Reported } from "./diagnostics.ts";
import { configure } from "./hosts/configuration.ts";
import { chooseEncodings } from "./hosts/hosts.ts";
import { besidePublishRoot, inPublishRoot } from "./hosts/ownership.ts";
import { refuseOverlap } from "./output/overlap.ts";
import { openPublication, type Publication } from "./output/publication.ts";
import { type ApiPlan, planApi } from "./pages/pages.ts";
import { withSidecars } from "./pages/precompress.ts";
import { makeTable, markerOf } from "./routing/table.ts";

/** With diagnostics nothing is written. Throws MachineError, or the system's error, where the machine is at fault. */
export async function build(options: BuildOptions, events: BuildEvents): Promise<Reported<Built | undefined>> {
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
): Promise<Reported<Built | undefined>> {
  const [plan, diagnostics, omitted] = await planBuild(options, earlier?.plan.api);
  if (plan === undefined) return [undefined, diagnostics, omitted];
  onPlan(plan);
  const result = await output.write(plan, onChange);
  return [{ ...result, plan }, [], []];
}

/** Everything that a build writes, without writing it. Without a plan there is a diagnostic. */
export async function planBuild(
  { content, deployment: asked, hosts, precompress = false, cache, clean, again }: Omit<BuildOptions, "out">,
  earlier?: ApiPlan,
): Promise<Reported<BuildPlan | undefined>> {
  const encodings = precompress ? chooseEncodings(hosts) : [];
  const known = cache === undefined || clean ? undefined : openCache(path.join(cache, "yaml"), readingVersion);
  const [catalog, diagnostics, omitted] = await readCatalog(content, known);
  if (diagnostics.length > 0) return [undefined, diagnostics, omitted];
  const deployment = chooseDeployment(catalog, asked);
  const api = planApi(catalog, deployment, again, earlier);
  const table = makeTable(deployment.operations, api.sizesOf);
  const { files, beside } = configure(hosts, table, precompress);
  const count = api.count + files.length + 1;
  const spending = { ...api, others: count - api.pages, copies: encodings.length };
  const tableOf = (sizesOf: ApiPlan["sizesOf"]) => makeTable(deployment.operations, sizesOf);
  const { lines: budget, faults } = budgetOf(hosts, { ...spending, tableOf });
  if (faults.length > 0) return [undefined, faults, []];
  const all = chain(withSidecars(api.files, encodings), files);
  return [{ catalog, deployment, api, table, budget, count, marker: markerOf(table), files: all, beside }, [], []];
}

function* chain<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
