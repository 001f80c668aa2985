// The folders of single items whose keys have several fields.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { discovered } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";

const lines = [
  { product: "A", branch: "x", name: "1" },
  { product: "a", branch: "x", name: "2" },
  { product: "a", branch: "y", name: "2" },
  { product: "A", branch: "X", name: "3" },
  { product: "b", branch: "X", name: "1" },
  { product: "A", branch: "x", name: "4" },
];

function messagesOf(item: boolean): readonly string[] {
  const builds = defineCollection({
    purpose: "Builds.",
    schema: z.strictObject({ product: z.string(), branch: z.string(), name: z.string() }),
    key: ["product", "branch", "name"],
    item,
  });
  const log = openLog();
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const api = completeApi(defineApi({ collections: { builds } }));
  compileContent(discovered({ "builds.ndjson": text }), api, log);
  return log.messages().shown.map(lineOf);
}

it("are the same in a path that ignores case, so they must not differ only in case", () => {
  const end = "are the same in paths, which may ignore case. Write both alike, or change one of them.";
  expect(messagesOf(true)).toEqual([
    `builds.ndjson:2:12 not-unique The values "a" and "A" of product, the latter at builds.ndjson:1:12, ${end}`,
    `builds.ndjson:4:25 not-unique The values "A/X" and "A/x" of branch, the latter at builds.ndjson:1:25, ${end}`,
  ]);
});

it("are not there without single items", () => {
  expect(messagesOf(false)).toEqual([]);
});
