// A build in a folder: files with answers, and the routing table that says what they answer.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../files/machine-error.ts";
import { apiFolder, errorFolder } from "../routing/paths.ts";
import { isOfPattern, outputPatternsOf } from "../routing/resolve.ts";
import { parseRoutingTable, type RoutingTable, routingTable, tableFile } from "../routing/table.ts";
import { hasFile, readWhole } from "./folder.ts";

export interface BuildFolder {
  readonly folder: string;
  /** As it is now. Throws MachineError if the folder has no build of this version any more. */
  table(): RoutingTable;
  /**
   * All files below the base of the API except errors, and the files of outputs outside the base of which there is one for
   * each item, in the order of their names.
   */
  files(): readonly string[];
  has(file: string): boolean;
  /** Undefined if there is no such file (any more). */
  read(file: string): Promise<Buffer | undefined>;
}

/** Throws MachineError if the folder has no build of this version. */
export function openBuild(folder: string): BuildFolder {
  let text = textOfTable(folder);
  let table = readTable(folder, text);
  const root = realpathSync(folder);
  return {
    folder,
    // A build may replace the table at any time. It is parsed again if it has changed.
    table() {
      const current = textOfTable(folder);
      if (current !== text) {
        table = readTable(folder, current);
        text = current;
      }
      return table;
    },
    files: () => filesOf(folder, table),
    has: (file) => hasFile(root, file),
    read: (file) => readWhole(root, file),
  };
}

function filesOf(folder: string, table: RoutingTable): readonly string[] {
  const { base, owns = [] } = table;
  const outputs = outputPatternsOf(table);
  const isOutput = (file: string) => outputs.some((output) => isOfPattern(output, `/${file}`));
  const entries = readdirSync(path.join(folder, apiFolder(base)), { recursive: true, withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.startsWith(`${errorFolder(base)}/`));
  return [...below, ...owns.filter(isOutput)].sort();
}

function readTable(folder: string, text: string): RoutingTable {
  const table = parseRoutingTable(text) && routingTable.safeParse(JSON.parse(text)).data;
  if (table !== undefined) return table;
  const file = path.join(folder, tableFile);
  throw new MachineError(`${file} is not a routing table of this version.`, "Run the build again.");
}

function textOfTable(folder: string): string {
  const file = path.join(folder, tableFile);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new MachineError(`${folder} holds no built API.`, "Run the build first, or name another folder with --out.");
}
