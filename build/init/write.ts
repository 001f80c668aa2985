import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";

/** Writes files by their paths into a folder, which it makes. Throws MachineError where the folder is not empty. */
export function writeRepository(folder: string, files: ReadonlyMap<string, string>): void {
  const [found] = entriesOf(folder).filter((name) => name !== ".git");
  if (found !== undefined) {
    throw new MachineError(`${folder} is not empty: it holds ${found}.`, "Name a folder that is new or empty.");
  }
  for (const [file, text] of files) {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text, { flag: "wx" });
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
