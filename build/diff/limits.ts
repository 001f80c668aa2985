// The effect of a change on the use of the hosts' limits.
import type { BudgetLine } from "../budget/budget.ts";

export interface LimitChange extends Omit<BudgetLine, "used"> {
  /** Undefined if the earlier build did not have this limit. */
  readonly before: number | undefined;
  readonly after: number;
}

/** In the order of the lines after the change. */
export function limitChanges(before: readonly BudgetLine[], after: readonly BudgetLine[]): readonly LimitChange[] {
  const olds = new Map(before.map((line) => [nameOf(line), line.used]));
  return after.map(({ used, ...line }) => ({ ...line, before: olds.get(nameOf(line)), after: used }));
}

/** Leaves out the name of the largest folder or file, which may change. */
const nameOf = ({ host, what, plan }: Pick<BudgetLine, "host" | "what" | "plan">): string =>
  [host, what.replace(/ \(.*\)$/, ""), plan].join("\n");
