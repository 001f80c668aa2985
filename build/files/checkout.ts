import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder build/. Modules find files relative to it and not to `import.meta.url`, because the program runs as one
 * script.
 */
export const modulesFolder = new URL("../", import.meta.url);

/** The cache folder of this checkout or installed package. */
export const cacheFolder = cacheFolderOf(path.dirname(fileURLToPath(modulesFolder)));

/**
 * `root` is the folder of the program's package.json. A checkout has its cache in its node_modules; an installed
 * package has it in the outermost node_modules, which is the user's project's, because pnpm nests several.
 */
export function cacheFolderOf(root: string): string {
  const steps = root.split(path.sep);
  const outermost = steps.indexOf("node_modules");
  const project = outermost < 0 ? root : steps.slice(0, outermost).join(path.sep);
  return path.join(project, "node_modules", ".cache", "stillapi");
}
