// What a build tells when it is done.

import { wrapAnsi } from "fast-wrap-ansi";
import type { Colors } from "picocolors/types.js";
import type { BudgetLine } from "../budget/budget.ts";
import type { Built } from "../build-plan.ts";
import { type Reload, reloadsOf } from "../hosts/configuration.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { deletionsIn, type ListingDeletion } from "../pages/deletion.ts";
import { budgetText } from "./budget.ts";
import { deletionTexts } from "./deletion.ts";
import { reloadTexts } from "./reload.ts";
import { type Summary, summaryText, type Tally } from "./summary.ts";

/** As data that JSON can hold. */
export interface Outcome extends Omit<Summary, "rows"> {
  readonly title: string;
  readonly deployment: string;
  readonly rows: readonly (readonly [name: string, tally: Tally])[];
  readonly budget: readonly BudgetLine[];
  readonly deletions: readonly ListingDeletion[];
  /** The hosts whose configuration an earlier build had written otherwise. */
  readonly reloads: readonly Reload[];
}

export const outcomeOf = (
  { plan: { catalog, deployment, budget, api }, replacedBeside }: Pick<Built, "plan" | "replacedBeside">,
  hosts: readonly HostAdapter[],
  summary: Summary,
): Outcome => ({
  title: catalog.settings.title ?? "The API",
  deployment: deployment.name,
  rows: [...summary.rows],
  counts: summary.counts,
  compressed: summary.compressed,
  retired: summary.retired,
  budget,
  deletions: deletionsIn(api.listings, api.cutsOf),
  reloads: reloadsOf(hosts, (file) => replacedBeside.has(file)),
});

/** That of the next build, which changes nothing. */
export function unchanged(outcome: Outcome): Outcome {
  const { written, kept } = outcome.counts;
  const rows = outcome.rows.map(
    ([name, row]) => [name, { ...row, filesBefore: row.files, bytesBefore: row.bytes }] as const,
  );
  return { ...outcome, rows, counts: { written: 0, kept: written + kept, removed: 0 }, reloads: [] };
}

/** `from` and `to` are folders, `width` is that of the terminal, if it is one. */
export function builtText(outcome: Outcome, from: string, to: string, colors: Colors, width?: number): string {
  const { title, deployment, budget, deletions, reloads } = outcome;
  const head = `${colors.bold(title)}, deployment ${deployment}: ${from} → ${to}`;
  const limits = budget.length > 0 ? [budgetText(budget, colors, width)] : [];
  const advice = [...deletionTexts(deletions), ...reloadTexts(reloads)].map((text) =>
    width === undefined ? text : wrapAnsi(text, width),
  );
  const parts = [head, summaryText(outcome, colors), ...limits, ...(advice.length > 0 ? [advice.join("\n")] : [])];
  return parts.map((part) => `${part}\n\n`).join("");
}

export const builtAsData = (
  { deployment, counts, compressed, retired, rows, budget, deletions, reloads }: Outcome,
  warnings: readonly string[],
  milliseconds: number,
) => ({
  faults: [],
  deployment,
  ...counts,
  compressed,
  retired,
  operations: Object.fromEntries(rows),
  budget,
  deletions,
  reloads,
  warnings,
  seconds: milliseconds / 1000,
});
