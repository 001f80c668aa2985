// The source of this program for a new repository: the registry or the archive that npm installed it from.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

export interface Program {
  /** The version or file of stillapi in package.json. */
  readonly dependency: string;
  /** The archive that the repository keeps, by its path there. */
  readonly archive?: {
    readonly file: string;
    /** The archive that this program was installed from; undefined if it is unknown or gone. */
    readonly from: string | undefined;
  };
}

const lock = z.object({ packages: z.record(z.string(), z.object({ resolved: z.string().optional() })) });

/**
 * `root` is the folder of this program's package.json. A program that did not come from a registry is never
 * requested by version: a registry may have another project's package of this name.
 */
export function programAt(root: string, version: string): Program {
  const resolved = resolvedFrom(root);
  if (resolved !== undefined && /^https?:/.test(resolved)) return { dependency: `^${version}` };
  const from = resolved?.startsWith("file:") === true ? archiveAt(root, resolved.slice("file:".length)) : undefined;
  const file = `vendor/${from === undefined ? `stillapi-${version}.tgz` : path.basename(from)}`;
  return { dependency: `file:${file}`, archive: { file, from } };
}

/** Undefined for a checkout, and for a package that npm has not installed or has installed globally. */
function resolvedFrom(root: string): string | undefined {
  const modules = path.dirname(root);
  // npm writes this file for each project, including the folders in which npx keeps packages.
  const file = path.join(modules, ".package-lock.json");
  if (path.basename(modules) !== "node_modules" || !existsSync(file)) return undefined;
  const { packages } = lock.parse(JSON.parse(readFileSync(file, "utf8")));
  return packages[`node_modules/${path.basename(root)}`]?.resolved;
}

function archiveAt(root: string, written: string): string | undefined {
  const file = path.resolve(root, "..", "..", written);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}
