// Shared by the tests of output.
import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { textFile } from "../../build/file.ts";
import { type OutputOptions, type OutputPlan, openOutput } from "../../build/output/folder.ts";
import type { Change } from "../../build/output/stage.ts";

/** The texts of files by path. A path that ends with a slash is a folder with an empty text. */
export type Files = Readonly<Record<string, string>>;

export const marker = "routing.json";

export const planOf = (files: Files, mark = "ours"): OutputPlan => ({
  marker: textFile(marker, mark),
  files: Object.entries(files).map(([file, text]) => textFile(file, text)),
});

/**
 * The program owns JSON files below api/v1/, files below program/, and the marker; with a marker
 * like "ours, and old/", also files below old/.
 */
export const ownership: OutputOptions["ownership"] = {
  base: "/api/v1",
  marker,
  ownedBy(text) {
    const [, also] = /^ours(?:, and (\w+\/))?$/.exec(text) ?? ["", "none"];
    if (also === "none") return undefined;
    const form = /^api\/v1\/.+\.json$|^program\//;
    return (file) => file === marker || form.test(file) || (also !== undefined && file.startsWith(also));
  },
};

/** Writes, and returns a line for each change, for example "written api/v1/a.json". */
export async function write(
  out: string,
  plan: OutputPlan,
  options: Partial<OutputOptions> = {},
): Promise<{ changes: string[]; foreign: readonly string[] }> {
  const changes: string[] = [];
  const { foreign } = await writeOutput(out, plan, ({ kind, file }) => changes.push(`${kind} ${file}`), options);
  return { changes: changes.sort(), foreign };
}

/** Opens a folder, writes and closes it. */
export async function writeOutput(
  out: string,
  plan: OutputPlan,
  onChange: (change: Change) => void,
  options: Partial<OutputOptions> = {},
): Promise<{ readonly foreign: readonly string[] }> {
  const output = await openOutput(out, { ownership, onWait: () => undefined, ...options });
  try {
    return await (await output.stage(plan, onChange)).commit();
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

/** Ages the locks beside or in a folder as if their owners had been silent for 31 seconds. */
export function ageLocks(folder: string): void {
  const past = new Date(Date.now() - 31_000);
  for (const name of Object.keys(contentsOf(folder))) {
    if (name.includes(".staging") && name.endsWith("/")) utimesSync(path.join(folder, name), past, past);
  }
}

/** Mounts a file system on a folder until the end of the test. Skips the test if mounting is not permitted. */
export function mount(skip: (why: string) => never, folder: string, ...args: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync("mount", [...args, folder], { encoding: "utf8" });
  if (status !== 0) skip(`nothing can be mounted here: ${error?.message ?? stderr}`);
  onTestFinished(() => {
    if (spawnSync("umount", [folder]).status !== 0) throw new Error(`${folder} is still mounted.`);
  });
}
