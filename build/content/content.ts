// content/** to Catalog: what is wrong is found in one run.
import type { Checked } from "../diagnostics.ts";
import type { Catalog } from "./catalog.ts";
import { readDeployments } from "./deployments.ts";
import type { Discovery } from "./discover.ts";
import { readItems } from "./items.ts";
import { locate } from "./locate.ts";
import { readContent } from "./read.ts";
import { readSettings } from "./settings.ts";

/** With diagnostics the catalog is partial: it serves for nothing but to have found them all. */
export function compileContent(discovery: Discovery): Checked<Catalog> {
  const [content, readFaults] = readContent(discovery);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(content);
  const [deployments, deploymentFaults] = readDeployments(content, vocabulary);
  const [items, itemFaults] = readItems(content, vocabulary);
  const faults = [...readFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  return [{ items, deployments, settings }, locate(faults)];
}
