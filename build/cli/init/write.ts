import { constants, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../../machine-error.ts";
import type { Program } from "./program.ts";

/**
 * Writes files by their paths into a folder, and the program's archive if the repository keeps one. `folder` is absolute.
 * Throws MachineError if it is not empty.
 */
export function writeRepository(
  folder: string,
  files: ReadonlyMap<string, string>,
  { vendored }: Pick<Program, "vendored">,
): void {
  const [found] = entriesOf(folder).filter((name) => name !== ".git");
  if (found !== undefined) {
    throw new MachineError(`${folder} is not empty: it holds ${found}.`, "Name a folder that is new or empty.");
  }
  for (const [file, text] of files) {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text, { flag: "wx" });
  }
  if (vendored === undefined) return;
  const archive = path.join(folder, vendored.file);
  mkdirSync(path.dirname(archive));
  if (vendored.from !== undefined) copyFileSync(vendored.from, archive, constants.COPYFILE_EXCL);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
