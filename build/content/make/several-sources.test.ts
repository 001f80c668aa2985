// Collections whose items are made from those of several others, and collections that are not published.
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createClient } from "../../../src/answers/client.ts";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { extend, from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { listNamed } from "../../../src/model/api.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { filterValues } from "../catalog.ts";
import { allItems } from "../table/items.ts";

const countries = defineCollection({
  purpose: "Countries.",
  noun: { one: "country", many: "countries" },
  schema: z.strictObject({ code: slug, name: z.string() }),
  key: "code",
  published: false,
});

const cities = defineCollection({
  purpose: "Cities.",
  noun: { one: "city", many: "cities" },
  schema: z.strictObject({ id: slug, people: z.int(), country: reference("countries") }),
  key: "id",
  filters: { country: "country" },
});

const islands = defineCollection({
  purpose: "Islands.",
  noun: { one: "island", many: "islands" },
  schema: z.strictObject({ id: slug, area: z.number() }),
  key: "id",
  published: false,
});

const places = defineCollection({
  purpose: "Places.",
  noun: { one: "place", many: "places" },
  schema: z.strictObject({ id: slug, kind: z.enum(["cities", "islands"]), size: z.number() }),
  key: "id",
  ...from([cities, islands], (item, kind) => {
    expectTypeOf(item).toEqualTypeOf<
      Readonly<{ id: string; people: number; country: string }> | Readonly<{ id: string; area: number }>
    >();
    return [{ id: item.id, kind, size: "people" in item ? item.people : item.area }];
  }),
});

const declared = defineApi({ collections: { countries, cities, islands, places } });

function compile(tree: Tree) {
  const api = completeApi(declared);
  const log = openLog();
  const content = compileContent(discovered(tree), api, log);
  return { api, content, items: allItems(content.items.get("places")), messages: log.messages().shown.map(lineOf) };
}

const countriesFile = { "countries.csv": "code,name\nch,Switzerland\nit,Italy\nfr,France\n" };
const citiesFile = {
  "cities.ndjson":
    '{"id":"zrh","people":4,"country":"it"}\n{"id":"ber","people":1,"country":"ch"}\n{"id":"a","people":1,"country":"it"}\n',
};

describe("items that are made from several collections", () => {
  it("are those of each, whose name the function gets", () => {
    const { items, messages } = compile({
      ...countriesFile,
      ...citiesFile,
      "islands.json": '[{"id":"elba","area":2.5}]',
    });
    expect(messages).toEqual([]);
    expect(items).toEqual([
      { id: "a", kind: "cities", size: 1 },
      { id: "ber", kind: "cities", size: 1 },
      { id: "elba", kind: "islands", size: 2.5 },
      { id: "zrh", kind: "cities", size: 4 },
    ]);
  });

  it("have faults at the places of the items from which they are made", () => {
    const { messages } = compile({
      ...countriesFile,
      ...citiesFile,
      "islands.json": '[{"id":"b","area":1},\n{"id":"zrh","area":2}]',
    });
    expect(messages).toEqual([
      'islands.json:2:7 not-unique The id "zrh" is taken by another place, at cities.ndjson:1:7 (place "zrh"). Change one of them; case makes no difference.',
    ]);
  });
});

describe("a collection that is not published", () => {
  it("is no operation, and its keys are the values of a filter where they occur", () => {
    const { api, content } = compile({ ...countriesFile, ...citiesFile, "islands.json": "[]" });
    expect(api.operations.map(({ name }) => name)).toEqual(["cities", "places"]);
    expect(content.deployments.get("edge")?.operations).toEqual(["cities", "places"]);
    const list = listNamed(api, "cities");
    expect(list.filters.map((filter) => filterValues(content, list, filter))).toEqual([["ch", "it"]]);
  });

  it("is not in the types of the client, or of pages", () => {
    const client = createClient<typeof declared>("https://example.com/api/v1");
    expectTypeOf<keyof typeof client>().toEqualTypeOf<"cities" | "places" | "changes" | "address">();
    const more = extend(islands, { fields: { name: slug } });
    const published = extend(islands, { published: true });
    const extended = defineApi({
      collections: { more, published },
      pages: {
        "docs/x": {
          title: "X",
          render({ collections }) {
            expectTypeOf<keyof typeof collections>().toEqualTypeOf<"published">();
            return undefined;
          },
        },
      },
    });
    expectTypeOf<keyof (typeof extended)["collections"]>().toEqualTypeOf<"published">();
    expect(completeApi(extended).lists.map(({ name }) => name)).toEqual(["published"]);
  });

  it("cannot be named by a deployment", () => {
    const { messages } = compile({
      ...countriesFile,
      ...citiesFile,
      "islands.json": "[]",
      "deployments/edge.yaml": "operations: [cities, islands]\n",
    });
    expect(messages).toEqual([
      expect.stringMatching(/^deployments\/edge\.yaml:1:22 wrong-value operations\[1\] must be one of cities, places/),
    ]);
  });
});
