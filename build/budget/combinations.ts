// Each combination of values that filters accept together is a listing, with or without items.
import { combinationsOf } from "../../src/filter.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** More listings than this are more likely a slip than wanted: each has at least one file. */
const mostCombinations = 5_000;

/** A fault if the filters of a deployment that go together have too many combinations of values. */
export function checkCombinations(catalog: Catalog, { operations }: Deployment): readonly Diagnostic[] {
  const sets = catalog.api.lists
    .filter(({ name }) => operations.includes(name))
    .flatMap((operation) =>
      combinationsOf(operation)
        .filter(({ length }) => length > 1)
        .map((filters) => ({
          name: `${filters.map(({ param }) => param).join(" and ")} of ${operation.name}`,
          count: filters.reduce((count, filter) => count * filterValues(catalog, operation, filter).length, 1),
        })),
    );
  const all = sets.reduce((sum, { count }) => sum + count, 0);
  const [largest] = sets.toSorted((one, other) => other.count - one.count);
  if (largest === undefined || all <= mostCombinations) return [];
  const [total, most] = [all, mostCombinations].map((count) => count.toLocaleString("en-US"));
  return [
    {
      ...{ file: "api.yaml", line: 1, column: 1, endLine: 1, endColumn: 1, code: "over-budget" },
      message: `The filters that go together have ${total} combinations of values, and a build has at most ${most}. Most of them, ${largest.count.toLocaleString("en-US")}, are those of ${largest.name}.`,
      hint: "Remove this combination from together.",
    },
  ];
}
