// The order in which the files of a build are published where they cannot be switched at once: in the out folder and in a
// bucket. At every moment, each cursor on a page that a reader can reach leads to a page, and each item on it to the single
// item. A list of changes names only answers that are there, in shared caches too. Where a publication stops, all files are
// whole, and the next one completes it.
import { apiFolder, changesFile, changesPageFile, cursorsPattern, feedFile, isLinked } from "./paths.ts";

const steps = [
  // The state of earlier builds, so that the next build keeps the cursors of a build that is killed after this step.
  "state",
  // New files that readers reach through a page.
  "linked",
  // Linked files that may be new or changed: other files lead to them, and they lead to others.
  "doubtful",
  "new",
  "changed",
  // Shared caches are emptied, and a changed configuration is loaded.
  "caches",
  // What names the changes. Consumers who read it request what it names.
  "changes",
  "stale",
  // Stale files that readers reach through a page.
  "staleLinked",
] as const;

export type PublicationStep = (typeof steps)[number];

/** Steps are carried out in ascending order. */
export const orderOf = (step: PublicationStep): number => steps.indexOf(step);

/** Whether an earlier publication has a file at this path. Of a bucket without a list it is unknown which build's it is. */
export type Presence = "missing" | "there" | "unknown";

export function stepOf(base: string, file: string, presence: Presence): PublicationStep {
  const mayBeState = file.startsWith(`${apiFolder(base)}/cursors`);
  if (mayBeState && new RegExp(cursorsPattern(base)).test(file)) return "state";
  if (file === changesFile(base)) return "changes";
  // Other new pages link to these two. They do not exist before there is a list, and the first list is empty.
  const isList = file === feedFile(base) || file === changesPageFile(base);
  if (isList && presence !== "missing") return "changes";
  if (presence === "there") return "changed";
  if (!isLinked(base, file)) return presence === "unknown" ? "changed" : "new";
  return presence === "unknown" ? "doubtful" : "linked";
}

export const stepOfStale = (base: string, file: string): PublicationStep =>
  isLinked(base, file) ? "staleLinked" : "stale";
