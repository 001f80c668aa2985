// Writes the schemas beside the content: only those that change, each at once, so that an editor never reads a half.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, inWords } from "../machine-error.ts";
import { mark, type SchemaFile } from "./schemas.ts";

/** The folder of schemas for a content folder: in the folder that holds it, as `.schemas` is beside `content`. */
export const schemasFolder = (content: string): string => path.join(path.dirname(path.resolve(content)), ".schemas");

/**
 * Gives what the user should know, in a sentence or two each. The build goes on without schemas: they serve editors only.
 * Throws what is no error of the operating system.
 */
export function writeSchemas(folder: string, schemas: readonly SchemaFile[]): readonly string[] {
  try {
    const foreign = schemas.filter((schema) => !put(folder, schema)).map(({ file }) => path.join(folder, file));
    return foreign.map(
      (file) => `${file} was not written by this program and stays as it is, so editors get no schema from there.`,
    );
  } catch (error) {
    const reason = inWords(error);
    if (reason === undefined) throw error;
    return [`The schemas for editors were not written. ${reason}`];
  }
}

/** False where a file of somebody else has its place. */
function put(folder: string, { file, text }: SchemaFile): boolean {
  const target = path.join(folder, file);
  const before = textOf(target);
  if (before === text) return true;
  if (before !== undefined && !before.includes(mark)) return false;
  mkdirSync(folder, { recursive: true });
  const draft = path.join(folder, `.${file}.${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
  return true;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
