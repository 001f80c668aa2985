// Comparisons for tests, of sides without errors.
import { type Difference, differenceOf } from "../../build/diff/difference.ts";
import { openSides, type Sides, type SidesOptions } from "../../build/diff/sides.ts";

type Optional = "deployment" | "hosts" | "today";

type TestSidesOptions = Omit<SidesOptions, Optional> & Partial<Pick<SidesOptions, Optional>>;

const usual = { deployment: undefined, hosts: [], today: "2026-11-20" };

/** Throws the errors of a side. */
export async function opened(options: TestSidesOptions): Promise<Sides> {
  const sides = await openSides({ ...usual, ...options });
  if ("shown" in sides) throw new Error(`There are errors: ${JSON.stringify(sides.shown, undefined, 1)}`);
  return sides;
}

export const compared = async (options: TestSidesOptions): Promise<Difference> =>
  differenceOf(await opened(options), options.today ?? usual.today);
