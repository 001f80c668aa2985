// Compiles the content folder to a Catalog, here in the order in which it happens: files are found and get their roles,
// settings and deployments are read, then the items of each collection (items.ts, collection.ts). One run finds all faults.
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import type { Api } from "../../src/model/api.ts";
import { type Diagnostic, type Reported, wholeBuild } from "../diagnostics.ts";
import { listed } from "../text/words.ts";
import type { Catalog } from "./catalog.ts";
import { deploymentsIn, readDeployments } from "./deployments.ts";
import { type Discovery, discover, relativeTo } from "./discover.ts";
import { fieldsOfPath, globsOf } from "./globs.ts";
import { type Referable, readItemsOf } from "./items.ts";
import { type Loaded, loadAll } from "./load.ts";
import { locate } from "./locate.ts";
import { isEmpty, openFolder } from "./read.ts";
import { readSettings } from "./settings.ts";

/** The catalog, and the known parts of content with faults. */
export interface Content extends Catalog {
  /** By the name of an operation to whose items others refer. */
  readonly referable: ReadonlyMap<string, Referable>;
  /** The names of the deployments in order of code units, including faulty ones; undefined if some are unknown. */
  readonly deploymentNames: readonly string[] | undefined;
  /** The words against which content is checked. */
  readonly vocabulary: Vocabulary;
  /** Notes about valid content, a sentence each. */
  readonly warnings: readonly string[];
  /** Whether the folder contains no content, so that another folder may be meant. */
  readonly isEmpty: boolean;
}

export interface ContentEvents {
  /** Called with the known content, even if it has faults. */
  readonly onContent?: (content: Content) => void;
}

/** Throws MachineError if the folder does not exist. */
export async function readCatalog(
  folder: string,
  api: Api,
  { onContent }: ContentEvents = {},
): Promise<Reported<Content>> {
  const read = await loadAndCompile(discover(folder), api, { root: folder });
  onContent?.(read[0]);
  return read;
}

interface CompileOptions {
  /** Messages name files by their paths in this folder. */
  readonly root?: string | undefined;
  readonly loaded?: Loaded;
}

/** Like `compileContent`, with the items that collections load. */
export async function loadAndCompile(
  discovery: Discovery,
  api: Api,
  options: Omit<CompileOptions, "loaded"> = {},
): Promise<Reported<Content>> {
  const [loaded, failed] = await loadAll(api);
  const [content, shown, omitted] = compileContent(discovery, api, { ...options, loaded });
  return [content, [...failed.map(inRoot(options.root ?? "")), ...shown], omitted];
}

export function compileContent(
  discovery: Discovery,
  api: Api,
  { root, loaded = new Map() }: CompileOptions = {},
): Reported<Content> {
  const [folder, folderFaults] = openFolder(discovery, api);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(folder);
  const [deployments, deploymentFaults] = readDeployments(folder, vocabulary);
  const read = readItemsOf(folder, vocabulary, loaded);

  const faults = [...folderFaults, ...settingsFaults, ...deploymentFaults, ...read.logs.flatMap((log) => log.faults)];
  const omitted = read.logs.flatMap((log) => log.omitted());
  const content = {
    api,
    items: new Map(faults.length > 0 ? [] : api.lists.map(({ name }) => [name, read.itemsOf(name)])),
    deployments,
    settings,
    referable: read.referable,
    deploymentNames: folder.lost.has("deployments") ? undefined : [...new Set(deploymentsIn(folder))].sort(),
    vocabulary,
    warnings: unmatched(discovery, api),
    isEmpty: isEmpty(folder),
  };
  return [content, ...locate(faults, { omitted, folder: root })];
}

/** The collections whose globs match no file. A glob is more often wrong than its collection is empty. */
const unmatched = ({ files }: Discovery, { lists }: Api): readonly string[] =>
  lists.flatMap((operation) => {
    const globs = globsOf(operation);
    if (globs === undefined || files.some(({ file }) => fieldsOfPath(globs, file) !== undefined)) return [];
    return [`The collection ${operation.name} is empty: no file below content/ matches ${listed(globs)}.`];
  });

/** Names the file of a declaration's fault by its path in the folder of the content. Faults of the whole build do so. */
export const inRoot =
  (root: string) =>
  (fault: Diagnostic): Diagnostic =>
    fault.file === wholeBuild.file ? fault : { ...fault, file: relativeTo(root, fault.file) };

/** The hosts named in api.yaml. Undefined if there are none, or api.yaml has faults, which `readCatalog` reports. */
export async function hostsIn(folder: string, api: Api): Promise<readonly string[] | undefined> {
  const found = discover(folder, (file) => /^api\.[^/]*$/.test(file));
  const [{ settings }] = readSettings(openFolder(found, api)[0]);
  return settings.hosts;
}
