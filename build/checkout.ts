import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the program's own modules: what it finds there it finds by this, being one script when it runs. */
export const modulesFolder = new URL(".", import.meta.url);

/** The folder for what later runs may know of this one. */
export const cacheFolder = cacheFolderOf(path.dirname(fileURLToPath(modulesFolder)));

/**
 * `root` is the folder that has the program's package.json. A checkout keeps its cache in its own node_modules, an
 * installed package in the node_modules of the user's project, which is the outermost: pnpm nests several.
 */
export function cacheFolderOf(root: string): string {
  const steps = root.split(path.sep);
  const outermost = steps.indexOf("node_modules");
  const project = outermost < 0 ? root : steps.slice(0, outermost).join(path.sep);
  return path.join(project, "node_modules", ".cache", "edge-api");
}
