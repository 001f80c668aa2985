import { expect, it, vi } from "vitest";
import { warner } from "./editors.ts";

it("warns again only of what has changed", () => {
  const printed: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const warnings: string[] = [];
  const warn = warner(warnings);
  for (const now of [[], ["One."], ["One."], ["One.", "Two."], [], ["One."]]) {
    warnings.splice(0, warnings.length, ...now);
    warn();
  }
  spy.mockRestore();
  expect(printed).toEqual(["! One.\n", "! One.\n", "! Two.\n", "! One.\n"]);
});
