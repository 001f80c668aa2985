// The report of a build: as text, and as data for programs.
import type { Colors } from "picocolors/types.js";
import type { BuildPlan } from "../../build.ts";
import type { Reload } from "../../hosts/configuration.ts";
import { wrapped } from "../terminal.ts";
import { reloadText } from "./advice.ts";
import { budgetText } from "./budget.ts";
import { type Summary, summaryText } from "./summary.ts";

/** `from` and `to` are folders. `width` is the width of the terminal. `reloads` lists the hosts that have to load files. */
export function builtText(
  { catalog, deployment, budget }: BuildPlan,
  summary: Summary,
  reloads: readonly Reload[],
  { from, to }: { readonly from: string; readonly to: string },
  colors: Colors,
  width?: number,
): string {
  const title = catalog.settings.title ?? "The API";
  const which = catalog.deployments.size < 2 ? "" : `, deployment ${deployment.name}`;
  const head = `${colors.bold(title)}${which}: ${from} → ${to}`;
  const limits = budget.length > 0 ? [budgetText(budget, colors, width)] : [];
  const advice = reloads.map((each) => wrapped(reloadText(each), width, 0, 0));
  const parts = [head, summaryText(summary, colors), ...limits, ...(advice.length > 0 ? [advice.join("\n")] : [])];
  return parts.map((part) => `${part}\n\n`).join("");
}

export const builtAsData = (
  { deployment, budget }: BuildPlan,
  { counts, retired, rows }: Summary,
  reloads: readonly Reload[],
  warnings: readonly string[],
  milliseconds: number,
) => ({
  faults: [],
  deployment: deployment.name,
  ...counts,
  retired,
  operations: Object.fromEntries(rows),
  budget,
  reloads,
  warnings,
  seconds: milliseconds / 1000,
});
