// The two versions of a comparison. Content of a folder or a commit is planned in memory; of a build or an address, the
// documents are read.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Api, type Apis, listNamed } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type PlanOptions, planCatalogs, planContents } from "../build.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Content, compileContents, discoverFor, readContents } from "../content/content.ts";
import { outsideFolders } from "../content/globs.ts";
import type { Items } from "../content/table/items.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import { slashed } from "../files/folders.ts";
import { signatureOf } from "../history/build-state.ts";
import { type Message, type Messages, openLog } from "../messages.ts";
import { credentialsFor } from "../published/credentials.ts";
import { isAddress, parseAddress } from "../published/place.ts";
import { tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { type Checkout, withCheckout } from "./git.ts";
import { counterpartsOf } from "./pair.ts";
import { readPublished } from "./published.ts";
import { type PlannedVersion, plannedVersion, type Version } from "./side.ts";

export interface DiffOptions extends Omit<PlanOptions, "history"> {
  readonly apis: Apis;
  /** The place of their declaration. Undefined: both versions have the same APIs. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

/**
 * Reads the APIs before and after the change, or returns the messages of the version that has errors, which name its files:
 * `HEAD:content/api.yaml`. Throws MachineError if a version is missing.
 */
export async function readVersions(
  options: DiffOptions,
): Promise<{ readonly before: Version; readonly after: PlannedVersion } | Messages> {
  const { content, against } = options;
  // Before the content is read, which takes longer.
  if (isAddress(against)) credentialsFor(parseAddress(against));
  const log = openLog();
  const plan = await planContents(await readContents(content, options.apis, log), options, log);
  if (plan === undefined) return log.messages();
  const after = await plannedVersion(content, plan, log);
  // An address, or a folder that has a build.
  const isBuilt = isAddress(against) || existsSync(path.join(against, tableFile));
  const before = isBuilt ? await readPublished(against, after.sides) : await readBefore(options, after);
  return "shown" in before ? before : { before, after };
}

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

/** A folder of content has its declaration at the same relative path. */
function readBefore(options: DiffOptions, after: PlannedVersion): Promise<Version | Messages> {
  const { against, content, declaration } = options;
  const read = (place: Checkout) => readPlace(place, options, after);
  const isFolder = statSync(against, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return withCheckout({ content, declaration: declaration?.folder ?? content }, against, read);
  const folder = declaration && path.resolve(against, path.relative(content, declaration.folder));
  const label = `the folder ${against}`;
  const names = { nameOf: slashed, wordsOf: (message: string) => message };
  return read({ label, content: against, declaration: folder, has: existsSync, ...names });
}

/** A version without a declaration has today's APIs. */
async function readPlace(place: Checkout, options: DiffOptions, after: PlannedVersion): Promise<Version | Messages> {
  const { label, content: folder, declaration } = place;
  const all = openLog();
  // Places in the declaration are relative to its folder.
  const log = declaration === undefined ? all : all.below(declaration);
  const config = declaration && findDeclaration(declaration, options.declaration?.config);
  const declared = declaration && config ? await openDeclaration({ folder: declaration, config }, log) : undefined;
  if (log.hasErrors()) return named(log.messages(), place);
  const content = declaration === undefined ? folder : path.relative(declaration, folder);
  const apis = declared?.apis ?? options.apis;
  const contents = compileContents(await discoverFor(folder, apis, place.has), apis, log, { folder: content });
  if (log.hasErrors()) return named(log.messages(), place);
  const { hosts, apis: apisAfter } = after.plan;
  const deployed = contents
    .map((catalog) => ({
      catalog,
      deployment: deploymentOf(catalog, options.deployment, apisAfter[0].deployment.name),
    }))
    .filter(({ deployment }) => contents.length === 1 || deployment.operations.length > 0);
  const counterparts = counterpartsOf(
    deployed.map(({ catalog }) => catalog.api.base),
    after.sides,
  );
  const [first, ...others] = deployed.map(({ catalog, deployment }) => ({
    catalog: withLoaded(catalog, place, counterparts.get(catalog.api.base)?.plan.catalog),
    deployment,
  }));
  if (first === undefined) return { sides: [], warnings: [] };
  const plan = await planCatalogs([first, ...others], { content, hosts, today: options.today }, log);
  if (plan === undefined) return named(log.messages(), place);
  const version = await plannedVersion(label, plan, log);
  return { ...version, sides: version.sides.map((side) => ({ ...side, ...unknownIn(side.plan.catalog.api, place) })) };
}

/** The deployment of a content that is compared with the one of this name. `requested` is the name that the user chose. */
function deploymentOf({ deployments, settings }: Content, requested: string | undefined, name: string): Deployment {
  // A deployment that is not named may have been renamed. Otherwise, it is new.
  const usual = requested === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  return deployments.get(name) ?? usual ?? { name, operations: [], documents: new Map() };
}

/** The content with today's items of collections that are loaded, or lie in folders that the version does not have. */
function withLoaded(content: Content, place: Checkout, catalogAfter: Catalog | undefined): Content {
  const items = new Map(content.items);
  for (const list of loadedIn(content.api, place)) {
    const itemsToday = catalogAfter && loadedToday(list, catalogAfter);
    if (itemsToday !== undefined) items.set(list.name, itemsToday);
  }
  return { ...content, items };
}

function unknownIn(api: Api, place: Checkout): Pick<Version["sides"][number], "uncompared" | "notes"> {
  const { label } = place;
  const uncompared = loadedIn(api, place).map(({ name }) => name);
  const hasFolders = api.collections.every((list) => !isElsewhere(list, place));
  const how = hasFolders ? "functions load" : "functions load, or folders outside of git have,";
  const why = `${how} their items, or items to which they refer, and ${label} does not contain the data of that time`;
  const note = `Not compared: ${listed(uncompared)}; ${why}. The counts use today's items on both sides.`;
  return { uncompared, notes: uncompared.length === 0 ? [] : [note] };
}

const loadedIn = (api: Api, place: Checkout): readonly ListOperation[] =>
  api.collections.filter((list) => isLoaded(api, list, place));

/**
 * Whether items have values that a function loads, or that are in a folder that the version does not have: their own, or the
 * keys of items to which they refer by another field.
 */
const isLoaded = (api: Api, list: ListOperation, place: Checkout): boolean => {
  const { source, references } = list;
  const needed = references.flatMap(({ to, by }) => (by === undefined ? [] : to));
  if (source.kind === "from") needed.push(...source.collections);
  const isKnown = source.kind !== "load" && !isElsewhere(list, place);
  return !isKnown || needed.some((name) => isLoaded(api, listNamed(api, name), place));
};

/** Whether the version does not have a folder of a collection's files. */
const isElsewhere = (list: ListOperation, { has }: Checkout): boolean =>
  outsideFolders([list]).some(({ folder }) => !has(folder.path));

/** Today's items of a collection, if they have the same key and order. */
function loadedToday(list: ListOperation, { api, items }: Catalog): Items | undefined {
  const listToday = api.collections.find(({ name }) => name === list.name);
  const signatures = (of: ListOperation) =>
    [undefined, ...of.orders].map((order) => [order?.name, signatureOf(of, order)]);
  const isAlike = listToday !== undefined && `${signatures(listToday)}` === `${signatures(list)}`;
  return isAlike ? items.get(list.name) : undefined;
}
