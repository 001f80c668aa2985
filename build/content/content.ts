// content/** to Catalog. Everything that is wrong is found in one run.
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import type { Reported } from "../diagnostics.ts";
import type { Catalog } from "./catalog.ts";
import type { Role } from "./classify.ts";
import { readDeployments } from "./deployments.ts";
import { type Discovery, discover } from "./discover.ts";
import type { Fault } from "./faults/fault.ts";
import { readItems } from "./items.ts";
import { locate } from "./locate.ts";
import { type Folder, openFolder } from "./read.ts";
import type { Referable } from "./referable.ts";
import { itemsOf } from "./rows.ts";
import { readSettings } from "./settings.ts";

/** The catalog, and what is known of the content where it has faults. */
export interface Content extends Catalog {
  /** By the name of an operation whose items others refer to. */
  readonly referable: ReadonlyMap<string, () => Referable>;
  /** The names of the deployments, by code unit, faulty ones included; undefined where some cannot be known. */
  readonly deploymentNames: readonly string[] | undefined;
  /** What has faults or is not known: names of operations, `deployments`, `api`. */
  readonly faulty: ReadonlySet<string>;
  /** The words that the content is checked against. */
  readonly vocabulary: Vocabulary;
  /** Whether the folder holds no file of content: perhaps another one is meant. */
  readonly isEmpty: boolean;
}

export interface ContentEvents {
  /** Called with what is known of the content, even if it has faults. */
  readonly onContent?: (content: Content) => void;
}

/** `cache` holds what large YAML files hold. Throws MachineError where there is no such folder. */
export async function readCatalog(
  folder: string,
  cache?: Cache,
  { onContent }: ContentEvents = {},
): Promise<Reported<Content>> {
  const read = compileContent(await discover(folder), cache, { root: folder });
  onContent?.(read[0]);
  return read;
}

/** The hosts that api.yaml names. Undefined if it names none, or has faults, which the reading of the content reports. */
export async function hostsIn(folder: string): Promise<readonly string[] | undefined> {
  const [{ settings }] = readSettings(openFolder(await discover(folder, "api.*"))[0]);
  return settings.hosts;
}

/**
 * With diagnostics the catalog is partial: it lists no items, or if `isPartial` those of operations without faults. Their
 * sentences name files by their paths in `root`.
 */
export function compileContent(
  discovery: Discovery,
  cache?: Cache,
  { root, isPartial = false }: { readonly root?: string | undefined; readonly isPartial?: boolean } = {},
): Reported<Content> {
  const [folder, folderFaults] = openFolder(discovery);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(folder);
  const [deployments, deploymentFaults] = readDeployments(folder, vocabulary);
  const [{ rows, referable }, itemFaults] = readItems(folder, vocabulary, cache);
  const faults = [...folderFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  const faulty = placesWith(faults, folder);
  const listed = [...rows].filter(([operation]) => faults.length === 0 || (isPartial && !faulty.has(operation)));
  const items = listed.map(([operation, own]) => [operation, itemsOf(own)] as const);
  const named = new Set(folder.files.flatMap(({ role }) => (role.kind === "deployment" ? [role.name] : [])));
  const deploymentNames = folder.lost.has("deployments") ? undefined : [...named].sort();
  const isEmpty = folder.files.length === 0;
  const known = { referable, deploymentNames, vocabulary, faulty, isEmpty };
  const content = { items: new Map(items), deployments, settings, ...known };
  return [content, ...locate(faults, undefined, root)];
}

function placesWith(faults: readonly Fault[], { files, lost }: Folder): ReadonlySet<string> {
  const named = new Set(faults.map(({ source }) => source.file));
  const places = files.filter(({ file }) => named.has(file)).map(({ role }) => placeOfRole(role));
  return new Set([...lost, ...places]);
}

function placeOfRole(role: Role): string {
  switch (role.kind) {
    case "settings":
      return "api";
    case "deployment":
      return "deployments";
    case "items":
      return role.operation;
  }
}
