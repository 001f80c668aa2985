// The two sides of a comparison: what each publishes, its items and settings, and its plan. Content is planned in memory;
// of a build or an address, the documents are read.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type Api, listNamed } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { isAddress, publicName } from "../address/given.ts";
import { type BuildOptions, type BuildPlan, planCatalog } from "../build.ts";
import type { Catalog, Deployment, Items } from "../content/catalog.ts";
import { type Content, loadAndCompile } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { discover } from "../content/discover.ts";
import { itemsOf } from "../content/store.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import type { Diagnostic, Omitted, Reported } from "../diagnostics.ts";
import { signatureOf } from "../history/snapshot.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { declaredChanges } from "./declaration.ts";
import { type Checkout, isReference, withCheckout } from "./git.ts";
import { inFolder, type Published, publishedAt, publishedBy, type Read, withAddress } from "./published.ts";

export interface SidesOptions extends Pick<BuildOptions, "api" | "content" | "hosts" | "deployment"> {
  /** The place of the API's declaration. Undefined: both sides have the same API. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

export interface Side extends Pick<Catalog, "deployments" | "items" | "settings"> {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly published: Published;
  readonly deployment: Deployment;
  /** Undefined for a published build of another declaration, whose files are not known. */
  readonly plan: BuildPlan | undefined;
}

