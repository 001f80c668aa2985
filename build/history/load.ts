// Loads the state of earlier builds. A build writes its state before its pages and its routing table after them, so a
// table that names another state shows an interrupted build. A state read over HTTP is not checked for this.
import { readFileSync } from "node:fs";
import path from "node:path";
import { publicName } from "../address/given.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Checked, type Diagnostic, wholeBuild } from "../diagnostics.ts";
import { hasCode } from "../machine-error.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";
import { sha256 } from "../sha256.ts";
import { type Found, type History, keep, remember } from "./history.ts";
import { findPrevious } from "./source.ts";

export type HistoryOptions =
  /** This build supersedes the one in a folder or at an address. `now` is in seconds since 1970. */
  | {
      readonly kind: "previous";
      readonly from: string;
      readonly now: number;
      /** Whether to warn about a missing build. */
      readonly isExpected: boolean;
      /** Whether a missing or unreadable build is a fault. */
      readonly isRequired?: boolean;
    }
  /** Keeps the state that the last build left in a folder. */
  | { readonly kind: "kept"; readonly folder: string };

/** `pages` is the number of pages without retired ones, `mostBytes` the size limit of a file. */
export async function loadHistory(
  options: HistoryOptions | undefined,
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  mostBytes: number,
): Promise<Checked<History>> {
  if (options === undefined) return [remember(catalog, deployment, pages, { kind: "none" }, 0, mostBytes), []];
  const { base } = catalog.api;
  if (options.kind === "kept") return [keep(await findPrevious(options.folder, base), base, deployment), []];
  const found = withPlace(await findPrevious(options.from, base), options.from);
  const history = remember(catalog, deployment, pages, found, options.now, mostBytes);
  const from = publicName(options.from);
  const lost = found.kind === "none" ? "it does not exist" : history.lost;
  if (options.isRequired && lost !== undefined) return [history, [faultOf(from, lost)]];
  if (found.kind !== "none" || !options.isExpected) return [history, []];
  return [{ ...history, warnings: [`There is no previous build at ${from}. This build counts as the first.`] }, []];
}

const faultOf = (from: string, reason: string): Diagnostic => ({
  ...wholeBuild,
  code: "previous-lost",
  message: `Could not read the previous build at ${from} (${reason}), which --previous-required asks for.`,
  hint: "Build again when it can be read, or without --previous-required if existing cursors may stop working.",
});

/**
 * `from` is a folder or an address. A folder without a routing table, such as a copy of the state only, is not checked.
 */
function withPlace(found: Found, from: string): Found {
  if (found.kind !== "state" || /^https?:\/\//.test(from)) return found;
  const named = stateNamedIn(path.join(from, tableFile));
  return { ...found, isInterrupted: named !== undefined && named !== sha256(found.bytes) };
}

function stateNamedIn(file: string): string | undefined {
  try {
    return parseRoutingTable(readFileSync(file, "utf8"))?.state;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined;
    throw error;
  }
}
