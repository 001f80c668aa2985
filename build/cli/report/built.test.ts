import picocolors from "picocolors";
import { expect, it } from "vitest";
import { budgetText } from "./built.ts";

const plain = picocolors.createColors(false);
const line = { host: "netlify", used: 1_036, most: 10_000, plan: undefined, source: "https://example.com" };
const lines = [
  { ...line, what: "files in one folder (api/v1/records/limit/1/cursor)" },
  { ...line, what: "rules" },
];

it("has a place beside its limit if both fit the terminal, and below it if not", () => {
  const wide = `\
limits                                                         used  at most   left
netlify: files in one folder (api/v1/records/limit/1/cursor)  1,036   10,000  8,964
netlify: rules                                                1,036   10,000  8,964`;
  expect(budgetText(lines, plain)).toBe(wide);
  expect(budgetText(lines, plain, 83)).toBe(wide);
  expect(budgetText(lines, plain, 82)).toBe(`\
limits                         used  at most   left
netlify: files in one folder  1,036   10,000  8,964
  in api/v1/records/limit/1/cursor
netlify: rules                1,036   10,000  8,964`);
});
