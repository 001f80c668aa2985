// The report of a build: as text, and as data for programs.
import type { Colors } from "picocolors/types.js";
import type { BuildPlan } from "../../build.ts";
import type { Reload } from "../../hosts/configuration.ts";
import { integer, plural } from "../../text/words.ts";
import { wrapped } from "../terminal.ts";
import { reloadText } from "./advice.ts";
import { budgetText } from "./budget.ts";
import { type Summary, sizeText, tableText } from "./summary.ts";

export interface Outcome {
  readonly plan: BuildPlan;
  readonly summary: Summary;
  /** The hosts that have to load files. */
  readonly reloads: readonly Reload[];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** `from` and `to` are folders. `width` is the width of the terminal. */
export function builtText(
  { plan, summary, reloads }: Outcome,
  { from, to }: { readonly from: string; readonly to: string },
  colors: Colors,
  width?: number,
): string {
  const { catalog, deployment, budget } = plan;
  const which = catalog.deployments.size < 2 ? "" : `, deployment ${deployment.name}`;
  const parts = [
    `${colors.bold(catalog.settings.title ?? "The API")}${which}: ${from} → ${to}`,
    [tableText(summary, colors), ...amongFiles(plan)].join("\n"),
    budget.length > 0 ? budgetText(budget, colors, width) : "",
    reloads.map((each) => wrapped(reloadText(each), width, 0, 0)).join("\n"),
  ];
  return parts.flatMap((part) => (part === "" ? [] : `${part}\n\n`)).join("");
}

function amongFiles({ api, retired }: BuildPlan): readonly string[] {
  const count = api.items.reduce((sum, { files }) => sum + files, 0);
  const bytes = api.items.reduce((sum, items) => sum + items.bytes, 0);
  const among = `of the files are`;
  return [
    ...(count > 0 ? [`${integer(count)} ${among} single items, ${sizeText(bytes)} together.`] : []),
    ...(retired.length > 0
      ? [`${integer(retired.length)} ${among} retired pages, for readers of earlier builds.`]
      : []),
  ];
}

export function lastLine({ summary: { counts }, milliseconds }: Outcome, colors: Colors): string {
  const { written, kept, removed } = counts;
  const outcome =
    written + removed === 0
      ? `Nothing changed: all ${integer(kept)} files are as they were`
      : `${plural(written, "file")} written, ${integer(kept)} kept, ${integer(removed)} removed`;
  return `${colors.green("✓")} ${outcome}, in ${(milliseconds / 1_000).toFixed(1)} s.`;
}

export const builtAsData = ({ plan, summary: { counts, rows }, reloads, warnings, milliseconds }: Outcome) => ({
  faults: [],
  deployment: plan.deployment.name,
  ...counts,
  retired: plan.retired.length,
  operations: Object.fromEntries(rows),
  budget: plan.budget,
  reloads,
  warnings,
  seconds: milliseconds / 1_000,
});
