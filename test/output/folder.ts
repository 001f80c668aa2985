// Shared by the tests of output.
import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type OutputFile, textFile } from "../../build/files/file.ts";
import { type FolderOptions, type FolderPlan, type OnChange, openFolder } from "../../build/output/folder.ts";

/** The texts of files by path. A path that ends with a slash is a folder with an empty text. */
export type Files = Readonly<Record<string, string>>;

export const marker = "routing.json";

/** The text of the marker of a build that owns these entries. */
export const ours = (...owned: readonly string[]): string => JSON.stringify({ owns: ["api/v1/", ...owned] });

interface TestPlan extends FolderPlan {
  readonly files: readonly OutputFile[];
}

export const planOf = (files: Files, ...owned: readonly string[]): TestPlan => ({
  marker: textFile(marker, ours(...owned)),
  files: Object.entries(files).map(([file, text]) => textFile(file, text)),
});

/** A marker lists the entries that the program owns. */
export const options: FolderOptions = {
  bases: ["/api/v1"],
  basesIn: () => ["/api/v1"],
  replaces: false,
  marker,
  onWait: () => undefined,
  ownedBy(text) {
    try {
      const { owns } = JSON.parse(text);
      return Array.isArray(owns) ? owns : undefined;
    } catch {
      return undefined;
    }
  },
};

/** Writes, and returns a line for each change, for example "written api/v1/a.json". */
export async function write(out: string, plan: FolderPlan): Promise<readonly string[]> {
  const changes: string[] = [];
  await writeOutput(out, plan, ({ kind, file }) => changes.push(`${kind} ${file}`));
  return changes.sort();
}

/** Opens a folder, writes and closes it. */
export async function writeOutput(
  out: string,
  plan: FolderPlan,
  onChange: OnChange,
  more?: Partial<FolderOptions>,
): Promise<void> {
  const output = await openFolder(out, { ...options, ...more });
  try {
    await (await output.stage(plan, onChange))();
  } finally {
    output.close();
  }
}

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-output-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export function lay(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(folder, file);
    mkdirSync(file.endsWith("/") ? full : path.dirname(full), { recursive: true });
    if (!file.endsWith("/")) writeFileSync(full, text);
  }
}

/** The entries of a folder as sorted `Files`; the text of a link is "→" and its target. */
export function contentsOf(folder: string): Files {
  const entries = readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const full = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [[entry.name, `→ ${readlinkSync(full)}`]];
    if (!entry.isDirectory()) return [[entry.name, readFileSync(full, "utf8")]];
    const inner = Object.entries(contentsOf(full)).map(([name, text]): [string, string] => [
      `${entry.name}/${name}`,
      text,
    ]);
    return [[`${entry.name}/`, ""], ...inner];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The entries of a folder, with the properties that distinguish a rewritten file from an untouched one. */
export const stateOf = (folder: string) =>
  Object.entries(contentsOf(folder)).map(([name, text]) => {
    const { ino, mtimeMs } = lstatSync(path.join(folder, name));
    return { name, text, ino, mtimeMs };
  });

/** Turns the locks of this process in a folder into locks of a process that has ended. */
export function endLocks(folder: string): void {
  const isLock = (name: string): boolean => /^\d+\.\d*-[0-9a-f]{8}-/.test(name);
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries.sort((a, b) => b.parentPath.length - a.parentPath.length)) {
    if (!entry.isDirectory() || !isLock(entry.name)) continue;
    const ended = entry.name.replace(/\d+\.\d*-/, "99999999-");
    renameSync(path.join(entry.parentPath, entry.name), path.join(entry.parentPath, ended));
  }
}

/**
 * Mounts a file system on a folder until the end of the test. Fails if mounting is not permitted, unless a variable says
 * that the test may be skipped.
 */
export function mount(skip: (why: string) => never, folder: string, ...args: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync("mount", [...args, folder], { encoding: "utf8" });
  if (status !== 0) {
    const why = `Nothing can be mounted here: ${error?.message ?? stderr}`;
    if (process.env["STILLAPI_MAY_SKIP_MOUNTS"] === "1") skip(why);
    throw new Error(`${why} Run the test as root, or skip it with STILLAPI_MAY_SKIP_MOUNTS=1.`);
  }
  onTestFinished(() => {
    if (spawnSync("umount", [folder]).status !== 0) throw new Error(`${folder} is still mounted.`);
  });
}
