// The declaration of a repository's API: api.config.ts in the folder in which the program is started. It is code, which is
// evaluated; see SECURITY.md.
import { statSync } from "node:fs";
import path from "node:path";
import type { Api } from "../../src/api.ts";
import type { Checked } from "../diagnostics.ts";
import { MachineError } from "../machine-error.ts";

export interface Declaration {
  /** Undefined if the declaration has faults. */
  readonly api: Api | undefined;
  /** How it was opened. */
  readonly options: DeclarationOptions;
  /** The absolute paths of the modules of which it consists, and of files that it imports in vain. */
  readonly files: readonly string[];
  /** Differs if the declaration does. Empty for the API of the Edge Network. */
  readonly digest: string;
}

export interface DeclarationOptions {
  /** The folder in which a declaration is looked for, and relative to which faults name files. */
  readonly folder: string;
  /** The file, if the user names one. */
  readonly config?: string | undefined;
  /** The folder of the cache for later runs. Undefined: there is no cache. */
  readonly cache?: string | undefined;
}

const names = ["api.config.ts", "api.config.mts", "api.config.js", "api.config.mjs"];

/** The name of the declaration in a folder: the asked one, else one of the usual names. */
export const findDeclaration = (folder: string, asked?: string): string | undefined =>
  [...(asked === undefined ? [] : [asked]), ...names].find((name) => isFile(path.join(folder, name)));

/**
 * Loads and checks the declaration of a folder; without one, the API is the Edge Network's. Throws MachineError if the
 * file that the user names is missing.
 */
export async function openDeclaration(options: DeclarationOptions): Promise<Checked<Declaration>> {
  const { folder, config, cache } = options;
  const root = path.resolve(folder);
  const found = config ?? findDeclaration(root);
  if (found === undefined) {
    const { completeApi } = await import("../../src/complete-api.ts");
    const { edgeNetwork } = await import("../../src/edge-network/index.ts");
    return [
      { api: completeApi(edgeNetwork), files: names.map((name) => path.join(root, name)), digest: "", options },
      [],
    ];
  }
  const file = path.resolve(root, found);
  if (!isFile(file)) throw new MachineError(`There is no file ${found}.`, "Name the declaration with --config.");
  const { evaluate } = await import("./evaluate.ts");
  const [{ exported, places, files, digest }, faults] = await evaluate(file, root, cache);
  if (faults.length > 0) return [{ api: undefined, files, digest, options }, faults];
  const { checkDeclaration } = await import("./check.ts");
  const [api, mistakes] = checkDeclaration(exported, places);
  return [{ api, files, digest, options }, mistakes];
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
