// The order in which the files of a build are published if they cannot be switched at once: in the out folder and in a
// bucket. At every moment, each cursor on a page that a reader can reach leads to a page, and each item on it to the single
// item. A list of changes names only answers that exist, in shared caches too. If a publication stops, all files are whole,
// and the next one completes it.
import type { NonEmpty } from "../values/non-empty.ts";
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
  // The documents that name the changes. Consumers who read them request the answers that they name.
  "changes",
  "stale",
  // Stale files that readers reach through a page.
  "staleLinked",
] as const;

export type PublicationStep = (typeof steps)[number];

/** Steps are carried out in ascending order. */
export const orderOf = (step: PublicationStep): number => steps.indexOf(step);

/** Whether an earlier publication has a file at this path; unknown for an object of a bucket without a list. */
export type Presence = "missing" | "present" | "unknown";

/** The base of the API to which a file belongs. Files outside of all bases count as those of the first. */
export const baseOf = (bases: NonEmpty<string>, file: string): string =>
  bases.find((base) => file.startsWith(`${apiFolder(base)}/`)) ?? bases[0];

export function stepOf(base: string, file: string, presence: Presence): PublicationStep {
  const mayBeState = file.startsWith(`${apiFolder(base)}/cursors`);
  if (mayBeState && new RegExp(cursorsPattern(base)).test(file)) return "state";
  if (file === changesFile(base)) return "changes";
  // Other new pages link to these two. A build without an earlier list publishes an empty one, so they may be new.
  const isList = file === feedFile(base) || file === changesPageFile(base);
  if (isList && presence !== "missing") return "changes";
  if (presence === "present") return "changed";
  if (!isLinked(base, file)) return presence === "unknown" ? "changed" : "new";
  return presence === "unknown" ? "doubtful" : "linked";
}

export const stepOfStale = (base: string, file: string): PublicationStep =>
  isLinked(base, file) ? "staleLinked" : "stale";
