// The documents of a declared API whose items have nested, optional, nullable and further fields.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { fieldOf } from "../../src/model/fields.ts";
import { countriesApi, country } from "../../test/content/countries.ts";
import { deadAnchorsIn } from "../../test/documents/check-page.ts";
import { isValidOpenapi } from "../../test/documents/openapi-rules.ts";
import { planOf, siteOf, temporaryFolder } from "../../test/documents/source.ts";
import type { TestPlan } from "../../test/plan.ts";
import { documentedFields, undescribedFields } from "./describe/fields.ts";
import { itemSchemas } from "./describe/schemas.ts";
import type { Site } from "./describe/site.ts";
import { openapi } from "./programs/openapi.ts";
import { referenceDocuments } from "./reference/reference.ts";

const items = [
  country,
  {
    ...country,
    cca3: "DEU",
    borders: ["AUT"],
    area: "unknown",
    grid: [[1]],
    parts: [{ maker: "red" }],
    chief: null,
    extra: { more: true },
  },
];

const folder = temporaryFolder();
let plan: TestPlan;
let source: Site;

beforeAll(async () => {
  mkdirSync(path.join(folder, "deployments"));
  writeFileSync(path.join(folder, "deployments/edge.yaml"), "operations: [countries, teams]\n");
  writeFileSync(path.join(folder, "teams.json"), '[{"slug":"red"}]');
  writeFileSync(path.join(folder, "countries.json"), JSON.stringify(items));
  plan = await planOf(folder, countriesApi);
  source = siteOf(plan);
});

afterAll(() => rmSync(folder, { recursive: true }));

const resource = () => {
  const [operation] = countriesApi.lists;
  if (operation === undefined) throw new Error("There is no operation.");
  return operation;
};

const textOf = (name: string): string => {
  const document = [...itemSchemas(source), ...referenceDocuments(source)].find(({ path }) => path.endsWith(name));
  return Buffer.concat([...(document?.parts() ?? [])]).toString();
};

it("has a row for each field, within lists, objects, records and lists of a fixed length as well", () => {
  const { schema, meanings } = resource();
  const fields = documentedFields(schema({}), meanings, items[1] ?? {});
  const examples = Object.fromEntries(fields.map(({ path, example }) => [path, example]));
  expect(examples).toMatchObject({ cca3: "DEU", "borders[]": "AUT", "parts[].maker": "red", area: "unknown" });
  expect(
    fields.map(({ path, type, isOptional, form = "", words, meaning }) =>
      [path, type, isOptional ? "optional" : "", form, words.join(), meaning].join("|"),
    ),
  ).toEqual([
    "cca3|string||a string that matches /^[A-Z]{3}$/||Code of three letters.",
    "name|object||||The names of the country.",
    "name.common|string||||The usual name.",
    "name.native|record of objects||||",
    "name.native.*.common|string||||The name in that language.",
    "region|string or null|||Africa,Europe,not/any|The continent.",
    "state|string|optional|a lowercase word, such as operational||",
    "independent|boolean or null||||",
    "languages|record of strings||||The languages by their codes.",
    "languages.*|string||||Its name in English.",
    "borders|list of strings||||The countries around it.",
    "borders[]|string||a string that matches /^[A-Z]{3}$/||A neighbour.",
    "latlng|list of 2 numbers||||",
    "latlng[0]|number||||Latitude.",
    "latlng[1]|number||||Longitude.",
    "grid|list of lists of integers|optional|||",
    "parts|list of objects|optional|||",
    "parts[].maker|string or null||||",
    "parts[].size|integer|optional|||",
    "owner|object|optional|||",
    "owner.team|string||||",
    "teams|record of strings|optional|||",
    "chief|string or null|optional|||",
    "kind|string|||country|",
    'area|number or "unknown"||||Square kilometres.',
  ]);
});

it("names the fields without a description, but not the elements of those that have one", () => {
  const fields = countriesApi.lists.slice(0, 1).flatMap(undescribedFields);
  expect(fields.slice(0, 4)).toEqual(["name.native", "state", "independent", "latlng"]);
});

