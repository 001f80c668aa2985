// Writes the schemas beside the content: only changed ones, each by a rename, so that an editor never reads half a file.
import { lstatSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Contents } from "../../content/content.ts";
import { replaceFile } from "../../files/folders.ts";
import { inWords } from "../../files/machine-error.ts";
import { type Log, noFile } from "../../messages.ts";
import type { SchemaFile } from "./schemas.ts";

/** Writes the schemas for a folder of content. Warns if they cannot be written, because a build does not need them. */
export async function supportEditors(folder: string, contents: Contents, log: Log): Promise<void> {
  if (contents[0].isEmpty) return;
  const { editorSchemas } = await import("./schemas.ts");
  // Most repositories have none.
  const forms = contents[0].formsHead === undefined ? [] : (await import("./forms.ts")).editorForms(contents);
  const text = writeSchemas(schemasFolder(folder), [...editorSchemas(contents), ...forms]);
  if (text !== undefined) log.below(folder).report({ code: "editors-unwritten", at: noFile, text });
}

/** The folder of schemas for a content folder: in the folder that holds it, as `.schemas` is beside `content`. */
export const schemasFolder = (content: string): string => path.join(path.dirname(path.resolve(content)), ".schemas");

/** All files in the folder are this program's. Returns why they cannot be written. */
export function writeSchemas(folder: string, schemas: readonly SchemaFile[]): string | undefined {
  const stateOf = (file: string) => lstatSync(file, { throwIfNoEntry: false });
  if (stateOf(folder)?.isSymbolicLink() === true) {
    return `${folder} is a link, so the schemas for editors were not written.`;
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const { file, text } of schemas) {
      const target = path.join(folder, file);
      // A rename replaces a link, but reading one may lead anywhere, and may never end.
      if (stateOf(target)?.isFile() === true && readFileSync(target, "utf8") === text) continue;
      replaceFile(target, text);
    }
    return undefined;
  } catch (error) {
    const reason = inWords(error);
    if (reason === undefined) throw error;
    return `The schemas for editors were not written. ${reason}`;
  }
}
