// The declaration of the API of a repository, or of its APIs: api.config.ts in the folder in which the program is
// started. The program runs the declaration, which is code; see SECURITY.md.
import { statSync } from "node:fs";
import path from "node:path";
import type { Apis } from "../../src/model/api.ts";
import { MachineError } from "../files/machine-error.ts";
import type { Log } from "../messages.ts";

export interface Declaration {
  /** Undefined if the declaration has errors. */
  readonly apis: Apis | undefined;
  /** The absolute paths of its modules, and of imported files that do not exist. */
  readonly files: readonly string[];
}

export interface DeclarationOptions {
  /** The folder of the declaration. Places are relative to it. */
  readonly folder: string;
  /** The file, if the user names one. */
  readonly config?: string | undefined;
}

const names = ["api.config.ts", "api.config.mts", "api.config.js", "api.config.mjs"];

/** The first file that exists: `preferred`, else one of the usual names. Undefined if there is none. */
export const findDeclaration = (folder: string, preferred?: string): string | undefined =>
  [...(preferred === undefined ? [] : [preferred]), ...names].find((name) => isFile(path.join(folder, name)));

/** Loads and checks the declaration of a folder. Throws MachineError if there is none. */
export async function openDeclaration({ folder, config }: DeclarationOptions, log: Log): Promise<Declaration> {
  const root = path.resolve(folder);
  const name = config ?? findDeclaration(root);
  if (name === undefined) throw new MachineError(`There is no declaration of an API here: ${names[0]}.`, howToDeclare);
  const file = path.resolve(root, name);
  if (!isFile(file)) throw new MachineError(`There is no file ${name}.`, "Name the declaration with --config.");
  const { bundleDeclaration } = await import("./bundle.ts");
  // Bundling is the work of another process. Meanwhile, this one loads the modules that follow.
  const [bundled, { load }, { checkDeclaration }] = await Promise.all([
    bundleDeclaration(file, root),
    import("./load.ts"),
    import("./check.ts"),
  ]);
  const { exported, places } = await load(file, root, bundled, log);
  return { apis: log.hasErrors() ? undefined : checkDeclaration(exported, places, log), files: bundled.files };
}

const howToDeclare =
  'stillapi init writes a repository with one. For the API of an edge network, it is one line: export { default } from "stillapi/edge-network";';

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
