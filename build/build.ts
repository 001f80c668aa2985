// The whole program, in the order in which it happens.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { operations } from "../src/operations.ts";
import { everyPageSize } from "../src/paging.ts";
import { type BudgetLine, budgetOf } from "./budget/budget.ts";
import { openCache } from "./cache/cache.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import { compileContent } from "./content/content.ts";
import { type Discovery, discover } from "./content/discover.ts";
import { isSlow, linesOf } from "./content/slow-format.ts";
import { type Checked, nearest } from "./diagnostics.ts";
import { type OutputFile, textFile } from "./file.ts";
import { configurationOf } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { hosts, local } from "./hosts/hosts.ts";
import { MachineError } from "./output/machine-error.ts";
import { type Change, type OutputResult, openOutput, type Recent, writeOutput } from "./output/output.ts";
import { type ApiPlan, missingPage, planApi } from "./pages/pages.ts";
import { withSidecars } from "./pages/precompress.ts";
import { ownedFiles } from "./routing/owned.ts";
import { type Encoding, encodings } from "./routing/sidecar.ts";
import { isRoutingTable, makeTable, type RoutingTable, tableFile } from "./routing/table.ts";

export interface BuildOptions {
  readonly content: string;
  readonly out: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** Whether pages get sidecars for the hosts that send them. */
  readonly precompress?: boolean;
  /** A folder for what the next build may know of this one. Undefined: it knows nothing. */
  readonly cache?: string;
  /** Every file is written anew. */
  readonly clean?: boolean | undefined;
  /** For a process that builds again and again into the same folder. */
  readonly recent?: RecentBuild;
}

/** The last build of a process that builds again and again, to be kept for the next one. Begins empty. */
export interface RecentBuild {
  last?: Recent & { readonly api: ApiPlan };
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  /** What it uses of the hosts' limits. */
  readonly budget: readonly BudgetLine[];
  readonly table: RoutingTable;
  readonly files: Iterable<OutputFile>;
  /** How many files there are, without sidecars: how many these are shows when they are made. */
  readonly count: number;
}

/** What happens during a build, for those who show it. */
export interface BuildEvents {
  /** The content is valid, it fits the hosts, and its files follow. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
  /** Another build has the out folder; this one waits for it. */
  readonly onWait: () => void;
}

/** With diagnostics nothing is written. Throws MachineError, or the system's error, where the machine is at fault. */
export async function build(options: BuildOptions, events: BuildEvents): Promise<Checked<OutputResult | undefined>> {
  const { content, out, cache, clean, recent } = options;
  refuseOverlap(content, out);
  const ledgers = cache && ledgersIn(cache);
  const opened = ledgers === undefined || clean || recent?.last ? undefined : openOutput(out, ledgers);
  try {
    const [plan, diagnostics] = await planBuild(options);
    if (plan === undefined) return [undefined, diagnostics];
    events.onPlan(plan);
    const marker = { file: tableFile, isOurs: isRoutingTable };
    const known = recent && { remains: recent.last?.remains };
    const output = { files: plan.files, isOurs, marker, ledgers, opened, recent: known, clean };
    const result = await writeOutput(out, output, events.onChange, events.onWait);
    if (recent !== undefined) recent.last = { remains: result.remains, api: plan.api };
    await writeBeside(options, plan.table, events.onWait);
    return [result, []];
  } finally {
    await opened?.close();
  }
}

/** What builds know of their out folders. */
export const ledgersIn = (cache: string): string => path.join(cache, "ledgers");

/** Everything that a build writes, without writing it. Without a plan there is a diagnostic. */
export async function planBuild({
  content,
  deployment: asked,
  hosts: chosen,
  precompress = false,
  cache,
  clean = false,
  recent,
}: Omit<BuildOptions, "out">): Promise<Checked<BuildPlan | undefined>> {
  const sidecars = precompress ? chooseSidecars(chosen) : [];
  const [catalog, diagnostics] = await check(content, clean ? undefined : cache);
  if (diagnostics.length > 0) return [undefined, diagnostics];
  const deployment = chooseDeployment(catalog, asked);
  // Sidecars stand between the pages, which then have other places.
  const api = planApi(catalog, deployment, precompress ? undefined : recent?.last?.api);
  const { listings, sizesOf } = api;
  const table = makeTable(deployment.operations, sizesOf);
  const { files, clashes } = configurationOf([local, ...chosen], table, precompress);
  for (const clash of clashes) {
    throw new MachineError(clash, "Build for each into a folder of its own, with --out.");
  }
  const routing = [...files, tableAsFile(table)];
  const count = api.count + routing.length;
  const { lines: budget, faults } = budgetOf(chosen, {
    listings,
    others: count - api.pages,
    copies: sidecars.length,
    sizesOf,
    tableOf: (sizes) => makeTable(deployment.operations, sizes),
  });
  if (faults.length > 0) return [undefined, faults];
  return [
    { catalog, deployment, api, budget, table, files: chain(withSidecars(api.files, sidecars), routing), count },
    [],
  ];
}

