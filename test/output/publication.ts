// The order of a publication, seen by a reader in the middle of it. It shares no code with the program.
import type { Files } from "./folder.ts";

const state = "api/v1/cursors.json";
const lists = ["api/v1/changes.json", "api/v1/changes.xml", "api/v1/docs/changes.html"];

/**
 * The files of the new publication that are there too early: the lists of changes, which name answers that are still the old
 * ones, or anything without the state that the next build needs. `before` and `after` are the files of the publications.
 */
export function earlyIn(files: Files, before: Files, after: Files): readonly string[] {
  const isNew = (file: string) => file in files && after[file] === files[file] && before[file] !== after[file];
  const isOld = (file: string) => after[file] !== files[file] && before[file] !== after[file];
  const isOfApi = (file: string) => file.startsWith("api/v1/") && !file.endsWith("/");
  const published = Object.keys(after).filter(isOfApi);
  const others = published.filter((file) => !lists.includes(file));
  const early = others.some(isOld) ? lists.filter((file) => file in before && isNew(file)) : [];
  return isOld(state) ? [...early, ...others.filter(isNew)] : early;
}
