// Compiles the content folder to a Catalog. One run finds all faults.
import { type Api, listNamed } from "../../src/api.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import type { Diagnostic, Reported } from "../diagnostics.ts";
import type { Catalog } from "./catalog.ts";
import type { Role } from "./classify.ts";
import { readDeployments } from "./deployments.ts";
import { type Discovery, discover, relativeTo } from "./discover.ts";
import type { Fault } from "./faults/fault.ts";
import { readItems } from "./items.ts";
import { type DoJobs, readLarge } from "./jobs.ts";
import type { Done } from "./lanes.ts";
import { withLoaded } from "./load.ts";
import { locate } from "./locate.ts";
import { type Folder, openFolder } from "./read.ts";
import type { Referable } from "./referable.ts";
import { itemsOf } from "./rows.ts";
import { readSettings } from "./settings.ts";

/** The catalog, and the known parts of content with faults. */
export interface Content extends Catalog {
  /** By the name of an operation to whose items others refer. */
  readonly referable: ReadonlyMap<string, () => Referable>;
  /** The names of the deployments in order of code units, including faulty ones; undefined if some are unknown. */
  readonly deploymentNames: readonly string[] | undefined;
  /** Operations, `deployments` and `api`, if they have faults or are unknown. */
  readonly faulty: ReadonlySet<string>;
  /** The words against which content is checked. */
  readonly vocabulary: Vocabulary;
  /** Whether the folder contains no content, so that another folder may be meant. */
  readonly isEmpty: boolean;
}

export interface ContentEvents {
  /** Called with the known content, even if it has faults. */
  readonly onContent?: (content: Content) => void;
}

/** `cache` caches the items of large YAML files. Throws MachineError if the folder does not exist. */
export async function readCatalog(
  folder: string,
  api: Api,
  cache?: Cache,
  { onContent, doJobs }: ContentEvents & { readonly doJobs?: DoJobs | undefined } = {},
): Promise<Reported<Content>> {
  const read = await loadAndCompile(await discover(folder), api, cache, { root: folder, doJobs });
  onContent?.(read[0]);
  return read;
}

/** Like `compileContent`, with the items that collections load. `doJobs` reads large content. */
export async function loadAndCompile(
  discovery: Discovery,
  api: Api,
  cache?: Cache,
  { doJobs, ...options }: Omit<CompileOptions, "done"> & { readonly doJobs?: DoJobs | undefined } = {},
): Promise<Reported<Content>> {
  const [all, failed] = await withLoaded(discovery, api);
  const done = doJobs && (await readLarge(all, api, cache, doJobs));
  const [content, shown, omitted] = compileContent(all, api, cache, { ...options, done });
  return [content, [...failed.map(inRoot(options.root ?? "")), ...shown], omitted];
}

/** Names the file of a declaration's fault by its path in the folder of the content, as all faults do. */
export const inRoot =
  (root: string) =>
  (fault: Diagnostic): Diagnostic => ({ ...fault, file: relativeTo(root, fault.file) });

/** The hosts named in api.yaml. Undefined if there are none, or api.yaml has faults, which `readCatalog` reports. */
export async function hostsIn(folder: string, api: Api): Promise<readonly string[] | undefined> {
  const [{ settings }] = readSettings(openFolder(await discover(folder, "api.*"), api)[0]);
  return settings.hosts;
}

interface CompileOptions {
  readonly root?: string | undefined;
  readonly isPartial?: boolean;
  /** The files that have been read already, by name. */
  readonly done?: ReadonlyMap<string, Done> | undefined;
}

/**
 * The catalog of content with diagnostics is partial: it has no items, or with `isPartial` only items of operations
 * without faults. Messages name files by their paths in `root`.
 */
export function compileContent(
  discovery: Discovery,
  api: Api,
  cache?: Cache,
  { root, isPartial = false, done }: CompileOptions = {},
): Reported<Content> {
  const [folder, folderFaults] = openFolder(discovery, api);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(folder);
  const [deployments, deploymentFaults] = readDeployments(folder, vocabulary);
  const [{ rows, referable }, itemFaults] = readItems(folder, vocabulary, cache, done);
  const faults = [...folderFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  const faulty = withMade(placesWith(faults, folder), api);
  const listed = [...rows].filter(([operation]) => faults.length === 0 || (isPartial && !faulty.has(operation)));
  const items = listed.map(([name, own]) => [name, itemsOf(own, listNamed(api, name))] as const);
  const named = new Set(folder.files.flatMap(({ role }) => (role.kind === "deployment" ? [role.name] : [])));
  const deploymentNames = folder.lost.has("deployments") ? undefined : [...named].sort();
  const isEmpty = folder.files.length === 0;
  const known = { referable, deploymentNames, vocabulary, faulty, isEmpty };
  const content = { api, items: new Map(items), deployments, settings, ...known };
  return [content, ...locate(faults, undefined, root)];
}

function placesWith(faults: readonly Fault[], { files, lost }: Folder): ReadonlySet<string> {
  const named = new Set(faults.map(({ at }) => at.source.file));
  const places = files.filter(({ file }) => named.has(file)).map(({ role }) => placeOfRole(role));
  return new Set([...lost, ...places]);
}

/** Adds the operations that derive their items from these. */
function withMade(places: ReadonlySet<string>, api: Api): ReadonlySet<string> {
  const made = api.lists.filter(({ from }) => from !== undefined && places.has(from.operation)).map(({ name }) => name);
  return made.every((name) => places.has(name)) ? places : withMade(new Set([...places, ...made]), api);
}

function placeOfRole(role: Role): string {
  switch (role.kind) {
    case "settings":
    case "logo":
      return "api";
    case "deployment":
      return "deployments";
    case "items":
      return role.operation;
  }
}
