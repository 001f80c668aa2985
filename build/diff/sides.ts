// The two sides of a comparison: what each has as content, and the build that is made of it, in memory.
import { existsSync, statSync } from "node:fs";
import { planCatalog } from "../build.ts";
import type { BuildOptions, BuildPlan } from "../build-plan.ts";
import type { Cache } from "../cache/cache.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { compileContent } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { type Discovery, discover } from "../content/discover.ts";
import type { Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { openYamlCache } from "../open.ts";
import { readCommitted } from "./git.ts";

export interface SidesOptions extends Pick<BuildOptions, "content" | "hosts"> {
  /** A folder, or a git reference. */
  readonly against: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  /** A folder for what later builds may know of this one. Undefined: they know nothing. */
  readonly cache?: string;
}

export interface Side {
  /** What a reader calls it: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly plan: BuildPlan;
}

export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly hosts: readonly HostAdapter[];
}

/**
 * Of the content as it is and as it was. The files of diagnostics are as their side names them: `HEAD:content/api.yaml`.
 * Throws MachineError where a side cannot be had.
 */
export async function openSides(options: SidesOptions): Promise<Reported<Sides | undefined>> {
  const now = await openFolder(options.content);
  const { content, against } = options;
  const earlier = isFolder(against) ? await openFolder(against) : await readCommitted(content, against);
  const cache = openYamlCache(options.cache);
  const [then, today] = [compile(earlier, cache), compile(now, cache)];
  const faults = together(then.faults, today.faults);
  if (faults[0].length > 0) return [undefined, ...faults];
  const deployment = deploymentOf(today.catalog, then.catalog, options.deployment);
  const former = formerOf(then.catalog, deployment, options.deployment);
  const { hosts } = options;
  const [before, ...wrongBefore] = await planCatalog(then.catalog, former, { hosts });
  const [after, ...wrongAfter] = await planCatalog(today.catalog, deployment, { hosts });
  if (before !== undefined && after !== undefined) {
    return [{ before: { label: then.label, plan: before }, after: { label: today.label, plan: after }, hosts }, [], []];
  }
  return [undefined, ...together(inSide(earlier, wrongBefore), inSide(now, wrongAfter))];
}

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

interface Opened {
  readonly label: string;
  /** What precedes the path of a file. */
  readonly prefix: string;
  readonly discovery: Discovery;
}

const openFolder = async (folder: string): Promise<Opened> => ({
  label: folder,
  prefix: folder.replace(/\/*$/, "/"),
  discovery: await discover(folder),
});

type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

function compile(side: Opened, cache: Cache | undefined) {
  const [catalog, ...faults] = compileContent(side.discovery, cache);
  return { ...side, catalog, faults: inSide(side, faults) };
}

const inSide = ({ prefix }: Opened, [shown, omitted]: Faults): Faults => [
  shown.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
  omitted.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
];

const together = (...sides: readonly Faults[]): Faults => [
  sides.flatMap(([shown]) => shown),
  sides.flatMap(([, omitted]) => omitted),
];

/** The one that is asked for may be gone. Throws MachineError where it never was. */
function deploymentOf(catalog: Catalog, earlier: Catalog, asked: string | undefined): Deployment {
  const isGone = asked !== undefined && !catalog.deployments.has(asked) && earlier.deployments.has(asked);
  return isGone ? emptyDeployment(asked) : chooseDeployment(catalog, asked);
}

/** The deployment before the change: of the same name, or the default under another name; else it answered nothing. */
function formerOf({ deployments, settings }: Catalog, { name }: Deployment, asked: string | undefined): Deployment {
  const usual = asked === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  return deployments.get(name) ?? usual ?? emptyDeployment(name);
}

const emptyDeployment = (name: string): Deployment => ({ name, operations: [], documents: new Map() });
