// A repository for the files that somebody has: their declaration, and copies of them below content/.
import path from "node:path";
import { planContents } from "../../build.ts";
import { compileContents, discoverFor } from "../../content/content.ts";
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
  const isDecided = (collection: PlannedCollection): boolean => collection.decision === undefined;
  // Faults of a key that is none would hide all others, and take long to find.
  const faults = collections.some(isDecided) ? await faultsIn(folder) : [];
  const isOf = ({ place }: Message, { files }: PlannedCollection): boolean =>
    files.has(place.file.replace(/^content\//, ""));
  const warn = (text: string) => stderr.write(`${wrapped(`${err.yellow("!")} ${text}`, widthOf(stderr))}\n`);
  stdout.write("\n");
  for (const collection of collections) {
    const { name, count, decision } = collection;
    const fault = faults.find((message) => isOf(message, collection));
    const found = fault === undefined ? undefined : `${fault.place.file}:${fault.place.line} ${fault.text}`;
    const open = decision ?? found;
    if (open === undefined) stdout.write(`  ${name}: ${plural(count, "item")}\n`);
    else warn(`${name}: ${open}`);
  }
  const other = faults.find((message) => !collections.some((collection) => isOf(message, collection)));
  if (other !== undefined) warn(`${other.place.file}: ${other.text}`);
  const isValid = faults.length === 0 && collections.every(isDecided);
  const result = isValid ? "The data is valid." : "Some choices are yours: npm run check lists them.";
  stdout.write(`\n${out.bold(result)} api.config.ts was guessed from the data: read it, and describe the fields.\n`);
}

/** The errors that `check` reports. */
async function faultsIn(folder: string): Promise<readonly Message[]> {
  const log = openLog();
  const { apis } = await openDeclaration({ folder }, log);
  if (apis !== undefined) {
    const contents = compileContents(discoverFor(path.join(folder, "content"), apis), apis, log, "content");
    const options = { content: "content", deployment: undefined, hosts: undefined, today: dayOf(secondsNow()) };
    await planContents(contents, options, log);
  }
  return log.messages().shown.filter(({ severity }) => severity === "error");
}
