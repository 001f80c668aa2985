import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { schemasIn } from "../model/kinds.ts";
import { fromJsonSchema } from "./json-schema.ts";
import { refusals } from "./marks.ts";

const field = (schema: unknown, more = {}) => ({ type: "object", properties: { a: schema }, ...more });

const unique = "Array items must be unique: element at index 1 duplicates the one at index 0";
const loop = { $ref: "#/$defs/loop" };

it.each<[schema: object, value: unknown, issue: string | undefined]>([
  [field({ type: "array", items: { type: "string" }, uniqueItems: true }), { a: ["x", "x"] }, `a.1 ${unique}`],
  [
    field({ type: "array", uniqueItems: true, minItems: 1 }),
    { a: [] },
    "a Too small: expected array to have >=1 items",
  ],
  [
    field({ type: "array", contains: { type: "integer" } }),
    { a: ["x"] },
    "a Array must contain at least 1 matching element; found 0",
  ],
  [
    field({ type: "object", minProperties: 1, additionalProperties: false }),
    { a: {} },
    "a Too small: expected object to have >=1 properties",
  ],
  [{ additionalProperties: { type: "array", uniqueItems: true } }, { b: [1, 1] }, `b.1 ${unique}`],
  [{ required: ["a", "b"] }, { a: 1 }, "b Invalid input: expected nonoptional, received undefined"],
  [
    { required: ["b"], additionalProperties: { type: "string" } },
    { b: 1 },
    "b Invalid input: expected string, received number",
  ],
  [field({ type: ["string", "null"], enum: ["x", 1, null] }), { a: 1 }, "a Invalid input"],
  [field({ type: ["string", "null"], enum: ["x", 1, null] }), { a: null }, undefined],
  [field({ type: "string", pattern: "^\\p{Lu}" }), { a: "É" }, undefined],
  [field({ type: "string", pattern: "^\\p{Lu}" }), { a: "é" }, "a Invalid string: must match pattern /^\\p{Lu}/u"],
  [
    field(
      { $ref: "#/definitions/part/properties/x~1y" },
      { definitions: { part: { properties: { "x/y": { type: "integer", maximum: 3 } } } } },
    ),
    { a: 4 },
    "a Too big: expected number to be <=3",
  ],
  [{ $ref: "#/$defs/item", $defs: { item: field({ const: "x" }) } }, { a: "y" }, 'a Invalid input: expected "x"'],
  [
    field({ oneOf: [{ type: "number" }, { type: "integer" }] }),
    { a: 1 },
    "a Invalid input: more than one option matched",
  ],
  [
    field({ allOf: [{ type: "string" }], description: "A." }),
    { a: 1 },
    "a Invalid input: expected string, received number",
  ],
  [field({ minLength: 1 }, { properties: { a: { type: "string", minimum: 3 } } }), { a: "" }, undefined],
])("checks %j", (schema, value, issue) => {
  const { error } = fromJsonSchema(schema).safeParse(value);
  expect(error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`)[0]).toBe(issue);
});

it.each<[schema: object, refusal: string]>([
  [{ not: { type: "string" } }, "has the keyword not, which is not supported"],
  [{ type: "object", dependencies: { b: ["c"] } }, "has the keyword dependencies, which is not supported"],
  [{ minLength: 1 }, "has the keyword minLength without type"],
  [{ type: "string", format: "uri-reference" }, "has the format uri-reference, which is not supported"],
  [{ type: "object", oneOf: [{ required: ["b"] }] }, "has the keyword type beside oneOf"],
  [{ ...loop, minLength: 1 }, "has the keyword minLength beside $ref"],
  [{ allOf: [{ type: "string" }, { type: "string" }] }, "has the keyword allOf with several schemas"],
  [loop, "has the $ref #/$defs/loop, which contains itself"],
  [{ $ref: "other.json" }, "has the $ref other.json, which leads nowhere in the schema"],
  [{ type: "object", patternProperties: { b: {}, c: {} } }, "has patternProperties beside other fields"],
  [{ type: "string", required: true }, "has the keyword required without a list"],
  [{ type: "string", default: 1 }, "has a default that it does not accept"],
  [{ type: "array", contains: { anyOf: [{ not: {} }] } }, "has the keyword not, which is not supported"],
])("refuses %j", (schema, refusal) => {
  const all = fromJsonSchema(field(schema, { $defs: { loop } }));
  const found = [...schemasIn(all)].flatMap(([path, part]) => {
    const clause = refusals.of(part)?.clause;
    return clause === undefined ? [] : [`${path} ${clause}`];
  });
  expect(found).toContain(`a ${refusal}`);
});

it("knows the names of fields, their descriptions and examples", () => {
  const schema = fromJsonSchema({
    title: "Team",
    properties: {
      id: { type: "array", uniqueItems: true, description: "Its ids.", examples: [["a"]], default: ["b"] },
    },
  });
  expectTypeOf<keyof (typeof schema)["shape"]>().toEqualTypeOf<"id">();
  expect(z.globalRegistry.get(schema)).toEqual({ title: "Team" });
  const id = [...schemasIn(schema)].find(([path, part]) => path === "id" && part._zod.def.type === "default");
  expect(id && z.globalRegistry.get(id[1])).toEqual({ description: "Its ids.", examples: [["a"]] });
  expect(schema.parse({})).toEqual({ id: ["b"] });
});
