import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../../src/declare.ts";
import { reference } from "../../../src/marks.ts";
import { discovered } from "../../../test/content/folder.ts";
import { compileContent } from "../../content/content.ts";
import { editorSchemas } from "./schemas.ts";

const groups = defineCollection({
  purpose: "Groups.",
  schema: z.strictObject({ key: z.string(), number: z.int() }),
  key: "key",
});
const emojis = defineCollection({
  purpose: "Emojis.",
  schema: z.strictObject({ id: z.string(), group: reference("groups", { by: "number" }).nullable() }),
  key: "id",
});
const api = completeApi(defineApi({ collections: { groups, emojis } }));

function fieldOf(groups: string): unknown {
  const [content] = compileContent(discovered({ "groups.json": groups, "emojis.json": "[]" }), api);
  const [schema] = editorSchemas(content).filter(({ file }) => file === "emojis.json");
  return JSON.parse(schema?.text ?? "{}").definitions.group;
}

it("offers the values by which a reference names items, not their keys", () => {
  expect(fieldOf('[{"key":"a","number":7},{"key":"b","number":0}]')).toMatchObject({
    enum: [7, 0, null],
    enumDescriptions: ["a", "b"],
  });
  // Without items that are known, no value can be called wrong.
  const unknown = JSON.stringify(fieldOf("[{"));
  expect(unknown).toContain('"integer"');
  expect(unknown).not.toContain("enum");
});
