import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { label, slug } from "../../../src/declare/forms.ts";
import { type ReferenceOptions, reference } from "../../../src/declare/marks.ts";
import { listNamed } from "../../../src/model/api.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { filterValues } from "../catalog.ts";
import { allItems } from "../table/items.ts";

const airlines = defineCollection({
  purpose: "Airlines.",
  noun: { one: "airline", many: "airlines" },
  schema: z.strictObject({ id: z.int(), name: label, iata: z.string().optional() }),
  key: "id",
});

const routes = (options: ReferenceOptions = {}) =>
  defineCollection({
    purpose: "Routes.",
    noun: { one: "route", many: "routes" },
    schema: z.strictObject({
      id: z.string().regex(/^[a-z]+$/),
      airline: reference<number>("airlines", options).nullable(),
      partners: z.array(reference<number>("airlines", options)).optional(),
    }),
    key: "id",
    order: ["airline"],
    filters: { airline: "airline" },
  });

function compile(tree: Tree, options: ReferenceOptions = {}) {
  const api = completeApi(defineApi({ collections: { airlines, routes: routes(options) } }));
  const log = openLog();
  const content = compileContent(discovered(tree), api, log);
  const list = listNamed(api, "routes");
  return {
    items: allItems(content.items.get("routes")),
    values: list.filters.map((filter) => filterValues(content, list, filter)),
    messages: log.messages().shown.map(lineOf),
  };
}

const airlinesFile = { "airlines.csv": "id,name,iata\n9,Nine,NN\n10,Ten,TT\n" };

describe("a reference to integer keys", () => {
  it("is an integer, in the order of integers, and its keys are the values of a filter", () => {
    const tree = {
      ...airlinesFile,
      "routes.ndjson": '{"id":"a","airline":10}\n{"id":"b","airline":9}\n{"id":"c","airline":null}\n',
    };
    const { items, values, messages } = compile(tree);
    expect(messages).toEqual([]);
    expect(items.map(({ id, airline }) => [id, airline])).toEqual([
      ["b", 9],
      ["a", 10],
      ["c", null],
    ]);
    expect(values).toEqual([["9", "10"]]);
  });

  it("is read from cells, and leads to an item also in lists", () => {
    expect(compile({ ...airlinesFile, "routes.csv": "id,airline\na,11\n" }).messages).toEqual([
      expect.stringMatching(/^routes\.csv:2:3 no-such-item There is no airline with the id "11"\./),
    ]);
    expect(compile({ ...airlinesFile, "routes.json": '[{"id":"a","airline":9,"partners":[10,11]}]' }).messages).toEqual(
      [expect.stringMatching(/^routes\.json:1:\d+ no-such-item There is no airline with the id "11"\./)],
    );
  });

  it("may be written as another field", () => {
    const { items, messages } = compile({ ...airlinesFile, "routes.csv": "id,airline\na,TT\n" }, { by: "iata" });
    expect(messages).toEqual([]);
    expect(items).toEqual([{ id: "a", airline: 10 }]);
  });
});

