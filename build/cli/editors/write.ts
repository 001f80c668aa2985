// Writes the schemas beside the content: only changed ones, each by a rename, so that an editor never reads half a file.
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inWords } from "../../machine-error.ts";
import { mark, type SchemaFile } from "./schemas.ts";

/** The folder of schemas for a content folder: in the folder that holds it, as `.schemas` is beside `content`. */
export const schemasFolder = (content: string): string => path.join(path.dirname(path.resolve(content)), ".schemas");

/**
 * Returns warnings, because a build does not need the schemas. Throws any error that is not an error of the operating system.
 */
export function writeSchemas(folder: string, schemas: readonly SchemaFile[]): readonly string[] {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      return [
        `${folder} is a link. stillapi does not write through links, so the schemas for editors were not written.`,
      ];
    }
    const foreign = schemas.filter((schema) => !put(folder, schema)).map(({ file }) => path.join(folder, file));
    return foreign.map(
      (file) => `${file} was not written by stillapi and was kept. Delete it to give editors the generated schema.`,
    );
  } catch (error) {
    const reason = inWords(error);
    if (reason === undefined) throw error;
    return [`The schemas for editors were not written. ${reason}`];
  }
}

/** False if this program did not write the file that has the path of the schema. */
function put(folder: string, { file, text }: SchemaFile): boolean {
  const target = path.join(folder, file);
  const entry = lstatSync(target, { throwIfNoEntry: false });
  if (entry !== undefined) {
    // Reading a link or a device may never end.
    if (!entry.isFile() || entry.size > mostBytes) return false;
    const before = readFileSync(target, "utf8");
    if (before === text) return true;
    if (!before.includes(mark)) return false;
  }
  mkdirSync(folder, { recursive: true });
  const draft = path.join(folder, `.${file}.${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
  return true;
}

/** More than the size of any schema. */
const mostBytes = 2 ** 27;
