// The two sides of a comparison. Content of a folder or a commit is planned in memory; of a build or an address, the
// documents are read.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Api, listNamed } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type BuildPlan, type PlanOptions, planCatalog, planContent } from "../build.ts";
import type { Catalog } from "../content/catalog.ts";
import { compileContent, discoverFor, readContent } from "../content/content.ts";
import { type DeclarationOptions, findDeclaration, openDeclaration } from "../declaration/declaration.ts";
import { signatureOf } from "../history/build-state.ts";
import { type Message, type Messages, openLog } from "../messages.ts";
import { credentialsFor } from "../published/credentials.ts";
import { isAddress, parseAddress } from "../published/place.ts";
import { tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { type Checkout, withCheckout } from "./git.ts";
import { openPublishedSide } from "./published.ts";
import { type Side, sideOf } from "./side.ts";

export interface SidesOptions extends Omit<PlanOptions, "history"> {
  readonly api: Api;
  /** The place of the API's declaration. Undefined: both sides have the same API. */
  readonly declaration?: Pick<DeclarationOptions, "folder" | "config">;
  /** A folder of content or of a build, the address of a published API, or a git reference. */
  readonly against: string;
}

export interface Sides {
  readonly before: Side;
  readonly after: Side & { readonly plan: BuildPlan };
  /** The collections whose items before are not known. Today's take their place in all amounts. */
  readonly uncompared: readonly string[];
  /** Sentences about the extent of the comparison. */
  readonly notes: readonly string[];
}

/**
 * Opens the API before and after the change, or returns the messages of the side that has errors, which name its files:
 * `HEAD:content/api.yaml`. Throws MachineError if a side is missing.
 */
export async function openSides(options: SidesOptions): Promise<Sides | Messages> {
  const { content, against } = options;
  // Before the content is read, which takes longer.
  if (isAddress(against)) credentialsFor(parseAddress(against));
  const log = openLog();
  const plan = await planContent(await readContent(content, options.api, log), options, log);
  if (plan === undefined) return log.messages();
  const after = { ...(await sideOf(content, plan, log)), plan };
  // An address, or a folder that has a build.
  if (isAddress(against) || existsSync(path.join(against, tableFile)))
    return { ...(await openPublishedSide(against, after, options.today)), after };
  const earlier = await readEarlier(options, plan);
  if ("shown" in earlier) return earlier;
  const { before, uncompared } = earlier;
  const why = `functions load their items, or items to which they refer, and ${before.label} does not hold the data of its time`;
  const note = `Not compared: ${listed(uncompared)}; ${why}. The counts use today's items on both sides.`;
  const notes = uncompared.length === 0 ? [] : [note];
  return { before, after, uncompared, notes };
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

type Earlier = Pick<Sides, "before" | "uncompared">;

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

/** A side without a declaration has today's API. */
async function readPlace(place: Checkout, options: SidesOptions, today: BuildPlan): Promise<Earlier | Messages> {
  const { label, content: folder, declaration } = place;
  const all = openLog();
  // Places in the declaration are relative to its folder.
  const log = declaration === undefined ? all : all.below(declaration);
  const config = declaration && findDeclaration(declaration, options.declaration?.config);
  const declared = declaration && config ? await openDeclaration({ folder: declaration, config }, log) : undefined;
  if (log.hasErrors()) return named(log.messages(), place);
  const content = declaration === undefined ? folder : path.relative(declaration, folder);
  const api = declared?.api ?? options.api;
  const catalog = compileContent(discoverFor(folder, api), api, log, content);
  if (log.hasErrors()) return named(log.messages(), place);
  const loaded = api.collections.filter((list) => isLoaded(api, list));
  const { assets, settings, deployments } = catalog;
  const items = new Map([...catalog.items, ...loaded.flatMap((list) => loadedToday(list, today.catalog))]);
  // A deployment that is not named may have been renamed. Otherwise, it is new.
  const { name } = today.deployment;
  const usual = options.deployment === undefined ? deployments.get(settings.defaultDeployment) : undefined;
  const deployment = deployments.get(name) ?? usual ?? { name, operations: [], documents: new Map() };
  const { hosts } = today;
  const plan = await planCatalog(
    { api, items, assets, deployments, settings },
    deployment,
    { content, hosts, today: options.today },
    log,
  );
  if (plan === undefined) return named(log.messages(), place);
  return { before: await sideOf(label, plan, log), uncompared: loaded.map((list) => list.name) };
}

/** Whether items have values that a function loads: their own, or the keys of items to which they refer by another field. */
const isLoaded = (api: Api, { source, references }: ListOperation): boolean => {
  const needed = references.flatMap(({ to, by }) => (by === undefined ? [] : to));
  if (source.kind === "from") needed.push(...source.collections);
  return source.kind === "load" || needed.some((name) => isLoaded(api, listNamed(api, name)));
};

/** Today's items of a collection, if they have the same key and order. */
function loadedToday(list: ListOperation, { api, items }: Catalog) {
  const listToday = api.collections.find(({ name }) => name === list.name);
  const itemsToday = items.get(list.name);
  const signatures = (of: ListOperation) =>
    [undefined, ...of.orders].map((order) => [order?.name, signatureOf(of, order)]);
  const isAlike = listToday !== undefined && `${signatures(listToday)}` === `${signatures(list)}`;
  return isAlike && itemsToday !== undefined ? [[list.name, itemsToday] as const] : [];
}
