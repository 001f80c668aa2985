// The build that should be published: a folder with answers, and the routing table that says what they answer.
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";
import { apiFolder, errorFolder } from "../routing/paths.ts";
import { parseRoutingTable, type RoutingTable, routingTable, tableFile } from "../routing/table.ts";

export interface Build {
  readonly folder: string;
  readonly table: RoutingTable;
  /** All files below the base of the API, but for errors. */
  readonly files: readonly string[];
  readonly exists: (file: string) => boolean;
  /** Undefined if there is no such file. */
  readonly read: (file: string) => Buffer | undefined;
}

/** Throws MachineError if the folder has no build of this version. */
export function readBuild(folder: string): Build {
  const read = (file: string): Buffer | undefined => {
    try {
      return readFileSync(path.join(folder, file));
    } catch (error) {
      if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG")) return undefined;
      throw error;
    }
  };
  const table = readTable(folder);
  return {
    folder,
    table,
    files: filesBelow(folder, apiFolder(table.base)).filter((file) => !file.startsWith(`${errorFolder(table.base)}/`)),
    exists(file) {
      // Unlike statSync, it does not throw if the system accepts no such name.
      const full = path.join(folder, file);
      return existsSync(full) && statSync(full).isFile();
    },
    read,
  };
}

/** The routing table of a built folder. Throws MachineError like `readBuild`. */
export const readTable = (folder: string): RoutingTable => parsedTable(folder, tableText(folder));

export function tableText(folder: string): string {
  const file = path.join(folder, tableFile);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new MachineError(`${folder} holds no built API.`, "Run the build first, or name another folder with --out.");
}

export function parsedTable(folder: string, text: string): RoutingTable {
  const table = parseRoutingTable(text) && routingTable.safeParse(JSON.parse(text)).data;
  if (table !== undefined) return table;
  const file = path.join(folder, tableFile);
  throw new MachineError(`${file} is not a routing table of this version.`, "Run the build again.");
}

/** In the order of their names. */
function filesBelow(root: string, folder: string): readonly string[] {
  const entries: readonly Dirent[] = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, file) : file;
    });
}
