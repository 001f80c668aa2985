// What may be a part of a path: keys, aliases, and the values by which filters list items.
import { hasOnlyTilde, isPathPart, valueOfFile } from "../../src/model/key.ts";

/** Returns the clause behind "must be …" if a text cannot be a part of a path. */
export type Rule = (text: string) => string | undefined;

export const partRule: Rule = (text) => {
  if (isPathPart(text)) return undefined;
  if (hasOnlyTilde(text)) return "a part of paths without ~, which many programs send as %7E";
  return "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start";
};

export const folderClause = "a part of paths without the ending .json, .json.br or .json.gz";

/** The folder of one value must not have the name of the file of another one. */
export const folderRule: Rule = (text) =>
  partRule(text) ?? (valueOfFile(text) === undefined ? undefined : folderClause);
