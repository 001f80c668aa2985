// content/** to Catalog. Everything that is wrong is found in one run.
import type { Cache } from "../cache/cache.ts";
import type { Reported } from "../diagnostics.ts";
import type { Catalog } from "./catalog.ts";
import { readDeployments } from "./deployments.ts";
import { type Discovery, discover } from "./discover.ts";
import { readItems } from "./items.ts";
import { locate } from "./locate.ts";
import { openFolder } from "./read.ts";
import type { Referable } from "./referable.ts";
import { itemsOf } from "./rows.ts";
import { readSettings } from "./settings.ts";

/** The catalog, and what is known of the content where it has faults. */
export interface Content extends Catalog {
  /** By the name of an operation whose items others refer to. */
  readonly referable: ReadonlyMap<string, () => Referable>;
  /** The names of the deployments, by code unit, faulty ones included; undefined where some cannot be known. */
  readonly deploymentNames: readonly string[] | undefined;
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
  const read = compileContent(await discover(folder), cache);
  onContent?.(read[0]);
  return read;
}

/** With diagnostics the catalog is partial: it lists no items. */
export function compileContent(discovery: Discovery, cache?: Cache): Reported<Content> {
  const [folder, folderFaults] = openFolder(discovery);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(folder);
  const [deployments, deploymentFaults] = readDeployments(folder, vocabulary);
  const [{ rows, referable }, itemFaults] = readItems(folder, vocabulary, cache);
  const faults = [...folderFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  const items = faults.length > 0 ? [] : [...rows].map(([operation, own]) => [operation, itemsOf(own)] as const);
  const named = new Set(folder.files.flatMap(({ role }) => (role.kind === "deployment" ? [role.name] : [])));
  const deploymentNames = folder.lost.has("deployments") ? undefined : [...named].sort();
  const isEmpty = folder.files.length === 0;
  const content = { items: new Map(items), deployments, settings, referable, deploymentNames, isEmpty };
  return [content, ...locate(faults)];
}
