// Comparisons for tests, of sides without errors.
import { type Difference, type Differences, differenceOf } from "../../build/diff/difference.ts";
import { openSides, type Sides, type SidesOptions } from "../../build/diff/sides.ts";
import type { Api } from "../../src/model/api.ts";

type Optional = "deployment" | "hosts" | "today";

type TestSidesOptions = Omit<SidesOptions, Optional | "apis"> &
  Partial<Pick<SidesOptions, Optional>> & { readonly api: Api };

const usual = { deployment: undefined, hosts: [], today: "2026-11-20" };

/** Throws the errors of a side. */
export async function opened({ api, ...options }: TestSidesOptions): Promise<Sides> {
  const comparison = await openSides({ ...usual, ...options, apis: [api] });
  if ("shown" in comparison) throw new Error(`There are errors: ${JSON.stringify(comparison.shown, undefined, 1)}`);
  const [sides] = comparison.pairs;
  if (sides === undefined) throw new Error("No API is compared.");
  return sides;
}

/** The differences of an API, as reports get them. */
export const alone = (difference: Difference): Differences => ({
  apis: [{ base: "/api/v1", ...difference }],
  added: [],
  removed: [],
  breaking: [],
  announced: [],
  warnings: difference.warnings,
});

export const compared = async (options: TestSidesOptions): Promise<Difference> =>
  differenceOf(await opened(options), options.today ?? usual.today);
