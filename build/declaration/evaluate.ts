// Evaluates the bundle of a declaration. The bundle is cached until one of its modules or the installed packages change:
// bundling takes 60 ms or more, loading the cached bundle 3 ms.
import { lstatSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import * as z from "zod";
import * as edgeNetwork from "../../src/edge-network/index.ts";
import * as forms from "../../src/forms.ts";
import * as api from "../../src/index.ts";
import { type Cache, openCache, readStored } from "../cache/cache.ts";
import type { Checked } from "../diagnostics.ts";
import { hasCode } from "../machine-error.ts";
import { sha256 } from "../sha256.ts";
import type { DeclarationBundle } from "./bundle.ts";
import { openPlaces, type Places } from "./places.ts";
import { thrown } from "./thrown.ts";

export interface Evaluated {
  /** The exports of the module; undefined if it does not compile or throws. */
  readonly exported: unknown;
  readonly places: Places;
  /** The absolute paths of the modules in the bundle, and of imported files that do not exist. */
  readonly files: readonly string[];
  /** Changes with the bundle. */
  readonly digest: string;
}

type Modules = Readonly<Record<string, object>>;

const withoutZod: Modules = {
  stillapi: api,
  "stillapi/forms": forms,
  "stillapi/edge-network": edgeNetwork,
};

/** The modules that the program supplies to a declaration. */
const supplied: Modules = { ...withoutZod, zod: z, "zod/v4": z };

/** Increases with every change of the form of the cached bundle. */
const version = "2";

/** `config` is an absolute path. Faults name files relative to `root`. Without `cacheFolder`, nothing is cached. */
export async function evaluate(
  config: string,
  root: string,
  cacheFolder: string | undefined,
): Promise<Checked<Evaluated>> {
  const cache = cacheFolder === undefined ? undefined : openCache(path.join(cacheFolder, "declarations"), version);
  const [{ code, map, files }, faults] = await bundleOf(config, root, cache);
  const script = `${config}.cjs`;
  const places = openPlaces(config, script, map, root);
  const about = { places, files: files.map(([file]) => file), digest: sha256(code) };
  if (faults.length > 0) return [{ exported: undefined, ...about }, faults];
  try {
    return [{ exported: run(config, script, code), ...about }, []];
  } catch (error) {
    return [{ exported: undefined, ...about }, [thrown(error, places, "This fails")]];
  }
}

interface Kept extends DeclarationBundle {
  /** The modules with the hashes of their bytes; null if the file does not exist. */
  readonly files: readonly (readonly [file: string, hash: string | null])[];
  /** The state of the installed packages. */
  readonly installed: string;
}

async function bundleOf(config: string, root: string, cache: Cache | undefined): Promise<Checked<Kept>> {
  const installed = installedState(path.dirname(config));
  const name = Buffer.from(config);
  const bytes = cache?.get(name);
  const cached: Kept | undefined = bytes && JSON.parse(new TextDecoder().decode(bytes));
  if (cached?.installed === installed && cached.files.every(([file, hash]) => hashOf(file) === hash))
    return [cached, []];
  const { bundleDeclaration } = await import("./bundle.ts");
  const [{ bundle, files }, faults] = await bundleDeclaration(config, Object.keys(supplied), root);
  const hashed = files.map((file) => [file, hashOf(file)] as const);
  const kept = { ...(bundle ?? { code: "", map: "{}" }), files: hashed, installed };
  if (bundle !== undefined) cache?.set(name, Buffer.from(JSON.stringify(kept)));
  return [kept, faults];
}

function hashOf(file: string): string | null {
  const bytes = readStored(file);
  return bytes === undefined ? null : sha256(bytes);
}

/** The files that npm, pnpm, Yarn and Bun write when they install packages. */
const lockFiles = [
  ...["package.json", "tsconfig.json", "package-lock.json", "node_modules/.package-lock.json"],
  ...["pnpm-lock.yaml", "node_modules/.modules.yaml", "yarn.lock", "bun.lock"],
];

/** Changes if packages are installed in the folder or one above it. */
function installedState(folder: string): string {
  const above = path.dirname(folder);
  const states = lockFiles.map((file) => {
    const state = lstatSync(path.join(folder, file), { throwIfNoEntry: false });
    return state === undefined ? "" : `${state.size} ${state.ino} ${state.ctimeMs}`;
  });
  return `${states}\n${above === folder ? "" : installedState(above)}`;
}

/** The exports of the bundle. Throws the errors of the declaration. */
function run(config: string, script: string, code: string): unknown {
  const requireInstalled = createRequire(config);
  const modules = hasNewerZod(requireInstalled) ? withoutZod : supplied;
  const module: { exports: unknown } = { exports: {} };
  const evaluated = new Script(`(require, module, exports) => {\n${code}\n}`, { filename: script, lineOffset: -1 });
  const requireGiven = (name: string) => modules[name] ?? requireInstalled(name);
  evaluated.runInThisContext()(requireGiven, module, module.exports);
  return module.exports;
}

/** A declaration may use features of a newer zod than the program's. Two copies of zod accept each other's schemas. */
function hasNewerZod(requireInstalled: NodeJS.Require): boolean {
  try {
    const { version } = JSON.parse(readFileSync(requireInstalled.resolve("zod/package.json"), "utf8"));
    const { major, minor, patch } = z.core.version;
    const [installed = "0"] = /^\d+\.\d+\.\d+/.exec(String(version)) ?? [];
    return installed.localeCompare(`${major}.${minor}.${patch}`, "en", { numeric: true }) > 0;
  } catch (error) {
    if (hasCode(error, "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED")) return false;
    throw error;
  }
}
