// The two sides of a comparison, each read in the same way: its declaration, its content, its build in memory.
import { statSync } from "node:fs";
import path from "node:path";
import { type Api, listNamed } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { BuildOptions, BuildPlan } from "../build.ts";
import { planCatalog } from "../build.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Content, loadAndCompile } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { discover } from "../content/discover.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import type { Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import { signatureOf } from "../history/snapshot.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { listed } from "../text/words.ts";
import { type Checkout, isReference, withCheckout } from "./git.ts";
import { isPublished, readPublished } from "./published.ts";

export interface SidesOptions extends Pick<BuildOptions, "api" | "content" | "hosts" | "deployment"> {
  /** The place of the API's declaration. Undefined: both sides have the same API. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

export interface Side {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly plan: BuildPlan;
}

export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly earlier: Earlier;
  readonly hosts: readonly HostAdapter[];
  /** Sentences about what is compared. */
  readonly notes: readonly string[];
}

/** What is not known of the side before. Today's items, deployments and settings take its place in all amounts. */
export interface Earlier {
  /** Faults under the current rules, which may differ from the rules of its time. */
  readonly shown: readonly Diagnostic[];
  readonly omitted: readonly Omitted[];
  /** Operations, `deployments` and `api`: those with faults, and the operations that are loaded. */
  readonly uncompared: readonly string[];
  /** The operations whose items a function loads: it runs now, and the side does not hold the data of its time. */
  readonly loaded: readonly string[];
}

/** Where a side is. */
type Place = Omit<Checkout, "declaration"> & { readonly declaration: string | undefined };

/**
 * Opens the content before and after the change. The diagnostics belong to the content after it. Files are named by their
 * paths in their side: `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Reported<Sides | undefined>> {
  const { content, against, declaration, hosts, deployment: asked } = options;
  const now: Place = { ...folderPlace(content), declaration: undefined };
  if (isPublished(against)) return openPublished(options, now);
  const isFolder = statSync(against, { throwIfNoEntry: false })?.isDirectory() === true;
  const readFormer = (place: Place) => readSide(place, options);
  const former = isFolder
    ? await readFormer({ ...folderPlace(against), declaration: declaration && beside(against, content, declaration) })
    : await withCheckout({ content, declaration: declaration?.folder ?? content }, against, readFormer);
  const today = await readSide(now, options);
  if (today.faults[0].length > 0) return [undefined, ...today.faults];
  const { api, faulty } = former.content;
  const loaded = api.lists.filter((list) => isLoaded(api, list)).map(({ name }) => name);
  const then = completed(former.content, today.content, loaded);
  const deployment = deploymentOf(today.content, then, asked);
  const [after, ...excess] = await planCatalog(today.content, deployment, { hosts, root: today.root });
  if (after === undefined) return [undefined, ...today.name(excess)];
  const formerDeployment = formerOf(then, deployment, asked);
  // A page that fails is left out of the side before, and reported.
  const [fitting, ...formerExcess] = await planCatalog(then, formerDeployment, { hosts, root: former.root });
  const before = fitting ?? (await planWithoutLimits(then, formerDeployment, hosts));
  const [shown, omitted] = former.name(formerExcess);
  return [
    {
      before: { label: former.label, plan: before },
      after: { label: content, plan: after },
      earlier: {
        shown: [...former.faults[0], ...shown],
        omitted: [...former.faults[1], ...omitted],
        uncompared: [...new Set([...faulty, ...loaded])].sort(),
        loaded,
      },
      hosts,
      notes: isFolder && isReference(content, against) ? [bothNote(against)] : [],
    },
    [],
    [],
  ];
}

/** The side before is what is published, with its own data: nothing of it is loaded or made again. */
async function openPublished(options: SidesOptions, now: Place): Promise<Reported<Sides | undefined>> {
  const { content, against, hosts, deployment: asked } = options;
  const today = await readSide(now, options);
  if (today.faults[0].length > 0) return [undefined, ...today.faults];
  const [after, ...excess] = await planCatalog(today.content, chooseDeployment(today.content, asked), {
    hosts,
    root: today.root,
  });
  if (after === undefined) return [undefined, ...today.name(excess)];
  const published = await readPublished(against, after);
  const { catalog, deployment, unknown, label } = published;
  const [fitting] = await planCatalog(catalog, deployment, { hosts, root: "" });
  const before = fitting ?? (await planWithoutLimits(catalog, deployment, hosts));
  return [
    {
      before: { label, plan: before },
      after: { label: content, plan: { ...after, catalog: { ...after.catalog, api: published.today } } },
      earlier: { shown: [], omitted: [], uncompared: unknown, loaded: [] },
      hosts,
      notes: [
        ...(unknown.length === 0 ? [] : [`The dumps of ${listed(unknown)} are not published.`]),
        ...published.notes,
      ],
    },
    [],
    [],
  ];
}

/** A side before the change may exceed what hosts take today, and its pages may fail. */
async function planWithoutLimits(then: Catalog, deployment: Deployment, hosts: readonly HostAdapter[]) {
  const unlimited = hosts.map(({ limits: _, uses: __, ...host }) => host);
  const [plan] = await planCatalog({ ...then, api: { ...then.api, pages: [] } }, deployment, {
    hosts: unlimited,
    root: "",
  });
  if (plan === undefined) throw new Error("A build without limits exceeds one.");
  return plan;
}

const bothNote = (name: string): string =>
  `${name} is a folder and a git reference: the folder is compared. For a branch, write --against heads/${name}.`;

const folderPlace = (folder: string) => ({
  label: folder,
  content: folder,
  nameOf: (file: string) => file.split(path.sep).join("/"),
});

/** A folder of content has its declaration at the same relative path. */
const beside = (folder: string, content: string, declaration: Pick<DeclarationOptions, "folder">): string =>
  path.resolve(folder, path.relative(content, declaration.folder));

/** A side without a declaration of its own has today's API, as has one whose declaration has faults. */
async function readSide(place: Place, { api, declaration }: SidesOptions) {
  const { label, content: folderOfContent, declaration: folder, nameOf } = place;
  // Functions of the declaration fail at places that are relative to its folder.
  const root = folder === undefined ? folderOfContent : path.relative(folder, folderOfContent);
  const config = folder === undefined ? undefined : findDeclaration(folder, declaration?.config);
  const declared = folder !== undefined && config !== undefined ? await openDeclaration({ folder, config }) : undefined;
  const name = ([shown, omitted]: Faults, from = folderOfContent): Faults => [
    shown.map((each) => ({ ...each, file: nameOf(path.join(from, each.file)) })),
    omitted.map((each) => ({ ...each, file: nameOf(path.join(from, each.file)) })),
  ];
  const [content, ...faults] = await loadAndCompile(discover(folderOfContent), declared?.[0].api ?? api, {
    root,
    isPartial: true,
  });
  const [shown, omitted] = name(faults);
  const [mistakes] = name([declared?.[1] ?? [], []], folder);
  return { label, root, name, content, faults: [[...mistakes, ...shown], omitted] as const };
}

type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

const isLoaded = (api: Api, { load, from }: ListOperation): boolean =>
  load !== undefined || (from !== undefined && isLoaded(api, listNamed(api, from.operation)));

/** Replaces what is not known by what is there today, as far as items have the same key and order. */
function completed(former: Content, today: Catalog, loaded: readonly string[]): Catalog {
  const { api, deployments, settings, faulty } = former;
  const items = new Map(former.items);
  for (const list of api.lists) {
    const own = today.api.lists.find(({ name }) => name === list.name);
    const current = today.items.get(list.name);
    const isUnknown = faulty.has(list.name) || loaded.includes(list.name);
    if (isUnknown && own !== undefined && current !== undefined && signatureOf(own) === signatureOf(list)) {
      items.set(list.name, current);
    }
  }
  return {
    api,
    items,
    deployments: faulty.has("deployments") ? today.deployments : deployments,
    settings: faulty.has("api") ? today.settings : settings,
  };
}

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
