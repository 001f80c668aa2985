// A repository of data that is a folder of a larger repository, such as a monorepo. GitHub looks for workflows, and Visual
// Studio Code for settings, at the root.
import { existsSync } from "node:fs";
import path from "node:path";
import { slashed } from "../../files/folders.ts";
import type { PlannedCollection } from "./declaration.ts";

type Files = ReadonlyMap<string, string | Uint8Array>;

/** The root of the git repository in which a new folder lies; undefined if there is none, or if the folder is the root. */
export function repositoryAround(folder: string): string | undefined {
  const above = path.dirname(folder);
  if (above === folder || existsSync(path.join(folder, ".git"))) return undefined;
  return existsSync(path.join(above, ".git")) ? above : repositoryAround(above);
}

/**
 * The files of a repository for a folder of a larger one, by their paths relative to the folder, and what to say of them. The
 * workflow is at the root, unless a file has its name there.
 */
export function filesWithin(
  root: string,
  { folder, name }: { readonly folder: string; readonly name: string },
  files: Files,
  collections: readonly PlannedCollection[],
) {
  const within = slashed(path.relative(root, folder));
  const workflow = `.github/workflows/${name}.yml`;
  const isThere = existsSync(path.join(root, workflow));
  const outside = new Set(
    collections.flatMap(({ folder: each }) => (each === undefined ? [] : path.posix.join(within, each))),
  );
  const placed = new Map<string, string | Uint8Array>();
  for (const [file, text] of files) {
    if (file === "README.md") placed.set(file, String(text).replaceAll(templateWorkflow, workflow));
    else if (file !== templateWorkflow) placed.set(file, text);
    else if (!isThere)
      placed.set(
        slashed(path.relative(folder, path.join(root, workflow))),
        workflowIn(String(text), name, within, [...outside, within]),
      );
  }
  const settings = String(files.get(".vscode/settings.json")).replaceAll(
    /"(\.{1,2}|content)\/([^"]*)"/g,
    (_, start: string, rest: string) =>
      JSON.stringify(`${start === "." ? "./" : ""}${path.posix.join(within, start, rest)}`),
  );
  const said = isThere ? "was there already, and is as it was" : "has the workflow";
  const note = `${workflow} at the root of the git repository ${said}. Its .vscode/settings.json needs these lines:`;
  return { files: placed, note: `${note}\n\n${settings}` };
}

const templateWorkflow = ".github/workflows/api.yml";

/** The workflow of a folder: it starts when files in one of the folders change, and its commands run in the first one. */
function workflowIn(text: string, name: string, folder: string, folders: readonly string[]): string {
  const paths = JSON.stringify([...folders.map((each) => `${each}/**`), `.github/workflows/${name}.yml`]);
  const where = `    defaults:\n      run:\n        working-directory: ${JSON.stringify(folder)}\n`;
  const lock = JSON.stringify(`${folder}/package-lock.json`);
  return text
    .replace(/^name: .*$/m, `name: ${name}`)
    .replaceAll(/^ {4}(?:types|branches): .*$/gm, (line) => `${line}\n    paths: ${paths}`)
    .replaceAll(/^ {4}steps:\n {6}- uses: actions\/checkout/gm, (steps) => where + steps)
    .replaceAll(/^ {10}cache: npm$/gm, (line) => `${line}\n          cache-dependency-path: ${lock}`);
}
