// The two sides of a comparison: their content, and their builds in memory.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Api } from "../../src/api.ts";
import { planCatalog } from "../build.ts";
import type { BuildOptions, BuildPlan } from "../build-plan.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Content, loadAndCompile } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { discover } from "../content/discover.ts";
import { openYamlCache } from "../content/yaml-cache.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import type { Checked, Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import { signatureOf } from "../history/snapshot.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type OpenedFolder, readCommitted } from "./git.ts";

export interface SidesOptions extends Pick<BuildOptions, "api" | "content" | "hosts"> {
  /** The declaration of the API. Undefined: both sides have the same API. */
  readonly declaration?: DeclarationPlace;
  /** A folder, or a git reference. */
  readonly against: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  /** The folder of the cache for later builds. Undefined: there is no cache. */
  readonly cache?: string;
}

type DeclarationPlace = Pick<DeclarationOptions, "folder" | "config">;

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
   * faults are taken from the side after the change: names of operations, `deployments`, `api`. If the declaration of
   * the side before has faults, the declaration after the change replaces it.
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
  const { api, content, against, declaration, hosts } = options;
  const now = await openFolder(content);
  const declaring = declaration && {
    folder: declaration.folder,
    read: (folder: string, prefix: string) => declaredIn(folder, declaration, prefix),
  };
  const former = isFolder(against) ? await openEarlier(options) : await readCommitted(content, against, declaring);
  const cache = openYamlCache(options.cache);
  const [today, ...wrong] = await loadAndCompile(now.discovery, api, cache, { root: rootOf(now) });
  if (wrong[0].length > 0) return [undefined, ...inSide(now, wrong)];
  const compiled = (declared: Api) =>
    loadAndCompile(former.discovery, declared, cache, { root: rootOf(former), isPartial: true });
  const [formerApi = api, mistakes] = former.declared ?? [api, []];
  const own = await compiled(formerApi);
  const [read, ...faults] = canComplete(own[0], today) ? own : await compiled(api);
  const then = completed(read, today);
  const deployment = deploymentOf(today, then, options.deployment);
  const formerDeployment = formerOf(then, deployment, options.deployment);
  const [after, ...excess] = await planCatalog(today, deployment, { hosts, root: rootOf(now) });
  if (after === undefined) return [undefined, ...inSide(now, excess)];
  const [fitting, ...formerExcess] = await planCatalog(then, formerDeployment, { hosts, root: rootOf(former) });
  const before =
    fitting ?? (await planCatalog(withoutPages(then), formerDeployment, { hosts: hosts.map(unlimited), root: "" }))[0];
  if (before === undefined) throw new Error("A build without limits exceeds one.");
  const [shown, omitted] = inSide(former, [
    [...faults[0], ...formerExcess[0]],
    [...faults[1], ...formerExcess[1]],
  ]);
  const earlier = { shown: [...mistakes, ...shown], omitted, uncompared: [...read.faulty].sort() };
  const sides = { before: { label: former.label, plan: before }, after: { label: now.label, plan: after } };
  return [{ ...sides, earlier, hosts }, [], []];
}

/** Whether current items can replace the items that have faults. */
const canComplete = ({ api, faulty }: Content, today: Catalog): boolean =>
  api.lists
    .filter(({ name }) => faulty.has(name))
    .every((list) => today.api.lists.some((own) => own.name === list.name && signatureOf(own) === signatureOf(list)));

/** Replaces the parts that have faults with the current parts. */
const completed = ({ api, items, deployments, settings, faulty }: Content, today: Catalog): Catalog => ({
  api,
  items: new Map([...today.items, ...items]),
  deployments: faulty.has("deployments") ? today.deployments : deployments,
  settings: faulty.has("api") ? today.settings : settings,
});

/** A page that fails is left out of the side before, and reported. */
const withoutPages = ({ api, ...catalog }: Catalog): Catalog => ({ ...catalog, api: { ...api, pages: [] } });

const unlimited = ({ limits: _, uses: __, ...host }: HostAdapter): HostAdapter => host;

const isFolder = (name: string): boolean => existsSync(name) && statSync(name).isDirectory();

const openFolder = async (folder: string): Promise<OpenedFolder> => ({
  label: folder,
  prefix: folder.replace(/\/*$/, "/"),
  discovery: await discover(folder),
});

/** A folder has the API of the declaration at the same relative path, if there is one. */
async function openEarlier({ content, against, declaration }: SidesOptions): Promise<OpenedFolder> {
  const opened = await openFolder(against);
  if (declaration === undefined) return opened;
  const folder = path.resolve(against, path.relative(content, declaration.folder));
  if (findDeclaration(folder, declaration.config) === undefined) return opened;
  return { ...opened, declared: await declaredIn(folder, declaration, `${path.relative("", folder)}/`) };
}

/** `prefix` is the prefix of the paths of files. */
async function declaredIn(
  folder: string,
  { config }: DeclarationPlace,
  prefix: string,
): Promise<Checked<Api | undefined>> {
  const [{ api }, faults] = await openDeclaration({ folder, config: findDeclaration(folder, config) });
  return [api, faults.map((each) => ({ ...each, file: `${prefix}${each.file}` }))];
}

const rootOf = ({ prefix }: OpenedFolder): string => prefix.replace(/\/$/, "");

type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

const inSide = ({ prefix }: OpenedFolder, [shown, omitted]: Faults): Faults => [
  shown.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
  omitted.map((each) => ({ ...each, file: `${prefix}${each.file}` })),
];

/** A named deployment may have been removed by the change. Throws MachineError if it never existed. */
function deploymentOf(catalog: Catalog, earlier: Catalog, asked: string | undefined): Deployment {
  const isGone = asked !== undefined && !catalog.deployments.has(asked) && earlier.deployments.has(asked);
  return isGone ? emptyDeployment(asked) : chooseDeployment(catalog, asked);
}

/** The deployment before the change: with the same name, else the default, else a deployment without operations. */
function formerOf({ deployments, settings }: Catalog, { name }: Deployment, asked: string | undefined): Deployment {
  const usual = asked === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  return deployments.get(name) ?? usual ?? emptyDeployment(name);
}

const emptyDeployment = (name: string): Deployment => ({ name, operations: [], documents: new Map() });
