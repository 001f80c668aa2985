// Warnings about what should be gone by now.
import type { Api } from "../../src/api.ts";
import { dayOf, deprecatedIn, hasSunset } from "../deprecations.ts";
import { secondsNow } from "../seconds-now.ts";

export const sunsetWarnings = ({ operations }: Api): readonly string[] => {
  const today = dayOf(secondsNow());
  return deprecatedIn(operations)
    .filter((each) => hasSunset(each, today))
    .map(({ what, sunset }) => `The sunset of ${what} was on ${sunset}. Remove it, or give it a later sunset.`);
};
