import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";
import { countriesApi, country } from "../../test/content/countries.ts";
import { discovered, faultsOf, type Tree } from "../../test/content/folder.ts";
import { compiled } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { filterValues } from "./catalog.ts";

const teams = '[{"slug":"red"},{"slug":"blue","label":null}]';

const faultsIn = (tree: Tree): readonly string[] =>
  faultsOf({ "teams.json": teams, ...tree }, {}, undefined, countriesApi);

/** The faults of one country with other fields, without the name of its file. */
const faultsWith = (fields: object): readonly string[] =>
  faultsIn({
    "countries.json": JSON.stringify({
      ...fields,
      ...Object.fromEntries(Object.entries(country).filter(([name]) => !Object.hasOwn(fields, name))),
    }),
  }).map((line) => line.replace("countries.json:1:", ""));

describe("references within lists, objects and records", () => {
  it.each([
    [{ borders: ["AUT"] }, []],
    [{ borders: ["AUT", "AUS"] }, ['19 no-such-item There is no country with the cca3 "AUS". Did you mean "AUT"?']],
    [{ borders: ["x"] }, ['13 wrong-value borders[0] must be a string that matches /^[A-Z]{3}$/, but is "x".']],
    [{ parts: [{ maker: null }, { maker: "red" }] }, []],
    [
      { parts: [{ maker: "red" }, { maker: "bleu" }] },
      ['36 no-such-item There is no team with the slug "bleu". Did you mean "blue"?'],
    ],
    [
      { owner: { team: "green" } },
      ['18 no-such-item There is no team with the slug "green". Add it, or name another.'],
    ],
    [{ teams: { a: "red", b: "rde" } }, ['25 no-such-item There is no team with the slug "rde". Did you mean "red"?']],
    [{ chief: null }, []],
    [{ chief: "blue" }, []],
    [{ chief: "blu" }, ['10 no-such-item There is no team with the slug "blu". Did you mean "blue"?']],
  ])("lead to items: %j", (fields, lines) => {
    expect(faultsWith(fields)).toEqual(lines);
  });
});

const part = "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start";

describe("keys and values of filters", () => {
  it.each(["a b", "", ".a", "a/../b", "é", "x".repeat(101)])("are reported if paths cannot have them: %s", (slug) => {
    expect(faultsOf({ "teams.json": JSON.stringify({ slug }) }, {}, undefined, countriesApi)).toEqual([
      expect.stringContaining(`teams.json:1:9 wrong-value slug must be ${part}, but `),
    ]);
  });

  it.each(["a", "A.b", "_x-.", "x".repeat(100), "Docs", "item", "cursor", "limit", "v1.2", "a.json"])(
    "may be %s",
    (slug) => {
      expect(faultsOf({ "teams.ndjson": JSON.stringify({ slug }) }, {}, undefined, countriesApi)).toEqual([]);
    },
  );

  it("are reported if the folder of one key would have the name of the file of another one", () => {
    const lines = ["A.json", "b.json", "a", "a.JSON.gz"].map((slug) => `${JSON.stringify({ slug })}\n`).join("");
    const expected = 'a part of paths without the ending .json, .json.br or .json.gz, because "A" is a key as well';
    expect(faultsOf({ "teams.ndjson": lines }, {}, undefined, countriesApi)).toEqual([
      `teams.ndjson:1:9 wrong-value slug must be ${expected}, but is "A.json".`,
      `teams.ndjson:4:9 wrong-value slug must be ${expected.replace('"A"', '"a"')}, but is "a.JSON.gz".`,
    ]);
  });

  it("are reported once, and not if they have the wrong form anyway", () => {
    expect(faultsWith({ cca3: "a b" })).toEqual([
      '9 wrong-value cca3 must be a string that matches /^[A-Z]{3}$/, but is "a b".',
    ]);
    expect(faultsWith({ region: "not/any" })).toEqual([
      `11 wrong-value region must be ${part}, but is "not/any". With { field, slug: true }, the filter region has the value not-any.`,
    ]);
  });

  it("are not the empty text for null or a missing field", () => {
    const items = [country, { ...country, cca3: "DEU", region: null, independent: null, chief: "red", state: "new" }];
    const tree = { "teams.json": teams, "countries.json": JSON.stringify(items) };
    const content = compiled(discovered(tree), countriesApi);
    const [operation] = countriesApi.lists;
    if (operation === undefined) throw new Error("There is no operation.");
    expect(operation.filters.map((filter) => filterValues(content, operation, filter))).toEqual([
      ["Africa", "Europe"],
      ["new"],
      ["false", "true"],
      ["blue", "red"],
    ]);
  });
});

it("reports a reference to no item if the keys match a pattern with flags", () => {
  const things = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ id: z.string().regex(/^[a-z]+$/i), of: reference("things").nullable() }),
    key: "id",
    filters: { of: "of" },
  });
  const api = completeApi(defineApi({ collections: { things } }));
  const faultsWith = (of: string) =>
    faultsOf({ "things.json": JSON.stringify([{ id: "ABC", of }]) }, {}, undefined, api);
  expect(faultsWith("ABC")).toEqual([]);
  expect(faultsWith("ABD")).toHaveLength(1);
  const [form = ""] = api.lists.flatMap((each) => each.keyForm);
  expect("ABC").toMatch(new RegExp(form));
});

it.each([
  ["unknown", z.unknown(), "9007199254740993", "wrong-value v must be a number that a 64-bit float holds exactly"],
  [
    "looseObject",
    z.looseObject({}),
    '{"w":[1e400]}',
    "wrong-value v.w[0] must be a number that a 64-bit float holds exactly",
  ],
  ["record", z.record(z.string(), z.int()), '{"__proto__":1}', 'unknown-field v has no field "__proto__"'],
  ["looseObject", z.looseObject({}), '{"__proto__":null}', 'unknown-field v has no field "__proto__"'],
])("refuses a value that z.%s accepts and no answer can have", (_, v, text, fault) => {
  const things = defineCollection({ purpose: "Things.", schema: z.strictObject({ id: z.string(), v }), key: "id" });
  const api = completeApi(defineApi({ collections: { things } }));
  for (const file of ["things.json", "things.ndjson"]) {
    expect(faultsOf({ [file]: `{"id":"a","v":${text}}` }, {}, undefined, api)).toEqual([
      expect.stringContaining(fault),
    ]);
  }
});

it.each([
  ["9007199254740993", "which a 64-bit float does not hold exactly"],
  [".inf", "which JSON does not have"],
  [".NaN", "which JSON does not have"],
])("says why the number %s of YAML is refused", (text, why) => {
  const schema = z.strictObject({ id: z.string(), v: z.number() });
  const api = completeApi(
    defineApi({ collections: { things: defineCollection({ purpose: "Things.", schema, key: "id" }) } }),
  );
  expect(faultsOf({ "things.yaml": `id: a\nv: ${text}\n` }, {}, undefined, api)).toEqual([
    `things.yaml:2:4 wrong-value v must be a number, but is the number ${text}, ${why}.`,
  ]);
});