/** Reads and checks the content, and writes nothing. */
export async function check(content: string, cache?: string): Promise<Checked<Catalog>> {
  if (!existsSync(content)) throw new MachineError(`There is no folder ${content}.`, "Name the folder with --content.");
  if (!statSync(content).isDirectory()) throw new MachineError(`${content} is not a folder.`);
  const discovery = await discover(content);
  return compileContent(discovery, cache === undefined ? undefined : slowLines(discovery, cache));
}

/** The lines of the files in slow formats: those that an earlier build has read, and those that this one reads. */
function slowLines({ files }: Discovery, cache: string): ReadonlyMap<string, Uint8Array> {
  const memory = openCache(path.join(cache, "yaml"), readingVersion);
  const lines = new Map<string, Uint8Array>();
  for (const found of files.filter(isSlow)) {
    const known = memory.recall(found.bytes);
    const own = known ?? linesOf(found);
    if (own === undefined) continue;
    lines.set(found.file, own);
    if (known === undefined) memory.keep(found.bytes, own);
  }
  return lines;
}

/** The parser's version, and a number to be raised with every change to what is made of what it reads. */
export const readingVersion = "yaml 2.9.1, 1";

/** The folder for what the hosts read and must not serve: `dist.hosts/nginx/…`. */
export const besideFolder = (out: string): string => `${path.normalize(out).replace(/[\\/]$/, "")}.hosts`;

/** The folder is only there while a host needs it, or until someone removes it. */
async function writeBeside(
  { out, hosts: chosen, precompress }: BuildOptions,
  table: RoutingTable,
  onWait: () => void,
): Promise<void> {
  const folder = besideFolder(out);
  const own = chosen.flatMap(({ name, beside }) =>
    (beside?.(table, precompress) ?? []).map((own) => ({ ...own, file: `${name}/${own.file}` })),
  );
  if (own.length === 0 && !existsSync(folder)) return;
  const isOurs = (file: string): boolean => file === tableFile || hosts.has(file.split("/")[0] ?? "");
  const marker = { file: tableFile, isOurs: isRoutingTable };
  await writeOutput(folder, { files: [...own, tableAsFile(table)], isOurs, marker }, () => undefined, onWait);
}

const tableAsFile = (table: RoutingTable): OutputFile => textFile(tableFile, `${JSON.stringify(table)}\n`);

function* chain<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

const rootFiles: ReadonlySet<string> = new Set([
  tableFile,
  missingPage,
  ...[local, ...hosts.values()].flatMap(({ owns }) => owns),
]);

const isApiFile = ownedFiles(
  makeTable(
    operations.map(({ name }) => name),
    () => everyPageSize,
  ),
);

const isOurs = (file: string): boolean => rootFiles.has(file) || isApiFile(file);

function chooseDeployment({ deployments, settings }: Catalog, asked: string | undefined): Deployment {
  const name = asked ?? settings.defaultDeployment;
  const chosen = deployments.get(name);
  if (chosen !== undefined) return chosen;
  const known = [...deployments.keys()];
  const others = known.length === 0 ? "The content has none." : `The content has ${known.join(", ")}.`;
  throw new MachineError(`There is no deployment ${JSON.stringify(name)}.`, nearest(name, known) ?? others);
}

/** The encodings that at least one of the hosts sends. */
function chooseSidecars(chosen: readonly HostAdapter[]): readonly Encoding[] {
  const wanted = encodings.filter((encoding) => chosen.some(({ sidecars }) => sidecars?.includes(encoding)));
  if (wanted.length > 0) return wanted;
  const able = [...hosts.values()].filter(({ sidecars }) => sidecars !== undefined).map(({ name }) => name);
  throw new MachineError(
    `None of the chosen hosts sends files that were compressed ahead; those that do are ${able.join(", ")}.`,
    "Choose one of them with --host, or leave out --precompress.",
  );
}

/** Output inside the content would be content the next time; content inside the output could be overwritten. */
function refuseOverlap(content: string, out: string): void {
  const [from, to] = [path.resolve(content) + path.sep, path.resolve(out) + path.sep];
  if (from.startsWith(to) || to.startsWith(from)) {
    throw new MachineError(`${out} and ${content} lie in one another.`, "Choose an out folder beside the content.");
  }
}
