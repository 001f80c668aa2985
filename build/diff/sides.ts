// The two sides of a comparison. Content of a folder or a commit is planned in memory; of a build or an address, the
// documents are read.
import { statSync } from "node:fs";
import path from "node:path";
import { type Api, listNamed } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type BuildOptions, planCatalog } from "../build.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Content, loadAndCompile } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { discover } from "../content/discover.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import type { Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import { signatureOf } from "../history/snapshot.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Checkout, isReference, withCheckout } from "./git.ts";
import { isPublished, openPublished } from "./published-side.ts";
import { type PlannedSide, planOf, type Side, sideOf } from "./side.ts";

export interface SidesOptions extends Pick<BuildOptions, "api" | "content" | "hosts" | "deployment"> {
  /** The place of the API's declaration. Undefined: both sides have the same API. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

export interface Sides {
  readonly before: Side;
  readonly after: PlannedSide;
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

/**
 * Opens the API before and after the change. The diagnostics belong to the content after it. Files are named by their
 * paths in their side: `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Reported<Sides | undefined>> {
  const { content, against, hosts, deployment: asked } = options;
  const today = await readSide(placeOf(content), options);
  const former = isPublished(against) ? undefined : await readFormer(options);
  if (today.faults[0].length > 0) return [undefined, ...today.faults];
  const loaded =
    former?.content.api.lists.filter((list) => isLoaded(former.content.api, list)).map(({ name }) => name) ?? [];
  const then = former && completed(former.content, today.content, loaded);
  const deployment = deploymentOf(today.content, then, asked);
  const [plan, ...excess] = await planCatalog(today.content, deployment, { hosts, root: today.root });
  if (plan === undefined) return [undefined, ...today.name(excess)];
  const after = await sideOf(content, plan);
  if (former === undefined || then === undefined) {
    const { before, unknown, notes } = await openPublished(against, after, hosts);
    const earlier = { shown: [], omitted: [], uncompared: unknown, loaded: [] };
    return [{ before, after, earlier, hosts, notes }, [], []];
  }
  // A page that fails is left out of the side before, and reported.
  const [before, ...formerExcess] = await planOf(then, formerOf(then, deployment, asked), hosts, former.root);
  const [shown, omitted] = former.name(formerExcess);
  const earlier = {
    shown: [...former.faults[0], ...shown],
    omitted: [...former.faults[1], ...omitted],
    uncompared: [...new Set([...former.content.faulty, ...loaded])].sort(),
    loaded,
  };
  const both = `${against} is a folder and a git reference: the folder is compared. For a branch, write --against heads/${against}.`;
  const notes = isFolder(against) && isReference(content, against) ? [both] : [];
  return [{ before: await sideOf(former.label, before), after, earlier, hosts, notes }, [], []];
}

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder of content has its declaration at the same relative path. */
function readFormer(options: SidesOptions) {
  const { against, content, declaration } = options;
  const read = (place: Checkout) => readSide(place, options);
  if (!isFolder(against)) return withCheckout({ content, declaration: declaration?.folder ?? content }, against, read);
  return read(placeOf(against, declaration && path.resolve(against, path.relative(content, declaration.folder))));
}

const placeOf = (folder: string, declaration?: string): Checkout => ({
  ...{ label: folder, content: folder, declaration },
  nameOf: (file) => file.split(path.sep).join("/"),
});

/** A side without a declaration of its own has today's API, as has one whose declaration has faults. */
async function readSide({ label, content: from, declaration: folder, nameOf }: Checkout, options: SidesOptions) {
  // Functions of the declaration fail at places that are relative to its folder.
  const root = folder === undefined ? from : path.relative(folder, from);
  const config = folder && findDeclaration(folder, options.declaration?.config);
  const [declared, mistakes] = folder && config ? await openDeclaration({ folder, config }) : [];
  const [content, ...faults] = await loadAndCompile(discover(from), declared?.api ?? options.api, {
    root,
    isPartial: true,
  });
  const named = <Found extends { readonly file: string }>(all: readonly Found[], at = from) =>
    all.map((each) => ({ ...each, file: nameOf(path.join(at, each.file)) }));
  const name = ([shown, omitted]: Faults): Faults => [named(shown), named(omitted)];
  const [shown, omitted] = name(faults);
  return { label, root, name, content, faults: [[...named(mistakes ?? [], folder), ...shown], omitted] as const };
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
    if (isUnknown && own !== undefined && current !== undefined && signatureOf(own) === signatureOf(list))
      items.set(list.name, current);
  }
  return {
    ...{ api, items },
    deployments: faulty.has("deployments") ? today.deployments : deployments,
    settings: faulty.has("api") ? today.settings : settings,
  };
}

/** A named deployment may have been removed by the change. Throws MachineError if it never existed. */
function deploymentOf(catalog: Catalog, earlier: Catalog | undefined, asked: string | undefined): Deployment {
  const isGone = asked !== undefined && !catalog.deployments.has(asked) && earlier?.deployments.has(asked) === true;
  return isGone ? emptyDeployment(asked) : chooseDeployment(catalog, asked);
}

/** The deployment before the change: with the same name, else the default, else a deployment without operations. */
function formerOf({ deployments, settings }: Catalog, { name }: Deployment, asked: string | undefined): Deployment {
  const usual = asked === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  return deployments.get(name) ?? usual ?? emptyDeployment(name);
}

const emptyDeployment = (name: string): Deployment => ({ name, operations: [], documents: new Map() });
