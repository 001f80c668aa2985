// Where a new repository gets this program from.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const lock = z.object({ packages: z.record(z.string(), z.object({ resolved: z.string().optional() })) });

/**
 * What a package.json in `folder` asks for: versions that are compatible with this one, or the file that it was installed
 * from. `root` is the folder of this program's own package.json.
 */
export function programFor(folder: string, root: string, version: string): string {
  const archive = archiveOf(root);
  if (archive === undefined) return `^${version}`;
  const relative = path.relative(folder, archive).replaceAll(path.sep, "/");
  return `file:${relative}`;
}

/** The file that npm installed this program from; undefined where it was a registry, or another package manager. */
function archiveOf(root: string): string | undefined {
  const modules = path.dirname(root);
  const file = path.join(modules, ".package-lock.json");
  if (path.basename(modules) !== "node_modules" || !existsSync(file)) return undefined;
  const { packages } = lock.parse(JSON.parse(readFileSync(file, "utf8")));
  const resolved = packages[`node_modules/${path.basename(root)}`]?.resolved;
  if (resolved === undefined || !resolved.startsWith("file:")) return undefined;
  return path.resolve(path.dirname(modules), resolved.slice("file:".length));
}
