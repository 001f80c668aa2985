import { inject, type TestContext } from "vitest";

/** Skips the current test, with the reason, if the tools could not be installed. */
export function skipWithoutTools(skip: TestContext["skip"]): void {
  const lack = inject("lackOfTools");
  if (lack !== undefined) skip(lack);
}
