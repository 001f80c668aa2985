// How a build learns of earlier ones.
import { publicName } from "../address/given.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Checked, Diagnostic } from "../diagnostics.ts";
import { type History, keep, remember } from "./history.ts";
import { findPrevious } from "./source.ts";

export type HistoryOptions =
  /** The build in a folder, or at an address, is superseded. `now` is in seconds since 1970. */
  | {
      readonly kind: "previous";
      readonly from: string;
      readonly now: number;
      /** Whether a missing build is worth a warning. */
      readonly isExpected: boolean;
      /** Whether a missing or unreadable build is a fault. */
      readonly isRequired?: boolean;
    }
  /** The state that the last build left in a folder stays as it is. */
  | { readonly kind: "kept"; readonly folder: string };

/** `mostBytes` is how large a file may be. */
export async function recall(
  options: HistoryOptions | undefined,
  catalog: Catalog,
  deployment: Deployment,
  mostBytes: number,
): Promise<Checked<History>> {
  if (options === undefined) return [remember(catalog, deployment, { kind: "none" }, 0, mostBytes), []];
  if (options.kind === "kept") return [keep(await findPrevious(options.folder), deployment), []];
  const found = await findPrevious(options.from);
  const history = remember(catalog, deployment, found, options.now, mostBytes);
  const from = publicName(options.from);
  const lost = found.kind === "none" ? "it does not exist" : history.lost;
  if (options.isRequired && lost !== undefined) return [history, [faultOf(from, lost)]];
  if (found.kind !== "none" || !options.isExpected) return [history, []];
  return [{ ...history, warnings: [`There is no previous build at ${from}. This build counts as the first.`] }, []];
}

/** About the build as a whole, so the place is the settings file. */
const faultOf = (from: string, reason: string): Diagnostic => ({
  file: "api.yaml",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  code: "previous-lost",
  message: `Could not read the previous build at ${from} (${reason}), which --previous-required asks for.`,
  hint: "Build again when it can be read, or without --previous-required if existing cursors may stop working.",
});
