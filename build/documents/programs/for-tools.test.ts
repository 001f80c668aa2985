// The parts of OpenAPI and of JSON Schemas that code generators, validators and consoles misread unless they are written for
// these tools.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { count, deprecated, slug } from "../../../src/declare/forms.ts";
import { fieldOf } from "../../../src/model/fields.ts";
import { planOf, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openapi } from "./openapi.ts";

const gone = { since: "2026-01-01", why: "It was never used." };

const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({
    id: slug,
    colour: z.enum(["red", "blue"]),
    size: count,
    old: z.enum(["x"]),
    mixed: z.union([z.string(), z.number(), z.null()]),
    row: z.tuple([z.string()], z.number()),
    pair: z.tuple([z.number(), z.number()]),
    nothing: z.tuple([]),
    shape: z.discriminatedUnion("t", [
      z.strictObject({
        t: z.literal("x").describe("It is an x."),
        size: deprecated(z.int().describe("The size of an x."), gone),
      }),
      z.strictObject({ t: z.literal("y").describe("It is a y."), size: z.string().describe("The size of a y.") }),
    ]),
  }),
  key: "id",
  filters: { colour: "colour", size: "size", old: { field: "old", deprecated: gone } },
  together: [["colour", "size"]],
});
const api = completeApi(defineApi({ collections: { things } }));

const folder = temporaryFolder();
let document: ReturnType<typeof openapi>;

beforeAll(async () => {
  const items = Array.from({ length: 40 }, (_, number) => ({
    id: `a${number}`,
    colour: number % 3 === 0 ? "blue" : "red",
    size: number % 2,
    old: "x",
    mixed: number,
    row: ["a", 1],
    pair: [1, 2],
    nothing: [],
    shape: { t: "x", size: 1 },
  }));
  writeFileSync(path.join(folder, "things.json"), JSON.stringify(items));
  document = openapi(siteOf(await planOf(folder, api)));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The schema of a field, without its description. */
const schemaOf = (field: string): unknown => {
  const properties = fieldOf(document.components.schemas["Things"], "properties");
  const { description: _, ...schema } = Object(fieldOf(properties, field));
  return schema;
};

it("gives examples of as many filters as may be combined, none of them deprecated", () => {
  const parameters = document.paths["/api/v1/things"]?.get.parameters ?? [];
  const examples = parameters
    .filter(({ example }) => example !== undefined)
    .map(({ name, example }) => [name, example]);
  expect(Object.fromEntries(examples)).toEqual({ colour: "red", size: 0, limit: 2, cursor: expect.any(String) });
});

it("has no list of types, of which some tools read the first alone", () => {
  expect(schemaOf("mixed")).toEqual({ anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] });
});

it("describes the further values of a tuple so that tools without prefixItems accept all of its values", () => {
  expect(schemaOf("row")).toEqual({
    type: "array",
    prefixItems: [{ type: "string" }],
    items: { anyOf: [{ type: "string" }, { type: "number" }] },
    minItems: 1,
  });
  expect(schemaOf("pair")).not.toHaveProperty("items");
  expect(schemaOf("nothing")).toEqual({ type: "array", maxItems: 0 });
});

it("describes each shape of a union by its own fields", () => {
  expect(schemaOf("shape")).toMatchObject({
    oneOf: [
      {
        properties: {
          t: { description: "It is an x." },
          size: { description: expect.stringMatching(/^The size of an x\. Deprecated/), deprecated: true },
        },
      },
      { properties: { t: { description: "It is a y." }, size: { type: "string", description: "The size of a y." } } },
    ],
  });
  expect(JSON.stringify(schemaOf("shape")).match(/"deprecated":true/g)).toHaveLength(1);
});

it("gives paths of files an operationId each, also if parameters differ only in signs, and names the next page by it", async () => {
  const content = temporaryFolder();
  onTestFinished(() => rmSync(content, { recursive: true }));
  const schema = z.strictObject({ id: slug, a: z.enum(["x"]), b: z.enum(["y"]) });
  const signs = defineCollection({
    purpose: "Signs.",
    schema,
    key: "id",
    filters: { a: "a", b: "b", "a-b": "a" },
    together: [["a", "b"]],
  });
  writeFileSync(path.join(content, "signs.json"), '[{ "id": "one", "a": "x", "b": "y" }]');
  writeFileSync(path.join(content, "api.json"), '{ "page_sizes": [5, 100] }');
  const api = completeApi(defineApi({ collections: { signs } }));
  const { paths } = openapi(siteOf(await planOf(content, api), { addresses: "files" }));
  const idOf = (file: string) => paths[`/api/v1/signs${file}.json`]?.get.operationId;
  const next = (file: string) => paths[`/api/v1/signs${file}.json`]?.get.responses["200"].links?.next.operationId;
  expect(idOf("/a/{a}/b/{b}")).toBe("listSignsByAB_2");
  expect(idOf("/a-b/{a-b}")).toBe("listSignsByAB");
  expect(next("/a/{a}/b/{b}")).toBe(idOf("/a/{a}/b/{b}/cursor/{cursor}"));
  expect(next("/a-b/{a-b}")).toBe(idOf("/a-b/{a-b}/cursor/{cursor}"));
  const ids = Object.values(paths).map(({ get }) => get.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const nextIds = Object.values(paths).map(({ get }) => get.responses["200"].links?.next.operationId);
  expect(ids).toEqual(expect.arrayContaining(nextIds));
});