describe("a reference that may lead nowhere", () => {
  const routesFile = { "routes.csv": "id,airline\na,9\nb,77\nc,12\nd,77\n" };

  it("warns, keeps its value, and makes it a value of the filter", () => {
    const { items, values, messages } = compile({ ...airlinesFile, ...routesFile }, { missing: "warn" });
    expect(messages).toEqual(
      [3, 4, 5].map((line) =>
        expect.stringMatching(new RegExp(`^routes\\.csv:${line}:3 missing-item There is no airline`)),
      ),
    );
    expect(items.map(({ airline }) => airline)).toEqual([9, 12, 77, 77]);
    expect(values).toEqual([["9", "10", "12", "77"]]);
  });

  it("must not be a key in another case", () => {
    const makers = defineCollection({ purpose: "Makers.", schema: z.strictObject({ id: z.string() }), key: "id" });
    const parts = defineCollection({
      purpose: "Parts.",
      schema: z.strictObject({ id: z.string(), maker: reference("makers", { missing: "warn" }) }),
      key: "id",
      filters: { maker: "maker" },
    });
    const log = openLog();
    const tree = { "makers.csv": "id\nacme\n", "parts.csv": "id,maker\na,Acme\nb,other\nc,Other\nd,a b\n" };
    compileContent(discovered(tree), completeApi(defineApi({ collections: { makers, parts } })), log);
    expect(log.messages().shown.map(lineOf)).toEqual([
      'parts.csv:2:3 no-such-item There is no item of makers with the id "Acme". Did you mean "acme"?',
      expect.stringMatching(/^parts\.csv:3:3 missing-item /),
      expect.stringMatching(/^parts\.csv:4:3 missing-item /),
      expect.stringMatching(/^parts\.csv:4:3 not-unique /),
      'parts.csv:5:3 missing-item There is no item of makers with the id "a b". It cannot be a part of a path, so it is no value of the filter maker. Add it, or name another.',
    ]);
  });

  it.each([
    [z.string().regex(/^\d+$/), "none", ["7", "none"]],
    [z.string().regex(/^\d+$/), "not known", ["7"]],
    [z.string().regex(/^\d+$/), "a.json", ["7"]],
    [z.enum(["7", "8"]), "9", ["7", "9"]],
    [z.int().max(8), 9, ["7", "9"]],
  ])("may have any form of the keys' type: %# %j", (key, value, values) => {
    const groups = defineCollection({ purpose: "Groups.", schema: z.strictObject({ id: key }), key: "id" });
    const parts = defineCollection({
      purpose: "Parts.",
      schema: z.strictObject({ id: slug, group: reference("groups", { missing: "warn" }) }),
      key: "id",
      filters: { group: "group" },
    });
    const api = completeApi(defineApi({ collections: { groups, parts } }));
    const log = openLog();
    const known = typeof value === "number" ? 7 : "7";
    const tree = {
      "groups.json": JSON.stringify([{ id: known }]),
      "parts.json": JSON.stringify([
        { id: "a", group: known },
        { id: "b", group: value },
      ]),
    };
    const content = compileContent(discovered(tree), api, log);
    expect(log.messages().shown.map(({ code }) => code)).toEqual(["missing-item"]);
    expect(allItems(content.items.get("parts"))).toEqual([
      { id: "a", group: known },
      { id: "b", group: value },
    ]);
    const list = listNamed(api, "parts");
    expect(list.filters.map((filter) => filterValues(content, list, filter))).toEqual([values]);
  });

  it("must have the type of the keys", () => {
    const { messages } = compile({ ...airlinesFile, "routes.json": '[{"id":"a","airline":"x"}]' }, { missing: "warn" });
    expect(messages).toEqual([
      expect.stringMatching(/^routes\.json:1:\d+ wrong-type airline must be an integer, or null, but is "x"\.$/),
    ]);
  });
});

it("a reference that is no key that an item could have is reported as well", () => {
  const makers = defineCollection({ purpose: "Makers.", schema: z.strictObject({ id: z.string() }), key: "id" });
  const parts = (options: ReferenceOptions) =>
    defineCollection({
      purpose: "Parts.",
      schema: z.strictObject({ id: z.string(), maker: reference("makers", options) }),
      key: "id",
    });
  const messagesOf = (options: ReferenceOptions) => {
    const log = openLog();
    const tree = { "makers.csv": "id\nacme\n", "parts.csv": "id,maker\na,a b\n" };
    compileContent(discovered(tree), completeApi(defineApi({ collections: { makers, parts: parts(options) } })), log);
    return log.messages().shown.map(lineOf);
  };
  expect(messagesOf({})).toEqual([expect.stringMatching(/^parts\.csv:2:3 no-such-item /)]);
  expect(messagesOf({ missing: "warn" })).toEqual([expect.stringMatching(/^parts\.csv:2:3 missing-item /)]);
});
