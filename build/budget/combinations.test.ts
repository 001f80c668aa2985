import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { noSettings } from "../../test/content/folder.ts";
import { errorsIn } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { openLog } from "../messages.ts";
import { checkCombinations } from "./budget.ts";

const words = (count: number) => z.enum(Array.from({ length: count }, (_, index) => `w${index}`));

const deployment = { name: "edge", operations: ["things"], documents: new Map() };

/** The errors of three filters with so many values each. */
function errorsWith(counts: readonly [number, number, number]): readonly string[] {
  const [a, b, c] = counts.map(words);
  if (a === undefined || b === undefined || c === undefined) throw new Error("Three filters are needed.");
  const things = defineCollection({
    purpose: "Things.",
    schema: z.object({ name: slug, a, b, c }),
    key: "name",
    filters: { a: "a", b: "b", c: "c" },
    together: [["a", "b", "c"]],
  });
  const api = completeApi(defineApi({ collections: { things } }));
  const catalog = { api, items: new Map(), deployments: new Map(), settings: noSettings };
  const log = openLog();
  checkCombinations(catalog, deployment, log);
  return errorsIn(log);
}

it("accepts 5,000 combinations of values", () => {
  // 4,000 in threes, 900 in twos.
  expect(errorsWith([10, 10, 40])).toEqual([]);
});

it("refuses more, and names the filters with the most", () => {
  expect(errorsWith([10, 10, 50])).toEqual([
    "api.config.ts:1:1 over-budget The combined filters have 6,100 combinations of values, but a build can have at most 5,000. Most of them, 5,000, are those of a and b and c of things. Remove this combination from together.",
  ]);
});
