// A repository for the files that somebody has: their declaration, and copies of them below content/.
import { statSync } from "node:fs";
import path from "node:path";
import { planContents } from "../../build.ts";
import { compileContents, discoverFor } from "../../content/content.ts";
import { loadToml } from "../../content/formats/toml.ts";
import { openDeclaration } from "../../declaration/declaration.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import { slashed } from "../../files/folders.ts";
import { type Message, openLog } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { listed, plural } from "../../text/words.ts";
import { err, out, widthOf, wrapped } from "../terminal.ts";
import { declarationOf, editorSettings, type PlannedCollection, planCollections } from "./declaration.ts";
import { type Survey, survey } from "./survey.ts";

const { stdout, stderr } = process;

/**
 * Reads the files. Several of one name are one collection, which reads them where they are if they lie in the git repository
 * around the new folder. Throws MachineError if one of them cannot be read.
 */
export async function collectionsFrom(
  files: readonly string[],
  around?: { readonly root: string; readonly folder: string },
): Promise<readonly PlannedCollection[]> {
  await loadToml();
  const all = [...new Set(files.map((file) => path.resolve(file)))];
  const names = [...new Set(all.map((file) => path.basename(file)))];
  const surveys = names.flatMap((name): readonly Survey[] => {
    const group = all.filter((file) => path.basename(file) === name);
    if (group.length === 1 || group.some((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory()))
      return group.map((file) => survey(file));
    const folder = commonFolder(group);
    const found = survey(
      folder,
      group.map((file) => slashed(path.relative(folder, file))),
    );
    const isAround = around !== undefined && `${folder}${path.sep}`.startsWith(`${around.root}${path.sep}`);
    return [isAround ? { ...found, folder: slashed(path.relative(around.folder, folder)) } : found];
  });
  return planCollections(surveys);
}

/** The innermost folder that has all of some files. */
function commonFolder(files: readonly string[]): string {
  let folder = path.dirname(files[0] ?? "");
  while (!files.every((file) => file.startsWith(path.join(folder, path.sep)))) folder = path.dirname(folder);
  return folder;
}

/** The files of a template, with these collections in the place of its own. */
export function repositoryOf(
  templated: ReadonlyMap<string, string>,
  collections: readonly PlannedCollection[],
): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>(
    [...templated].filter(([file]) => !file.startsWith("content/") || file === settings),
  );
  const count = collections.reduce((sum, collection) => sum + collection.count, 0);
  const text = templated.get(settings) ?? "";
  if (count > manyItems) files.set(settings, text.replace(/^page_sizes: .*$/m, "page_sizes: [10, 100]"));
  files.set("api.config.ts", declarationOf(collections));
  files.set(".vscode/settings.json", editorSettings(collections));
  for (const collection of collections)
    for (const [file, bytes] of collection.files) files.set(`content/${file}`, bytes);
  return files;
}

const settings = "content/api.yaml";

/** Many small pages of so many items would exceed the limits of hosts. */
const manyItems = 5_000;

/** Says what was declared, and what a person must decide or `check` reports. */
export async function reportCollections(folder: string, collections: readonly PlannedCollection[]): Promise<void> {
  const decisions = collections.flatMap(({ name, decision }) => (decision === undefined ? [] : `${name}: ${decision}`));
  // Faults of a key that is none would hide all others, and take long to find.
  const messages = decisions.length > 0 ? [] : await messagesOn(folder);
  const found = messages.map(({ place, text }) => `${place.file}:${place.line} ${text}`);
  stdout.write("\n");
  for (const { name, count, besides } of collections) {
    const left = besides.length === 0 ? "" : `; not read: ${shown(listed(besides), 200)}`;
    stdout.write(`  ${name}: ${plural(count, "item")}${left}\n`);
  }
  for (const text of [...decisions, ...found.slice(0, maxFound)])
    stderr.write(`${wrapped(`${err.yellow("!")} ${text}`, widthOf(stderr))}\n`);
  const isValid = decisions.length === 0 && messages.every(({ severity }) => severity === "warning");
  const result = isValid ? "The data is valid." : "Some choices are yours: npm run check lists them.";
  stdout.write(`\n${out.bold(result)} api.config.ts was guessed from the data: read it, and describe the fields.\n`);
}

const maxFound = 3;

/** What `check` reports of the data. That fields have no description is known. */
async function messagesOn(folder: string): Promise<readonly Message[]> {
  const log = openLog();
  const { apis } = await openDeclaration({ folder }, log);
  if (apis !== undefined) {
    const discovery = await discoverFor(path.join(folder, "content"), apis);
    const contents = compileContents(discovery, apis, log, { folder: "content" });
    const options = { content: "content", deployment: undefined, hosts: undefined, today: dayOf(secondsNow()) };
    await planContents(contents, options, log);
  }
  return log.messages().shown.filter(({ severity, code }) => severity === "error" || code === "altered-number");
}
