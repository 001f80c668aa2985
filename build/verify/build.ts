// The build that should be published: a folder with answers, and the routing table that says what they answer.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";
import { apiFolder, errorFolder } from "../routing/paths.ts";
import { parseRoutingTable, type RoutingTable, routingTable, tableFile } from "../routing/table.ts";

export interface Build {
  readonly folder: string;
  readonly table: RoutingTable;
  /** All files below the base of the API, but for errors, in the order of their names. */
  readonly files: readonly string[];
  readonly exists: (file: string) => boolean;
  /** Undefined if there is no such file. */
  readonly read: (file: string) => Buffer | undefined;
}

/** Throws MachineError if the folder has no build of this version. */
export function readBuild(folder: string): Build {
  const table = readTable(folder);
  const files = readdirSync(path.join(folder, apiFolder(table.base)), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.startsWith(`${errorFolder(table.base)}/`));
  const exists = (file: string): boolean => {
    const full = path.join(folder, file);
    // Unlike statSync, existsSync does not throw if the system accepts no such name.
    return existsSync(full) && statSync(full).isFile();
  };
  const read = (file: string) => (exists(file) ? readFileSync(path.join(folder, file)) : undefined);
  return { folder, table, files: files.sort(), exists, read };
}

/** The routing table of a built folder, whose text may be known. Throws MachineError like `readBuild`. */
export function readTable(folder: string, text: string = tableText(folder)): RoutingTable {
  const table = parseRoutingTable(text) && routingTable.safeParse(JSON.parse(text)).data;
  if (table !== undefined) return table;
  const file = path.join(folder, tableFile);
  throw new MachineError(`${file} is not a routing table of this version.`, "Run the build again.");
}

export function tableText(folder: string): string {
  const file = path.join(folder, tableFile);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new MachineError(`${folder} holds no built API.`, "Run the build first, or name another folder with --out.");
}
