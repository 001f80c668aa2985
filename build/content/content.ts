// Compiles the content folder to a Catalog for each API, in this order: files are found (files.ts) and get their roles
// (folder.ts, roles.ts), settings and deployments are read (settings/), then the items of each collection (items.ts,
// collection.ts): formats/ reads their values, item.ts makes items of a value, and table/ keeps the items. One run finds
// all faults.
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import type { Api, Apis } from "../../src/model/api.ts";
import { dialectOf } from "../../src/model/files.ts";
import { inDeclaration, type Log } from "../messages.ts";
import { listed } from "../text/words.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { AssetFinder, type Measurements } from "./assets/assets.ts";
import type { Catalog } from "./catalog.ts";
import type { SourceFiles } from "./collection.ts";
import { readItems } from "./collections.ts";
import { type Discovery, discover, type FoundFile } from "./files.ts";
import { isEmpty, openFolders, reportOthers } from "./folder.ts";
import { mayHaveToml } from "./formats/markdown.ts";
import { loadToml } from "./formats/toml.ts";
import { dotNamesIn, matchIn, outsideFolders, rulesOf } from "./globs.ts";
import { type Loaded, loadAll } from "./make/load.ts";
import type { Choices } from "./names.ts";
import { isContent } from "./roles.ts";
import { deploymentsIn, readDeployments } from "./settings/deployments.ts";
import { type FormsHead, readFormsHead } from "./settings/forms-head.ts";
import { readSettings } from "./settings/settings.ts";

/** The content of each API. */
export type Contents = NonEmpty<Content>;

/** The catalog, which lacks faulty parts if the content has errors. */
export interface Content extends Catalog {
  /** By the name of an operation to whose items others refer. */
  readonly choices: ReadonlyMap<string, Choices>;
  /** By the name of a collection. */
  readonly itemFiles: ReadonlyMap<string, SourceFiles>;
  /** What the forms for people who do not write YAML start with. Undefined if there is no decap.yml, or it has faults. */
  readonly formsHead: FormsHead | undefined;
  /** The names of the deployments, including faulty ones, in order of code units; undefined if some are unknown. */
  readonly deploymentNames: readonly string[] | undefined;
  /** The files below content/ that are no content, which items may name. */
  readonly otherFiles: readonly string[];
  /** The files beside the data outside of content/ that items name, by their paths from the folder of the declaration. */
  readonly outsideFiles: readonly string[];
  /** The words against which content is checked. */
  readonly vocabulary: Vocabulary;
  /** Whether the folder contains no content, so that another folder may be meant. */
  readonly isEmpty: boolean;
}

/**
 * Reads a folder, and the items that collections load. There are items only if nothing is wrong. The log names files
 * relative to the folder of the declaration, and so does `folder`. `measurements`: of files when the folder was read before.
 * Throws MachineError if the folder does not exist.
 */
export async function readContents(
  folder: string,
  apis: Apis,
  log: Log,
  measurements: Measurements = new Map(),
): Promise<Contents> {
  const discovery = await discoverFor(folder, apis);
  const loaded = await loadAll(apis, log);
  return compileContents(discovery, apis, log, { folder, loaded, measurements });
}

/**
 * Finds and reads the files that may be content of the APIs. Throws MachineError if the folder does not exist. `has`: whether
 * a folder outside of it is to be read, by its path.
 */
export async function discoverFor(
  folder: string,
  apis: Apis,
  has: (path: string) => boolean = () => true,
): Promise<Discovery> {
  const collections = apis.flatMap((api) => api.collections);
  const outside = outsideFolders(collections).filter((one) => has(one.folder.path));
  const discovery = discover(folder, (file) => isContent(file, { collections }), dotNamesIn(collections), outside);
  const rules = collections.flatMap((list) => rulesOf(list) ?? []);
  const isToml = ({ file, lines }: FoundFile) => {
    const name = dialectOf(file)?.format.name;
    return name === "toml" || (name === "markdown" && mayHaveToml(lines()));
  };
  const isNamed = rules.some(({ dialect: { format } }) => format === "toml" || format === "markdown");
  if (isNamed || discovery.files.some(isToml)) await loadToml();
  return discovery;
}

export interface CompileOptions {
  /** The folder that was discovered, as the log names it. */
  readonly folder?: string;
  /** For each API, the items that its collections load. */
  readonly loaded?: readonly Loaded[];
  readonly measurements?: Measurements;
}

export function compileContents(
  discovery: Discovery,
  apis: Apis,
  log: Log,
  { folder: folderName = "", loaded = [], measurements = new Map() }: CompileOptions = {},
): Contents {
  const contentLog = log.below(folderName);
  for (const { folder, problem } of discovery.folders?.values() ?? [])
    if (problem !== undefined) log.report({ code: "wrong-option", at: folder.at() ?? inDeclaration, ...problem });
  const folders = openFolders(discovery, apis, contentLog);
  const { settingsOf, vocabulary } = readSettings(folders, contentLog);
  // It is the same for all APIs.
  const formsHead = readFormsHead(folders[0], folderName, contentLog);
  const read = mapNonEmpty(folders, (folder, index) => {
    const apiLog = contentLog.forApi();
    const deployments = readDeployments(folder, folders, vocabulary, apiLog);
    const assets = new AssetFinder(discovery, measurements);
    const { mount } = settingsOf(folder.api);
    const context = { base: mount + folder.api.base, vocabulary, finder: assets, log: apiLog };
    return { folder, deployments, assets, ...readItems(folder, loaded[index] ?? new Map(), context) };
  });
  reportOthers(folders, (file) => read.some(({ assets }) => assets.isNamed(file)), contentLog);
  // A misplaced or unreadable file may be the one that a glob should match.
  if (!log.hasErrors()) for (const api of apis) reportUnmatched(discovery, api, log);
  return mapNonEmpty(read, ({ folder, deployments, assets, itemsOf, assetsOf, itemFiles, choices }): Content => {
    const { api } = folder;
    return {
      api,
      items: new Map(log.hasErrors() ? [] : api.collections.map(({ name }) => [name, itemsOf(name)])),
      assets: new Map(api.collections.map(({ name }) => [name, assetsOf(name).named])),
      svgs: new Map(api.collections.map(({ name }) => [name, assetsOf(name).svgs])),
      deployments,
      settings: settingsOf(api),
      choices,
      itemFiles,
      formsHead,
      deploymentNames: folder.incomplete.has("deployments") ? undefined : [...new Set(deploymentsIn(folder))].sort(),
      otherFiles: folder.others.map(({ file }) => file),
      outsideFiles: assets.outside,
      vocabulary,
      isEmpty: folders.every(isEmpty),
    };
  });
}

/** Warns of globs that match no file. A glob is more often wrong than its collection is empty. */
function reportUnmatched({ files }: Discovery, { collections }: Api, log: Log): void {
  for (const { name, source, placeOf } of collections) {
    const rules = rulesOf({ source });
    if (rules === undefined || files.some(({ file, outside }) => typeof matchIn(rules, file, outside) === "object"))
      continue;
    const globs = rules.flatMap(({ match, folder }) =>
      match.map((glob) => (folder === undefined ? glob : `${folder.name}/${glob}`)),
    );
    const below = rules.some(({ folder }) => folder !== undefined) ? "" : " below content/";
    log.report({
      code: "empty-collection",
      at: placeOf("files") ?? inDeclaration,
      text: `The collection ${name} is empty: no file${below} matches ${listed(globs)}.`,
    });
  }
}
