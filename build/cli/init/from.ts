// A repository for the files that somebody has: their declaration, and copies of them below content/.
import path from "node:path";
import { planContent } from "../../build.ts";
import { compileContent, discoverFor } from "../../content/content.ts";
import { openDeclaration } from "../../declaration/declaration.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import { type Message, openLog } from "../../messages.ts";
import { plural } from "../../text/words.ts";
import { err, out, widthOf, wrapped } from "../terminal.ts";
import { declarationOf, editorSettings, type PlannedCollection, planCollections } from "./declaration.ts";
import { survey } from "./survey.ts";

const { stdout, stderr } = process;

/** Reads the files. Throws MachineError if one of them cannot be read. */
export const collectionsFrom = (files: readonly string[]): readonly PlannedCollection[] =>
  planCollections(files.map(survey));

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

/** Says what was declared, and what a person must decide, as `check` would find it. */
export async function reportCollections(folder: string, collections: readonly PlannedCollection[]): Promise<void> {
  const areOpen = collections.every(({ decision }) => decision !== undefined);
  const faults = areOpen ? [] : await faultsIn(folder);
  stdout.write("\n");
  for (const { name, count, decision, files } of collections) {
    const isOwn = ({ place }: Message): boolean => files.has(place.file.replace(/^content\//, ""));
    const fault = faults.find(isOwn);
    const found = fault === undefined ? undefined : `${fault.place.file}:${fault.place.line} ${fault.text}`;
    const open = decision ?? found;
    if (open === undefined) stdout.write(`  ${name}: ${plural(count, "item")}\n`);
    else stderr.write(`${wrapped(`${err.yellow("!")} ${name}: ${open}`, widthOf(stderr))}\n`);
  }
  const other = faults.find(({ place }) =>
    collections.every(({ files }) => !files.has(place.file.replace(/^content\//, ""))),
  );
  if (other !== undefined)
    stderr.write(`${wrapped(`${err.yellow("!")} ${other.place.file}: ${other.text}`, widthOf(stderr))}\n`);
  const result =
    faults.length === 0 && collections.every(({ decision }) => decision === undefined)
      ? "The data is valid"
      : "npm run check says more of what is to decide";
  stdout.write(`\n${out.bold(result)}. api.config.ts was guessed from it: read it, and describe the fields.\n`);
}

/** The errors that `check` reports. */
async function faultsIn(folder: string): Promise<readonly Message[]> {
  const log = openLog();
  const { api } = await openDeclaration({ folder }, log);
  if (api !== undefined) {
    const content = compileContent(discoverFor(path.join(folder, "content"), api), api, log, "content");
    const options = { content: "content", deployment: undefined, hosts: undefined, today: dayOf(secondsNow()) };
    await planContent(content, options, log);
  }
  return log.messages().shown.filter(({ severity }) => severity === "error");
}
