// The two sides of a comparison: the content of each, and its build, in memory.
import { existsSync, statSync } from "node:fs";
import { planCatalog } from "../build.ts";
import type { BuildOptions, BuildPlan } from "../build-plan.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Content, loadAndCompile } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { type Discovery, discover } from "../content/discover.ts";
import { openYamlCache } from "../content/yaml-cache.ts";
import type { Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { readCommitted } from "./git.ts";

export interface SidesOptions extends Pick<BuildOptions, "api" | "content" | "hosts"> {
  /** A folder, or a git reference. */
  readonly against: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  /** The folder of the cache for later builds. Undefined: there is no cache. */
  readonly cache?: string;
}

export interface Side {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly plan: BuildPlan;
}

export interface Sides {
  readonly before: Side;
  readonly after: Side;
  /**
   * Faults of the side before under the current rules, which may differ from the rules of its time. The parts that have
   * faults are taken from the side after the change: names of operations, `deployments`, `api`.
   */
  readonly earlier: {
    readonly shown: readonly Diagnostic[];
    readonly omitted: readonly Omitted[];
    readonly uncompared: readonly string[];
  };
  readonly hosts: readonly HostAdapter[];
}

/**
 * Opens the content before and after the change. The diagnostics belong to the content after it. Files are named with
 * the prefix of their side: `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Reported<Sides | undefined>> {
  const { api, content, against, hosts } = options;
  const now = await openFolder(content);
  const former = isFolder(against) ? await openFolder(against) : await readCommitted(content, against);
  const cache = openYamlCache(options.cache);
  const [today, ...wrong] = await loadAndCompile(now.discovery, api, cache, { root: rootOf(now) });
  if (wrong[0].length > 0) return [undefined, ...inSide(now, wrong)];
  const [read, ...faults] = await loadAndCompile(former.discovery, api, cache, {
    root: rootOf(former),
    isPartial: true,
  });
  const then = completed(read, today);
  const deployment = deploymentOf(today, then, options.deployment);
  const formerDeployment = formerOf(then, deployment, options.deployment);
  const [after, ...excess] = await planCatalog(today, deployment, { hosts });
  if (after === undefined) return [undefined, ...inSide(now, excess)];
  const [fitting, ...formerExcess] = await planCatalog(then, formerDeployment, { hosts });
  const before = fitting ?? (await planCatalog(then, formerDeployment, { hosts: hosts.map(unlimited) }))[0];
  if (before === undefined) throw new Error("A build without limits exceeds one.");
  const [shown, omitted] = inSide(former, [
    [...faults[0], ...formerExcess[0]],
    [...faults[1], ...formerExcess[1]],
  ]);
  const earlier = { shown, omitted, uncompared: [...read.faulty].sort() };
  const sides = { before: { label: former.label, plan: before }, after: { label: now.label, plan: after } };
  return [{ ...sides, earlier, hosts }, [], []];
}

/** Replaces the parts that have faults with today's parts. */
const completed = ({ api, items, deployments, settings, faulty }: Content, today: Catalog): Catalog => ({
  api,
  items: new Map([...today.items, ...items]),
  deployments: faulty.has("deployments") ? today.deployments : deployments,
  settings: faulty.has("api") ? today.settings : settings,
});

const unlimited = ({ limits: _, uses: __, ...host }: HostAdapter): HostAdapter => host;

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

interface Opened {
  readonly label: string;
  /** The prefix of a file's path. */
  readonly prefix: string;
  readonly discovery: Discovery;
}

const openFolder = async (folder: string): Promise<Opened> => ({
  label: folder,
  prefix: folder.replace(/\/*$/, "/"),
  discovery: await discover(folder),
});

const rootOf = ({ prefix }: Opened): string => prefix.replace(/\/$/, "");

type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

const inSide = ({ prefix }: Opened, [shown, omitted]: Faults): Faults => [
  shown.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
  omitted.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
];

/** A named deployment may have been removed by the change. Throws MachineError if it never existed. */
function deploymentOf(catalog: Catalog, earlier: Catalog, asked: string | undefined): Deployment {
  const isGone = asked !== undefined && !catalog.deployments.has(asked) && earlier.deployments.has(asked);
  return isGone ? emptyDeployment(asked) : chooseDeployment(catalog, asked);
}

/** The deployment before the change: the one with the same name, else the default one, else one without operations. */
function formerOf({ deployments, settings }: Catalog, { name }: Deployment, asked: string | undefined): Deployment {
  const usual = asked === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  return deployments.get(name) ?? usual ?? emptyDeployment(name);
}

const emptyDeployment = (name: string): Deployment => ({ name, operations: [], documents: new Map() });