export interface Sides {
  readonly before: Side;
  readonly after: Side & { readonly plan: BuildPlan };
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

/** Where the content of a side is. */
type Place = Omit<Checkout, "declaration"> & { readonly declaration: string | undefined };

/**
 * Opens the API before and after the change. The diagnostics belong to the content after it. Files are named by their
 * paths in their side: `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Reported<Sides | undefined>> {
  const { content, against, declaration, hosts, deployment: asked } = options;
  const isBuild = isAddress(against) || existsSync(path.join(against, tableFile));
  const isFolder = statSync(against, { throwIfNoEntry: false })?.isDirectory() === true;
  const readFormer = (place: Place) => readSide(place, options);
  const former = isBuild
    ? undefined
    : isFolder
      ? await readFormer({ ...folderPlace(against), declaration: declaration && beside(against, content, declaration) })
      : await withCheckout({ content, declaration: declaration?.folder ?? content }, against, readFormer);
  const today = await readSide({ ...folderPlace(content), declaration: undefined }, options);
  if (today.faults[0].length > 0) return [undefined, ...today.faults];
  const loaded = former === undefined ? [] : loadedIn(former.content.api);
  const then = former && completed(former.content, today.content, loaded);
  const deployment = deploymentOf(today.content, then, asked);
  const [plan, ...excess] = await planCatalog(today.content, deployment, { hosts, root: today.root });
  if (plan === undefined) return [undefined, ...today.name(excess)];
  const after = { ...(await sideOf(content, plan)), plan };
  if (former === undefined || then === undefined) {
    const { before, unknown, notes } = await openPublished(against, after, hosts);
    const earlier = { shown: [], omitted: [], uncompared: unknown, loaded: [] };
    return [{ before, after, earlier, hosts, notes }, [], []];
  }
  const formerDeployment = formerOf(then, deployment, asked);
  // A page that fails is left out of the side before, and reported.
  const [fitting, ...formerExcess] = await planCatalog(then, formerDeployment, { hosts, root: former.root });
  const before = fitting ?? (await planWithoutLimits(then, formerDeployment, hosts));
  const [shown, omitted] = former.name(formerExcess);
  const earlier = {
    shown: [...former.faults[0], ...shown],
    omitted: [...former.faults[1], ...omitted],
    uncompared: [...new Set([...former.content.faulty, ...loaded])].sort(),
    loaded,
  };
  const notes = isFolder && isReference(content, against) ? [bothNote(against)] : [];
  return [{ before: await sideOf(former.label, before), after, earlier, hosts, notes }, [], []];
}

async function sideOf(label: string, plan: BuildPlan): Promise<Side> {
  const { deployments, items, settings } = plan.catalog;
  return { label, published: await publishedBy(plan), deployments, items, settings, deployment: plan.deployment, plan };
}

const bothNote = (name: string): string =>
  `${name} is a folder and a git reference: the folder is compared. For a branch, write --against heads/${name}.`;

interface OpenedBuild {
  readonly before: Side;
  /** The lists whose dump is not published: the side has today's items. */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

async function openPublished(
  against: string,
  today: Sides["after"],
  hosts: readonly HostAdapter[],
): Promise<OpenedBuild> {
  const { base } = today.published;
  if (isAddress(against)) return withAddress(against, base, (read) => open(base, read));
  const table = parseRoutingTable(readFileSync(path.join(against, tableFile), "utf8"));
  return open(table?.base ?? base, inFolder(against));

  async function open(at: string, read: Read): Promise<OpenedBuild> {
    const label = publicName(against);
    const published = await publishedAt(at, read);
    if (published === undefined) {
      throw new MachineError(`There is no API of this program at ${label}${at}.`, "Check the address and its base.");
    }
    const { api } = today.plan.catalog;
    let isAlike = isDeclaredAlike(published, today);
    const items = new Map(today.items);
    const unknown: string[] = [];
    for (const { name } of published.operations.filter(({ kind }) => kind === "list")) {
      const list = api.lists.find((each) => each.name === name);
      const dump = `${at}/dumps/${name}.ndjson`;
      const bytes = list && (await read(dump, dump.slice(1)));
      if (list === undefined || bytes === undefined) {
        unknown.push(name);
        continue;
      }
      const lines = linesOf(bytes, name);
      const filtered = isAlike ? withFunctions(list, lines) : undefined;
      isAlike = filtered !== undefined;
      items.set(name, filtered ?? itemsOf({ ...list, filters: [] }, lines));
    }
    const side = sideAt(label, published, items, today);
    const plan = isAlike ? await planAgain(side, api, hosts) : undefined;
    const withoutValues = published.operations.flatMap(({ name, values }) => (values === undefined ? [name] : []));
    const notes = [
      ...(unknown.length === 0 ? [] : [`The dumps of ${listed(unknown)} are not published.`]),
      ...withoutValues.map((name) => `The values of the filters of ${name} are not published, so not compared.`),
      ...(plan === undefined
        ? [`The files of ${label} are not compared: its declaration or its vocabularies are not today's.`]
        : []),
    ];
    return { before: { ...side, plan }, unknown, notes };
  }
}

function sideAt(label: string, published: Published, items: Side["items"], today: Side): Omit<Side, "plan"> {
  const { title, description, operations } = published;
  const sizes = operations.flatMap(({ name, page_sizes: own }) =>
    own === undefined ? [] : [[name, own === "every" ? everyPageSize : own] as const],
  );
  const contents = operations.flatMap(({ name, content }) =>
    content === undefined ? [] : [[name, Object(content)] as const],
  );
  return {
    label,
    published,
    items,
    deployments: today.deployments,
    deployment: { ...today.deployment, operations: operations.map(({ name }) => name), documents: new Map(contents) },
    settings: {
      ...today.settings,
      title: title === "API" ? undefined : title,
      description,
      pageSizes: new Map([...today.settings.pageSizes, ...sizes]),
    },
  };
}

/** Whether today's declaration can list what was published. */
const isDeclaredAlike = ({ base, operations }: Published, { published, plan }: Sides["after"]): boolean =>
  base === published.base &&
  operations.every(({ name }) => plan.catalog.api.operations.some((each) => each.name === name)) &&
  declaredChanges(operations, published.operations).length === 0;

/** The plan of published data. Undefined if today's declaration publishes other rules or values of filters for it. */
async function planAgain(
  { published, deployment, deployments, items, settings }: Omit<Side, "plan">,
  api: Api,
  hosts: readonly HostAdapter[],
): Promise<BuildPlan | undefined> {
  const then = { api, items, deployments, settings };
  const [fitting] = await planCatalog(then, deployment, { hosts, root: "" });
  const plan = fitting ?? (await planWithoutLimits(then, deployment, hosts));
  const { operations } = await publishedBy(plan);
  const valuesIn = (all: Published["operations"]) => JSON.stringify(all.map(({ values = [] }) => [...values]));
  const isSame = declaredChanges(published.operations, operations).length === 0;
  return isSame && valuesIn(operations) === valuesIn(published.operations) ? plan : undefined;
}

function withFunctions(list: ListOperation, items: readonly Item[]): Items | undefined {
  try {
    return itemsOf(list, items);
  } catch {
    // A function that fails for a published item is not the one that listed it.
    return undefined;
  }
}

function linesOf(dump: Buffer, name: string): readonly Item[] {
  const lines = dump.toString().split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const item = parseJson(line);
      if (typeof item === "object" && item !== null) return Object(item);
      throw new MachineError(`The dump of ${name} is damaged: a line is no item.`, "Compare with another build.");
    });
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

const loadedIn = (api: Api): readonly string[] =>
  api.lists.filter((list) => isLoaded(api, list)).map(({ name }) => name);

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
