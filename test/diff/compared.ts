// Comparisons for tests, of sides without errors.
import { type ApiDifference, type BuildDifference, differencesOf } from "../../build/diff/difference.ts";
import { type DiffOptions, readVersions } from "../../build/diff/read.ts";
import type { PlannedVersion, Version } from "../../build/diff/side.ts";
import type { Api } from "../../src/model/api.ts";

type Optional = "deployment" | "hosts" | "today";

type TestOptions = Omit<DiffOptions, Optional | "apis"> & Partial<Pick<DiffOptions, Optional>> & { readonly api: Api };

const usual = { deployment: undefined, hosts: [], today: "2026-11-20" };

/** Throws the errors of a version. */
export async function opened(
  options: TestOptions,
): Promise<{ readonly before: Version; readonly after: PlannedVersion }> {
  const { api, ...others } = options;
  const versions = await readVersions({ ...usual, ...others, apis: [api] });
  if ("shown" in versions) throw new Error(`There are errors: ${JSON.stringify(versions.shown, undefined, 1)}`);
  return versions;
}

/** The differences of the only API, with the totals of the build. */
export type DifferenceOfOne = ApiDifference & Pick<BuildDifference, "files" | "limits" | "reloads" | "warnings">;

/** The differences of an API, as reports get them. */
export const alone = ({ files, limits, reloads, warnings, ...difference }: DifferenceOfOne): BuildDifference => ({
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

export async function compared(options: TestOptions): Promise<DifferenceOfOne> {
  const { before, after } = await opened(options);
  const { apis, files, limits, reloads, warnings } = differencesOf(before, after, options.today ?? usual.today);
  const [difference] = apis;
  if (difference === undefined) throw new Error("No API is compared.");
  const { base: _, ...members } = difference;
  return { ...members, files, limits, reloads, warnings };
}
