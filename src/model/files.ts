// The rules by which a declaration assigns files to collections.
import type { FileOptions } from "../declare/declare.ts";

/** Files, and how they are written. */
export interface FileRule extends Omit<FileOptions, "match"> {
  /** Globs, with `{field}` for a part that supplies a field. */
  readonly match: readonly string[];
  /** Globs of files that are excluded. */
  readonly except: readonly string[];
}

/** A name in braces; with commas or dots, braces are alternatives or ranges of a glob. */
export const fieldForm = /\{([^{},/.]+)\}/g;

/** The names of the fields in some globs. */
export const fieldsIn = (globs: readonly string[]): readonly string[] => [
  ...new Set(globs.flatMap((glob) => [...glob.matchAll(fieldForm)].map(([, field = ""]) => field))),
];

const excludedBy = (glob: string): readonly string[] => (glob.startsWith("!") ? [glob.slice(1)] : []);

/** The rules of the option `files`. A glob after `!` that is an entry of its own excludes files from all entries. */
export function fileRules(entries: readonly (string | FileOptions)[]): readonly FileRule[] {
  const excluded = entries.filter((entry) => typeof entry === "string").flatMap(excludedBy);
  return entries.flatMap((entry) => {
    const { match, ...given } = typeof entry === "string" ? { match: entry } : entry;
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const globs = [match].flat();
    const included = globs.filter((glob) => !glob.startsWith("!"));
    if (included.length === 0) return [];
    return { ...options, match: included, except: [...excluded, ...globs.flatMap(excludedBy)] };
  });
}
