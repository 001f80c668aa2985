// Comparisons for tests, of sides without errors.
import { type Difference, type Differences, differencesOf } from "../../build/diff/difference.ts";
import { type Comparison, openSides, type Sides, type SidesOptions } from "../../build/diff/sides.ts";
import type { Api } from "../../src/model/api.ts";

type Optional = "deployment" | "hosts" | "today";

type TestSidesOptions = Omit<SidesOptions, Optional | "apis"> &
  Partial<Pick<SidesOptions, Optional>> & { readonly api: Api };

const usual = { deployment: undefined, hosts: [], today: "2026-11-20" };

/** The sides of the first API. Throws the errors of a side. */
export async function opened(options: TestSidesOptions): Promise<Sides & { readonly comparison: Comparison }> {
  const { api, ...others } = options;
  const comparison = await openSides({ ...usual, ...others, apis: [api] });
  if ("shown" in comparison) throw new Error(`There are errors: ${JSON.stringify(comparison.shown, undefined, 1)}`);
  const [sides] = comparison.pairs;
  if (sides === undefined) throw new Error("No API is compared.");
  return { ...sides, comparison };
}

/** The differences of the only API, with the totals of the build. */
export type DifferenceOfOne = Difference & Pick<Differences, "files" | "limits" | "reloads" | "warnings">;

/** The differences of an API, as reports get them. */
export const alone = ({ files, limits, reloads, warnings, ...difference }: DifferenceOfOne): Differences => ({
  apis: [{ base: "/api/v1", ...difference }],
  added: [],
  removed: [],
  breaking: [],
  announced: [],
  files,
  limits,
  reloads,
  warnings,
});

export async function compared(options: TestSidesOptions): Promise<DifferenceOfOne> {
  const { comparison } = await opened(options);
  const { apis, files, limits, reloads, warnings } = differencesOf(comparison, options.today ?? usual.today);
  const [difference] = apis;
  if (difference === undefined) throw new Error("No API is compared.");
  const { base: _, ...members } = difference;
  return { ...members, files, limits, reloads, warnings };
}
