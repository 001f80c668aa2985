// The globs of `ignore` in api.yaml, which name files that are not content. As in the option `files`, a glob after `!` excepts
// files.
import { dividedGlobs } from "../../src/model/files.ts";
import { type Log, type Spot, wholeBuild } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { fieldsOfPath, matchIn } from "./globs.ts";

export interface Ignore {
  readonly globs: readonly IgnoreGlob[];
  /** The place of the list in api.yaml. */
  readonly at?: Spot;
}

export interface IgnoreGlob {
  readonly glob: string;
  readonly at: Spot;
}

const isException = ({ glob }: IgnoreGlob): boolean => glob.startsWith("!");

/** Returns the function that tells whether a file is ignored. */
export function ignoredBy(globs: readonly IgnoreGlob[]): (file: string) => boolean {
  const rules = [dividedGlobs(globs.map(({ glob }) => glob))];
  return (file) => typeof matchIn(rules, file) === "object";
}

/** Warns of the globs that match no file, which are more often wrong than superfluous. */
export function reportIdle({ globs }: Ignore, files: readonly string[], log: Log): void {
  const isNamed = ignoredBy(globs.filter((one) => !isException(one)));
  const named = globs.some(isException) ? files.filter(isNamed) : [];
  for (const one of globs) {
    const { glob, at } = one;
    const isExcepting = isException(one);
    const path = isExcepting ? glob.slice(1) : glob;
    const candidates = isExcepting ? named : files;
    if (matches(path, candidates)) continue;
    const text = isExcepting
      ? `${quote(glob)} excepts no file, because no other glob matches a file that it names.`
      : `No file below the content folder matches ${quote(glob)}.`;
    const meant = meantBy(path).find((other) => matches(other, candidates));
    const hint =
      meant === undefined
        ? "Correct it, or remove it. It is relative to the content folder, as in drafts/** and **/*.psd."
        : `Write ${quote(isExcepting ? `!${meant}` : meant)}.`;
    log.report({ code: "idle-glob", at, text, hint });
  }
}

const matches = (glob: string, files: readonly string[]): boolean => {
  const globs = [glob];
  return files.some((file) => fieldsOfPath(globs, file) !== undefined);
};

/** The globs that mean in the content folder what another one does in .gitignore, or from the folder of the declaration. */
function meantBy(glob: string): readonly string[] {
  const path = glob.replace(/^(?:\.?\/)?(?:content\/)?/, "").replace(/\/$/, "/**");
  return [path, `**/${path}`];
}

/** Reports that `ignore` leaves nothing of some collections, or of the deployments. */
export function reportEmptied({ at }: Ignore, names: readonly string[], log: Log): void {
  if (names.length === 0) return;
  log.report({
    code: "wrong-value",
    at: at ?? wholeBuild,
    text: `ignore leaves out all files of ${listed(names)}.`,
    hint: "Name fewer files, or except some by a glob after !.",
  });
}
