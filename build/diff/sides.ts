// The two sides of a comparison. Content of a folder or a commit is planned in memory; of a build or an address, the
// documents are read.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Api, type Apis, listNamed } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type PlanOptions, planCatalogs, planContents } from "../build.ts";
import type { Catalog, Items } from "../content/catalog.ts";
import { type Content, compileContents, discoverFor, readContents } from "../content/content.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import { signatureOf } from "../history/build-state.ts";
import { type Message, type Messages, openLog } from "../messages.ts";
import type { DeployedApi, PlannedApi } from "../plan/api.ts";
import type { BuildPlan } from "../plan/plan.ts";
import { credentialsFor } from "../published/credentials.ts";
import { isAddress, parseAddress } from "../published/place.ts";
import { tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { type Checkout, withCheckout } from "./git.ts";
import { openPublishedSides } from "./published.ts";
import {
  type BuildSide,
  type PlannedBuildSide,
  type PlannedSide,
  pairedBases,
  plannedSide,
  type Side,
} from "./side.ts";

export interface SidesOptions extends Omit<PlanOptions, "history"> {
  readonly apis: Apis;
  /** The place of their declaration. Undefined: both sides have the same APIs. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

/** The two sides of one API. */
export interface Sides {
  readonly before: Side;
  readonly after: PlannedSide;
  /** The collections whose items before are not known. Today's take their place in all amounts. */
  readonly uncompared: readonly string[];
  /** Sentences about the extent of the comparison. */
  readonly notes: readonly string[];
}

/** What is compared. */
export interface Comparison {
  readonly before: BuildSide;
  readonly after: PlannedBuildSide;
  /** The APIs that both sides have, in the order of the declaration. */
  readonly pairs: readonly Sides[];
  /** The APIs that only one side has. */
  readonly added: readonly PlannedSide[];
  readonly removed: readonly Side[];
}

/**
 * Opens the APIs before and after the change, or returns the messages of the side that has errors, which name its files:
 * `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Comparison | Messages> {
  const { content, against } = options;
  // Before the content is read, which takes longer.
  if (isAddress(against)) credentialsFor(parseAddress(against));
  const log = openLog();
  const plan = await planContents(await readContents(content, options.apis, log), options, log);
  if (plan === undefined) return log.messages();
  const after = await plannedSide(content, plan, log);
  // An address, or a folder that has a build.
  if (isAddress(against) || existsSync(path.join(against, tableFile))) {
    const { before, uncompared, notes } = await openPublishedSides(against, after.apis);
    return compared(before, after, ({ published: { base } }) => ({
      uncompared: uncompared.get(base) ?? [],
      notes: notes.get(base) ?? [],
    }));
  }
  const earlier = await readEarlier(options, plan);
  if ("shown" in earlier) return earlier;
  return compared(earlier.before, after, ({ published: { base }, label }) => {
    const uncompared = earlier.uncompared.get(base) ?? [];
    const why = `functions load their items, or items to which they refer, and ${label} does not contain the data of that time`;
    const note = `Not compared: ${listed(uncompared)}; ${why}. The counts use today's items on both sides.`;
    return { uncompared, notes: uncompared.length === 0 ? [] : [note] };
  });
}

/** `extentOf` says how far a side before is compared. */
function compared(
  before: BuildSide,
  after: PlannedBuildSide,
  extentOf: (side: Side) => Pick<Sides, "uncompared" | "notes">,
): Comparison {
  const basesOf = (sides: readonly Side[]) => sides.map(({ published }) => published.base);
  const counterparts = pairedBases(basesOf(before.apis), basesOf(after.apis));
  const pairs: Sides[] = [];
  const added: PlannedSide[] = [];
  for (const today of after.apis) {
    const earlier = before.apis.find(({ published }) => counterparts.get(published.base) === today.published.base);
    if (earlier === undefined) added.push(today);
    else pairs.push({ before: earlier, after: today, ...extentOf(earlier) });
  }
  const removed = before.apis.filter(({ published }) => !counterparts.has(published.base));
  return { before, after, pairs, added, removed };
}

const slashed = (file: string): string => file.split(path.sep).join("/");

/** The messages as readers know the files of a checkout. */
function named({ shown, omitted }: Messages, { nameOf, wordsOf }: Checkout): Messages {
  const messageOf = (message: Message): Message => ({
    ...message,
    place: { ...message.place, file: nameOf(message.place.file) },
    text: wordsOf(message.text),
  });
  return {
    shown: shown.map(messageOf),
    omitted: omitted.map((group) => ({ ...group, file: nameOf(group.file) })),
  };
}

interface Earlier {
  readonly before: BuildSide;
  /** By base. */
  readonly uncompared: ReadonlyMap<string, readonly string[]>;
}

/** A folder of content has its declaration at the same relative path. */
function readEarlier(options: SidesOptions, today: BuildPlan): Promise<Earlier | Messages> {
  const { against, content, declaration } = options;
  const read = (place: Checkout) => readPlace(place, options, today);
  const isFolder = statSync(against, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return withCheckout({ content, declaration: declaration?.folder ?? content }, against, read);
  const folder = declaration && path.resolve(against, path.relative(content, declaration.folder));
  const label = `the folder ${against}`;
  return read({ label, content: against, declaration: folder, nameOf: slashed, wordsOf: (message) => message });
}

/** A side without a declaration has today's APIs. */
async function readPlace(place: Checkout, options: SidesOptions, today: BuildPlan): Promise<Earlier | Messages> {
  const { label, content: folder, declaration } = place;
  const all = openLog();
  // Places in the declaration are relative to its folder.
  const log = declaration === undefined ? all : all.below(declaration);
  const config = declaration && findDeclaration(declaration, options.declaration?.config);
  const declared = declaration && config ? await openDeclaration({ folder: declaration, config }, log) : undefined;
  if (log.hasErrors()) return named(log.messages(), place);
  const content = declaration === undefined ? folder : path.relative(declaration, folder);
  const apis = declared?.apis ?? options.apis;
  const contents = compileContents(discoverFor(folder, apis), apis, log, { folder: content });
  if (log.hasErrors()) return named(log.messages(), place);
  const bases = today.apis.map(({ table }) => table.base);
  const counterparts = pairedBases(
    apis.map(({ base }) => base),
    bases,
  );
  const uncompared = new Map<string, readonly string[]>();
  const parts: DeployedApi[] = [];
  for (const catalog of contents) {
    const counterpart = today.apis.find(({ table }) => table.base === counterparts.get(catalog.api.base));
    const part = partOf(catalog, counterpart, options.deployment, today.apis[0].deployment.name);
    uncompared.set(
      catalog.api.base,
      catalog.api.collections.filter((list) => isLoaded(catalog.api, list)).map(({ name }) => name),
    );
    if (contents.length === 1 || part.deployment.operations.length > 0) parts.push(part);
  }
  const [first, ...others] = parts;
  if (first === undefined) return { before: { apis: [], warnings: [] }, uncompared };
  const plan = await planCatalogs([first, ...others], { content, hosts: today.hosts, today: options.today }, log);
  if (plan === undefined) return named(log.messages(), place);
  return { before: await plannedSide(label, plan, log), uncompared };
}

/**
 * The content of an API at the place, with today's items of collections that are loaded, for the deployment that is compared.
 * `today` is the API with which it is compared.
 */
function partOf(
  { api, items, assets, settings, deployments }: Content,
  today: PlannedApi | undefined,
  requested: string | undefined,
  name: string,
): DeployedApi {
  const loaded = api.collections.filter((list) => isLoaded(api, list));
  const all = new Map(items);
  for (const list of loaded) {
    const ofToday = today && loadedToday(list, today.catalog);
    if (ofToday !== undefined) all.set(list.name, ofToday);
  }
  // A deployment that is not named may have been renamed. Otherwise, it is new.
  const usual = requested === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  const deployment = deployments.get(name) ?? usual ?? { name, operations: [], documents: new Map() };
  return { catalog: { api, items: all, assets, deployments, settings }, deployment };
}

/** Whether items have values that a function loads: their own, or the keys of items to which they refer by another field. */
const isLoaded = (api: Api, { source, references }: ListOperation): boolean => {
  const needed = references.flatMap(({ to, by }) => (by === undefined ? [] : to));
  if (source.kind === "from") needed.push(...source.collections);
  return source.kind === "load" || needed.some((name) => isLoaded(api, listNamed(api, name)));
};

/** Today's items of a collection, if they have the same key and order. */
function loadedToday(list: ListOperation, { api, items }: Catalog): Items | undefined {
  const listToday = api.collections.find(({ name }) => name === list.name);
  const signatures = (of: ListOperation) =>
    [undefined, ...of.orders].map((order) => [order?.name, signatureOf(of, order)]);
  const isAlike = listToday !== undefined && `${signatures(listToday)}` === `${signatures(list)}`;
  return isAlike ? items.get(list.name) : undefined;
}
