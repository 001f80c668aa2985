// Everything that a plan gives reason to warn of, in one place: no command leaves out what another one says.
import type { Api } from "../src/model/api.ts";
import type { BudgetLine } from "./budget/budget.ts";
import type { BuildPlan } from "./build.ts";
import { deprecatedIn, hasSunset } from "./declaration/deprecations.ts";
import { undescribedFields } from "./documents/fields.ts";
import { integer, listed } from "./text/words.ts";

/** A sentence or two each. `today` tells which sunsets have come. */
export const warningsOf = ({ warnings, budget, catalog: { api } }: BuildPlan, today: string): readonly string[] => [
  ...warnings,
  ...excesses(budget),
  ...sunsets(api, today),
  ...undescribed(undescribedFields(api)),
];

/** An exceeded limit is one of a plan of the host, because any other would have been a fault. */
const excesses = (budget: readonly BudgetLine[]): readonly string[] =>
  budget
    .filter(({ used, most }) => used > most)
    .map(
      ({ host, what, plan, most, source }) =>
        `${host}, ${plan}: at most ${integer(most)} ${what} (${source}), and this build has more. Other plans take it.`,
    );

/** What should be gone by now. */
const sunsets = ({ operations }: Api, today: string): readonly string[] =>
  deprecatedIn(operations)
    .filter((each) => hasSunset(each, today))
    .map(({ what, sunset }) => `The sunset of ${what} was on ${sunset}. Remove it, or give it a later sunset.`);

function undescribed(fields: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  const [noun, them] = fields.length === 1 ? ["1 field has", "it"] : [`${integer(fields.length)} fields have`, "them"];
  return [`${noun} no .describe(), by which the reference explains ${them} to consumers: ${listed(fields)}.`];
}
