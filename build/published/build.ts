// A build in a folder: files with answers, and the routing tables that say what they answer.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { pathsBelow } from "../files/folders.ts";
import { MachineError } from "../files/machine-error.ts";
import { apiFolder, errorFolder } from "../routing/paths.ts";
import { outputOfFile } from "../routing/resolve.ts";
import { parseMarker, type RoutingTable, type Tables, tableFile, tablesForm } from "../routing/table.ts";
import { hasFile, readWhole } from "./folder.ts";

export interface BuildFolder {
  readonly folder: string;
  /** Those of its APIs, as they are now. Throws MachineError if the folder has no build of this version any more. */
  tables(): Tables;
  /**
   * All files below the base of an API except errors, and the files of its outputs outside the base of which there is one for
   * each item, in the order of their names.
   */
  files(table: RoutingTable): readonly string[];
  has(file: string): boolean;
  /** Undefined if there is no such file (any more). */
  read(file: string): Promise<Buffer | undefined>;
}

/** Throws MachineError if the folder has no build of this version. */
export function openBuild(folder: string): BuildFolder {
  let text = textOfTable(folder);
  let marker = readMarker(folder, text);
  const root = realpathSync(folder);
  return {
    folder,
    // A build may replace the table at any time. It is parsed again if it has changed.
    tables() {
      const current = textOfTable(folder);
      if (current !== text) {
        marker = readMarker(folder, current);
        text = current;
      }
      return marker.tables;
    },
    files: (table) => filesOf(folder, table, marker.owns),
    has: (file) => hasFile(root, file),
    read: (file) => readWhole(root, file),
  };
}

function filesOf(folder: string, table: RoutingTable, owns: readonly string[]): readonly string[] {
  const { base } = table;
  const isOutput = (file: string) => outputOfFile(table, file) !== undefined;
  const below = pathsBelow(path.join(folder, apiFolder(base)))
    .map((file) => `${apiFolder(base)}/${file}`)
    .filter((file) => !file.startsWith(`${errorFolder(base)}/`));
  return [...below, ...owns.filter(isOutput)].sort();
}

interface Marker {
  readonly tables: Tables;
  readonly owns: readonly string[];
}

function readMarker(folder: string, text: string): Marker {
  const marker = parseMarker(text) && tablesForm.safeParse(JSON.parse(text)).data;
  if (marker !== undefined) {
    const { others = [], ...first } = marker;
    return { tables: [first, ...others], owns: first.owns ?? [] };
  }
  const file = path.join(folder, tableFile);
  throw new MachineError(`${file} is not a routing table of this version.`, "Run the build again.");
}

function textOfTable(folder: string): string {
  const file = path.join(folder, tableFile);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new MachineError(`${folder} contains no build.`, "Run the build first, or name another folder with --out.");
}
