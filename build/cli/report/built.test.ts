import picocolors from "picocolors";
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { lay, temporaryFolder } from "../../../test/output/folder.ts";
import { planned } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { budgetText, summarise } from "./built.ts";

const plain = picocolors.createColors(false);
const line = { host: "netlify", used: 9_036, most: 10_000, plan: undefined, source: "https://example.com" };
const lines = [
  { ...line, what: "files in one folder (api/v1/records/limit/1/cursor)" },
  { ...line, what: "rules" },
];

it("has a place beside its limit if both fit the terminal, and below it if not", () => {
  const wide = `\
limits                                                         used  at most  left
netlify: files in one folder (api/v1/records/limit/1/cursor)  9,036   10,000   964
netlify: rules                                                9,036   10,000   964`;
  expect(budgetText(lines, plain)).toBe(wide);
  expect(budgetText(lines, plain, 82)).toBe(wide);
  expect(budgetText(lines, plain, 81)).toBe(`\
limits                         used  at most  left
netlify: files in one folder  9,036   10,000   964
  in api/v1/records/limit/1/cursor
netlify: rules                9,036   10,000   964`);
});

it("counts the limits that are nowhere near in one sentence", () => {
  const far = { ...line, what: "rules", used: 1_036 };
  expect(budgetText([far, { ...far, host: "serve", used: 22, most: 50 }], plain)).toBe(
    "Of 2 limits of netlify and serve, at most 44% is used.",
  );
  expect(budgetText([...lines, far], plain)).toMatch(
    /^limits .*\n.*\n.*\nOf 1 more limit of netlify, at most 11% is used\.$/,
  );
  expect(budgetText([], plain)).toBe("");
});

it("names the use of each of several APIs", () => {
  expect(budgetText([{ ...line, what: "rules", apis: { "/api/v2": 9_000, "/api/v1": 36 } }], plain)).toBe(`\
limits           used  at most  left
netlify: rules  9,036   10,000   964
  /api/v2       9,000
  /api/v1          36`);
});

it("counts outputs beside the operations whose names they have", async () => {
  const parks = defineCollection({ purpose: "Parks.", schema: z.object({ id: slug }), key: "id" });
  const outputs = { "parks.geojson": { render: () => "{}" } };
  const content = temporaryFolder();
  lay(content, {
    "parks.yaml": "- id: a\n",
    "deployments/edge.yaml": "operations: [parks]\n",
    "api.yaml": "page_sizes: [100]\n",
  });
  const plan = await planned({ api: completeApi(defineApi({ collections: { parks }, outputs })), content });
  const { apis, others, add } = summarise(plan);
  for (const { file, length } of plan.files.all()) add({ file, kind: "written", before: undefined, after: length });
  expect(apis).toEqual([
    expect.objectContaining({ operations: new Map([["parks", expect.objectContaining({ files: 1 })]]) }),
  ]);
  expect(others.files).toBe([...plan.files.all()].length - 1);
});
