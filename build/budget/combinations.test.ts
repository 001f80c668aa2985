import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import type { Api } from "../../src/model/api.ts";
import { noSettings } from "../../test/content/folder.ts";
import { lay, temporaryFolder } from "../../test/output/folder.ts";
import { errorsIn, messagesOfPlan } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { openLog } from "../messages.ts";
import { checkCombinations } from "./budget.ts";

const words = (count: number) => z.enum(Array.from({ length: count }, (_, index) => `w${index}`));

const deployment = { name: "edge", operations: ["things"], documents: new Map() };

/** An API with three filters of so many values each, which go together. */
function apiWith(counts: readonly [number, number, number]): Api {
  const [a, b, c] = counts.map(words);
  if (a === undefined || b === undefined || c === undefined) throw new Error("Three filters are needed.");
  const things = defineCollection({
    purpose: "Things.",
    schema: z.object({ name: slug, a, b, c }),
    key: "name",
    filters: { a: "a", b: "b", c: "c" },
    together: [["a", "b", "c"]],
  });
  return completeApi(defineApi({ collections: { things } }));
}

function errorsWith(counts: readonly [number, number, number]): readonly string[] {
  const api = apiWith(counts);
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

it("refuses them in the run in which it refuses the hosts", async () => {
  const content = temporaryFolder();
  lay(content, {
    "api.yaml": "mount: /data\nhosts: [netlify, plain]\n",
    "things.yaml": "[]\n",
    "deployments/edge.yaml": "operations: [things]\n",
  });
  const messages = await messagesOfPlan({ api: apiWith([10, 10, 50]), content, hosts: undefined });
  expect(messages.map(({ code }) => code).sort()).toEqual(["hosts-conflict", "mount-with-rules", "over-budget"]);
});
