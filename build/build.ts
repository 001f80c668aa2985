// The whole program, in the order in which it happens.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isApiFile } from "../src/api-file.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import { compileContent } from "./content/content.ts";
import { discover } from "./content/discover.ts";
import { type Checked, nearest } from "./diagnostics.ts";
import { type OutputFile, textFile } from "./file.ts";
import type { HostAdapter } from "./hosts/host.ts";
import { hosts, local } from "./hosts/hosts.ts";
import { MachineError } from "./output/machine-error.ts";
import { type Change, type OutputResult, writeOutput } from "./output/output.ts";
import type { Listing } from "./pages/listing.ts";
import { missingPage, planApi } from "./pages/pages.ts";
import { isRoutingTable, makeTable, type RoutingTable, tableFile } from "./routing/table.ts";

export interface BuildOptions {
  readonly content: string;
  readonly out: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** A folder for what the next build may know of this one. Undefined: it knows nothing. */
  readonly ledgers?: string;
  /** Every file is written anew. */
  readonly clean?: boolean | undefined;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly listings: readonly Listing[];
  /** How many files the build consists of. */
  readonly files: number;
}

/** What happens during a build, for those who show it. */
export interface BuildEvents {
  /** The content is valid and `files` files follow. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
  /** Another build has the out folder; this one waits for it. */
  readonly onWait: () => void;
}

/** With diagnostics nothing is written. Throws MachineError, or the system's error, where the machine is at fault. */
export async function build(options: BuildOptions, events: BuildEvents): Promise<Checked<OutputResult | undefined>> {
  refuseOverlap(options.content, options.out);
  const [catalog, diagnostics] = await check(options.content);
  if (diagnostics.length > 0) return [undefined, diagnostics];
  const deployment = chooseDeployment(catalog, options.deployment);
  const api = planApi(catalog, deployment);
  const table = makeTable(deployment.operations, catalog.settings.pageSizes);
  const routing = [...[local, ...options.hosts].flatMap((host) => host.files(table)), tableAsFile(table)];
  events.onPlan({ catalog, deployment, listings: api.listings, files: api.count + routing.length });
  const plan = {
    files: chain(api.files, routing),
    isOurs,
    marker: { file: tableFile, isOurs: isRoutingTable },
    ledgers: options.ledgers,
    clean: options.clean,
  };
  const result = await writeOutput(options.out, plan, events.onChange, events.onWait);
  await writeBeside(options.out, options.hosts, table, events.onWait);
  return [result, []];
}

/** Reads and checks the content, and writes nothing. */
export async function check(content: string): Promise<Checked<Catalog>> {
  if (!existsSync(content)) throw new MachineError(`There is no folder ${content}.`, "Name the folder with --content.");
  if (!statSync(content).isDirectory()) throw new MachineError(`${content} is not a folder.`);
  return compileContent(await discover(content));
}

/** The folder for what the hosts read and must not serve: `dist.hosts/nginx/…`. */
export const besideFolder = (out: string): string => `${path.normalize(out).replace(/[\\/]$/, "")}.hosts`;

/** The folder is only there while a host needs it, or until someone removes it. */
async function writeBeside(
  out: string,
  chosen: readonly HostAdapter[],
  table: RoutingTable,
  onWait: () => void,
): Promise<void> {
  const folder = besideFolder(out);
  const own = chosen.flatMap(({ name, beside }) =>
    (beside?.(table) ?? []).map((own) => ({ ...own, file: `${name}/${own.file}` })),
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

const isOurs = (file: string): boolean => rootFiles.has(file) || isApiFile(file);

function chooseDeployment({ deployments, settings }: Catalog, asked: string | undefined): Deployment {
  const name = asked ?? settings.defaultDeployment;
  const chosen = deployments.get(name);
  if (chosen !== undefined) return chosen;
  const known = [...deployments.keys()];
  const others = known.length === 0 ? "The content has none." : `The content has ${known.join(", ")}.`;
  throw new MachineError(`There is no deployment ${JSON.stringify(name)}.`, nearest(name, known) ?? others);
}

/** Output inside the content would be content the next time; content inside the output could be overwritten. */
function refuseOverlap(content: string, out: string): void {
  const [from, to] = [path.resolve(content) + path.sep, path.resolve(out) + path.sep];
  if (from.startsWith(to) || to.startsWith(from)) {
    throw new MachineError(`${out} and ${content} lie in one another.`, "Choose an out folder beside the content.");
  }
}
