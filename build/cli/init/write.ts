import { constants, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../../machine-error.ts";
import type { Program } from "./program.ts";

/** Throws MachineError if a folder has files. A new clone has a folder `.git` and nothing else. */
export function refuseFull(folder: string): void {
  const [found] = entriesOf(folder).filter((name) => name !== ".git");
  if (found === undefined) return;
  throw new MachineError(`${folder} is not empty: it holds ${found}.`, "Name a folder that is new or empty.");
}

/** Writes texts by their paths in a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text, { flag: "wx" });
  }
}

/** Copies the program's archive into a folder, if the repository keeps one and the archive exists. */
export function keepProgram(folder: string, { vendored }: Pick<Program, "vendored">): void {
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
