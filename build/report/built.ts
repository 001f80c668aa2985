// What a build tells when it is done.

import { wrapAnsi } from "fast-wrap-ansi";
import type { Colors } from "picocolors/types.js";
import type { BudgetLine } from "../budget/budget.ts";
import type { BuildPlan } from "../build-plan.ts";
import { deletionsIn, type ListingDeletion } from "../pages/deletion.ts";
import { budgetText } from "./budget.ts";
import { deletionTexts } from "./deletion.ts";
import { type Summary, summaryText, type Tally } from "./summary.ts";

/** As data that JSON can hold. */
export interface Outcome extends Omit<Summary, "rows"> {
  readonly title: string;
  readonly deployment: string;
  readonly rows: readonly (readonly [name: string, tally: Tally])[];
  readonly budget: readonly BudgetLine[];
  readonly deletions: readonly ListingDeletion[];
}

export const outcomeOf = ({ catalog, deployment, budget, api }: BuildPlan, summary: Summary): Outcome => ({
  title: catalog.settings.title ?? "The API",
  deployment: deployment.name,
  rows: [...summary.rows],
  counts: summary.counts,
  compressed: summary.compressed,
  retired: summary.retired,
  budget,
  deletions: deletionsIn(api.listings, api.cutsOf),
});

/** That of the next build, which changes nothing. */
export function unchanged(outcome: Outcome): Outcome {
  const { written, kept } = outcome.counts;
  const rows = outcome.rows.map(
    ([name, row]) => [name, { ...row, filesBefore: row.files, bytesBefore: row.bytes }] as const,
  );
  return { ...outcome, rows, counts: { written: 0, kept: written + kept, removed: 0 } };
}

/** `from` and `to` are folders, `width` is that of the terminal, if it is one. */
export function builtText(outcome: Outcome, from: string, to: string, colors: Colors, width?: number): string {
  const { title, deployment, budget, deletions } = outcome;
  const head = `${colors.bold(title)}, deployment ${deployment}: ${from} → ${to}`;
  const limits = budget.length > 0 ? [budgetText(budget, colors, width)] : [];
  const advice = deletionTexts(deletions).map((text) => (width === undefined ? text : wrapAnsi(text, width)));
  const parts = [head, summaryText(outcome, colors), ...limits, ...(advice.length > 0 ? [advice.join("\n")] : [])];
  return parts.map((part) => `${part}\n\n`).join("");
}

export const builtAsData = (
  { deployment, counts, compressed, retired, rows, budget, deletions }: Outcome,
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
  warnings,
  seconds: milliseconds / 1000,
});
