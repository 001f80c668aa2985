// Evaluates the bundle of a declaration. Bundle and V8's code are cached until a module in the bundle, the packages
// installed, the program or Node changes: bundling takes 60 ms or more, loading the cached script 3.
import { createHash } from "node:crypto";
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
import { openPlaces, type Places } from "./places.ts";
import { thrown } from "./thrown.ts";

export interface Evaluated {
  /** The exports of the module; undefined if it does not compile or throws. */
  readonly exported: unknown;
  readonly places: Places;
  /** The absolute paths of the modules that it imports, itself included, and of files that it imports in vain. */
  readonly files: readonly string[];
  /** Differs if the bundle does. */
  readonly digest: string;
}

export interface EvaluateOptions {
  /** Faults name files relative to this folder. */
  readonly root: string;
  /** The folder of the cache for later runs. Undefined: there is no cache. */
  readonly cache: string | undefined;
}

type Modules = Readonly<Record<string, object>>;

const withoutZod: Modules = {
  stillapi: api,
  "stillapi/forms": forms,
  "stillapi/edge-network": edgeNetwork,
};

/** The modules that are the program's in a declaration. */
const supplied: Modules = { ...withoutZod, zod: z, "zod/v4": z };

/** Increases with every change of the bundle's form. */
const version = `1, node ${process.version}`;

/** `config` is an absolute path. */
export async function evaluate(config: string, { root, cache: folder }: EvaluateOptions): Promise<Checked<Evaluated>> {
  const cache = folder === undefined ? undefined : openCache(path.join(folder, "declarations"), version);
  const [kept, faults] = await bundleOf(config, root, cache);
  const { code, files, map } = kept;
  const places = openPlaces(config, scriptOf(config), map, root);
  const about = { places, files: files.map(([file]) => file), digest: hashOf(Buffer.from(code)) };
  if (faults.length > 0) return [{ exported: undefined, ...about }, faults];
  try {
    return [{ exported: run(config, kept, cache), ...about }, []];
  } catch (error) {
    return [{ exported: undefined, ...about }, [thrown(error, places, "This fails")]];
  }
}

/** A module and the hash of its bytes; null if it does not exist. */
type Module = readonly [file: string, hash: string | null];

interface Head {
  readonly files: readonly Module[];
  /** The state of the packages installed. */
  readonly installed: string;
  /** The length of the code in bytes. */
  readonly length: number;
}

interface Kept extends Head {
  readonly code: string;
  /** V8's cache of the code. */
  readonly compiled: Buffer | undefined;
  /** The source map, which only faults need. */
  readonly map: () => string | undefined;
}

/** The name of the script in stack traces. */
const scriptOf = (config: string): string => `${config}.cjs`;

const nameOf = (part: "script" | "map", config: string): Buffer => Buffer.from(JSON.stringify([part, config]));

async function bundleOf(config: string, root: string, cache: Cache | undefined): Promise<Checked<Kept>> {
  const installed = installedState(path.dirname(config));
  const map = () => cache?.get(nameOf("map", config))?.toString();
  const bytes = cache?.get(nameOf("script", config));
  const cached = bytes && cachedBundle(bytes);
  if (cached?.installed === installed && cached.files.every(isUnchanged)) return [{ ...cached, map }, []];
  const { bundleDeclaration } = await import("./bundle.ts");
  const [{ bundle, files }, faults] = await bundleDeclaration(config, Object.keys(supplied), root);
  const code = bundle?.code ?? "";
  if (bundle !== undefined) cache?.set(nameOf("map", config), Buffer.from(bundle.map));
  const modules = files.map((file): Module => [file, hashOfFile(file)]);
  const kept = { code, compiled: undefined, map: () => bundle?.map, files: modules, installed };
  return [{ ...kept, length: Buffer.byteLength(code) }, faults];
}

function cachedBundle(bytes: Uint8Array): Omit<Kept, "map"> {
  const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = kept.indexOf("\n") + 1;
  const head: Head = JSON.parse(kept.toString("utf8", 0, start));
  const end = start + head.length;
  return { ...head, code: kept.toString("utf8", start, end), compiled: kept.subarray(end) };
}

const isUnchanged = ([file, hash]: Module): boolean => hashOfFile(file) === hash;

function hashOfFile(file: string): string | null {
  const bytes = readStored(file);
  return bytes === undefined ? null : hashOf(bytes);
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

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
function run(config: string, { code, compiled, files, installed, length }: Kept, cache: Cache | undefined): unknown {
  const script = new Script(`(require, module, exports) => {\n${code}\n}`, {
    filename: scriptOf(config),
    lineOffset: -1,
    ...(compiled && { cachedData: compiled }),
  });
  const own = createRequire(config);
  const given = hasNewerZod(own) ? withoutZod : supplied;
  const module: { exports: unknown } = { exports: {} };
  script.runInThisContext()((name: string) => given[name] ?? own(name), module, module.exports);
  if (script.cachedDataRejected !== false) {
    const head: Head = { files, installed, length };
    cache?.set(
      nameOf("script", config),
      Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n${code}`), script.createCachedData()]),
    );
  }
  return module.exports;
}

/** A declaration may use what only a newer zod than the program's has. Two copies of zod understand one another. */
function hasNewerZod(own: NodeJS.Require): boolean {
  const file = resolved(own, "zod/package.json");
  if (file === undefined) return false;
  const { major, minor, patch } = z.core.version;
  const installed: unknown = JSON.parse(readFileSync(file, "utf8")).version;
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(String(installed))?.slice(1).map(Number);
  const differing = parts?.map((part, index) => part - ([major, minor, patch][index] ?? 0)).find((each) => each !== 0);
  return (differing ?? 0) > 0;
}

function resolved(own: NodeJS.Require, name: string): string | undefined {
  try {
    return own.resolve(name);
  } catch (error) {
    if (hasCode(error, "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED")) return undefined;
    throw error;
  }
}