it("has one row for a field of several shapes, which is optional if not all have it", () => {
  const shape = z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("circle"), size: z.number() }),
    z.strictObject({ kind: z.literal("text"), size: z.string(), words: z.array(z.enum(["a", "b"])) }),
  ]);
  const fields = documentedFields(z.strictObject({ shape: shape.nullable() }), {}, {});
  expect(fields.map(({ path, type, isOptional, words }) => `${path}|${type}|${isOptional}|${words}`)).toEqual([
    "shape|object or null|false|",
    "shape.kind|string|false|circle,text",
    "shape.size|number or string|false|",
    "shape.words|list of strings|true|",
    "shape.words[]|string|false|a,b",
  ]);
});

it("takes no letter of a text for the example of a record's values", () => {
  const schema = z.strictObject({ name: z.union([z.string(), z.record(z.string(), z.string())]) });
  const fields = documentedFields(schema, { "name.*": "The name in a language." }, { name: "Oslo" });
  expect(fields.find(({ path }) => path === "name.*")?.example).toBeUndefined();
});

describe("the JSON schemas and OpenAPI", () => {
  it("describe fields by their meanings at every path, and keep what a loose object allows", async () => {
    const schema = JSON.parse(textOf("/schemas/countries.json"));
    expect(schema).toMatchObject({
      title: "Country",
      additionalProperties: {},
      properties: {
        languages: {
          description: "The languages by their codes.",
          type: "object",
          additionalProperties: { description: "Its name in English.", type: "string" },
        },
        latlng: {
          type: "array",
          prefixItems: [
            { description: "Latitude.", type: "number" },
            { description: "Longitude.", type: "number" },
          ],
        },
        borders: { items: { description: "A neighbour.", type: "string" } },
        name: {
          properties: {
            native: { additionalProperties: { properties: { common: { description: "The name in that language." } } } },
          },
        },
      },
    });
    expect(JSON.stringify(schema)).not.toContain("matches");
    expect(schema.properties.name.additionalProperties).toBeUndefined();
    const isValid = new Ajv2020({ strict: false }).compile(schema);
    for (const item of items) expect(isValid(item), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ ...country, latlng: ["x", 1] })).toBe(false);
    expect(await isValidOpenapi(openapi(source))).toBe(true);
    const { schemas } = openapi(source).components;
    expect(Object.keys(schemas).sort()).toEqual([
      "Country",
      "CountryPage",
      "ErrorBody",
      "Pagination",
      "Team",
      "TeamPage",
    ]);
  });
});

describe("the reference", () => {
  it("marks optional fields, links references and says that further fields are possible", () => {
    const page = textOf("/docs/");
    expect(page).toContain("Further fields are possible.");
    expect(page).toMatch(/<code>grid<\/code><\/a> <span class="type">list of lists of integers, optional<\/span>/);
    expect(page).toMatch(
      /<code>borders<\/code>.*\n.*Each is the <a href="#resource-countries\.cca3"><code>cca3<\/code><\/a> of a /,
    );
    expect(page).toMatch(/<code>chief<\/code>.*string or null, optional/);
    expect(deadAnchorsIn(page)).toEqual([]);
  });
});

it("lists the words of a vocabulary for a filter, and a pattern without one", () => {
  const schemaOf = (vocabulary: Readonly<Record<string, readonly string[]>>) => {
    const { paths } = openapi(siteOf(plan, { settings: { vocabulary } }));
    const parameters = paths["/v3/countries"]?.get.parameters ?? [];
    return fieldOf(
      parameters.find((parameter) => fieldOf(parameter, "name") === "state"),
      "schema",
    );
  };
  expect(schemaOf({})).toEqual({ type: "string", pattern: expect.any(String) });
  expect(schemaOf({ state: ["new", "old"] })).toEqual({ type: "string", enum: ["new", "old"] });
});
