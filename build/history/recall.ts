// From where a build learns of earlier ones.
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type History, keep, remember } from "./history.ts";
import { findPrevious } from "./source.ts";

export type HistoryOptions =
  /**
   * The build in a folder, or at an address, is superseded. `now` is in seconds since 1970. Where there must be one, the
   * user is told that there is none.
   */
  | { readonly kind: "previous"; readonly from: string; readonly now: number; readonly isExpected: boolean }
  /** What the last build left in a folder stays as it is. */
  | { readonly kind: "kept"; readonly folder: string };

/** `pages` is how many pages the build has without retired ones, `mostBytes` how large a file may be. */
export async function recall(
  options: HistoryOptions | undefined,
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  mostBytes: number,
): Promise<History> {
  if (options === undefined) return remember(catalog, deployment, pages, { kind: "none" }, 0, mostBytes);
  if (options.kind === "kept") return keep(await findPrevious(options.folder), deployment);
  const found = await findPrevious(options.from);
  const history = remember(catalog, deployment, pages, found, options.now, mostBytes);
  if (found.kind !== "none" || !options.isExpected) return history;
  return { ...history, warnings: [`There is no earlier build at ${options.from}: this is taken for the first one.`] };
}
