// The numbers of items in the documents, and in the client, compared with those counted over the items one by one.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type ApiError, type ApiTypes, type ClientOf, createClient } from "../../src/answers/client.ts";
import { slug } from "../../src/declare/forms.ts";
import { defineApi, defineCollection, reference } from "../../src/index.ts";
import { origin, published } from "../../test/client/published.ts";
import { temporaryFolder } from "../../test/documents/source.ts";
import { planned, type TestPlan } from "../../test/plan.ts";
import { random } from "../../test/random.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";
import { filesOfAnswers } from "../pages/answers.ts";

const cities = defineCollection({
  purpose: "Cities.",
  schema: z.strictObject({ id: slug, name: z.string() }),
  key: "id",
  paged: false,
});

const shop = z.strictObject({
  id: slug,
  city: reference("cities").nullable(),
  open: z.boolean(),
  size: z.enum(["small", "large", "huge"]),
  goods: z.array(slug),
  owner: z.strictObject({ name: z.string() }).nullable(),
  languages: z.record(slug, z.string()),
});

const shops = defineCollection({
  purpose: "Shops.",
  noun: { one: "shop", many: "shops" },
  schema: shop,
  key: "id",
  filters: {
    city: "city",
    open: "open",
    good: "goods",
    owner: { field: "owner.name", slug: true },
    language: { keysOf: "languages" },
    digit: { of: ({ id }) => Number(id.at(-1)), values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  },
  together: [
    ["city", "open", "good"],
    ["good", "owner"],
    ["open", "digit"],
  ],
  brief: ["id", "size"],
});

const declaration = defineApi({ collections: { shops, cities } });
const api = completeApi(declaration);

type Shop = z.infer<typeof shop>;

const owners = new Map([
  ["bar-sohne-zurich", "Bär & Söhne, Zürich"],
  ["lumiere", "Lumière"],
  ["mit", "mit"],
]);

function someShops(): readonly Shop[] {
  const { pick, chance } = random(7);
  const some = <Value>(values: readonly Value[]) => values.filter(() => chance(0.4));
  const names = [...owners.values()];
  return Array.from({ length: 155 }, (_, index) => ({
    id: `shop-${index}`,
    city: chance(0.1) ? null : pick(["rome", "oslo"]),
    open: chance(0.7),
    size: pick(["small", "large"]),
    goods: some(["tea", "ink", "rope"]),
    owner: chance(0.2) ? null : { name: pick(names) },
    languages: Object.fromEntries(some(["it", "no", "en"]).map((code) => [code, "spoken"])),
  }));
}

const all = someShops();

/** The values of a shop for each filter, written without the program. */
const valuesOf: Readonly<Record<string, (shop: Shop) => readonly string[]>> = {
  city: ({ city }) => (city === null ? [] : [city]),
  open: ({ open }) => [String(open)],
  good: ({ goods }) => goods,
  owner: ({ owner }) => [...owners].filter(([, name]) => name === owner?.name).map(([value]) => value),
  language: ({ languages }) => Object.keys(languages),
  digit: ({ id }) => [id.slice(-1)],
};

/** The values that each filter accepts, with or without items. */
const known: Readonly<Record<string, readonly string[]>> = {
  city: ["nice", "oslo", "rome"],
  open: ["false", "true"],
  good: ["ink", "rope", "tea"],
  owner: [...owners.keys()],
  language: ["en", "it", "no"],
  digit: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
};

const combinations = [
  ["city", "open"],
  ["city", "good"],
  ["open", "good"],
  ["city", "open", "good"],
  ["good", "owner"],
  ["open", "digit"],
];

type Chosen = Readonly<Record<string, string>>;

const numberOf = (chosen: Chosen): number =>
  all.filter((shop) => Object.entries(chosen).every(([param, value]) => valuesOf[param]?.(shop).includes(value)))
    .length;

/** Every choice of a value for each parameter. */
const choicesOf = (params: readonly string[]): readonly Chosen[] =>
  params.reduce<readonly Chosen[]>(
    (chosen, param) => chosen.flatMap((before) => (known[param] ?? []).map((value) => ({ ...before, [param]: value }))),
    [{}],
  );

const content = temporaryFolder();
let plan: TestPlan;

afterAll(() => rmSync(content, { recursive: true }));

const write = (file: string, value: unknown): void => writeFileSync(path.join(content, file), JSON.stringify(value));

beforeAll(async () => {
  mkdirSync(path.join(content, "deployments"));
  write("api.yaml", { page_sizes: [10, 100], default_deployment: "whole" });
  write("deployments/whole.json", { operations: ["shops", "cities"] });
  write("deployments/part.json", { operations: ["shops"] });
  write(
    "cities.json",
    ["oslo", "rome", "nice"].map((id) => ({ id, name: id.toUpperCase() })),
  );
  write("shops.json", all);
  plan = await planned({ content, api });
});

function read(from: TestPlan, file: string) {
  const found = from.files.find(`api/v1${file}`);
  return found && JSON.parse(Buffer.from(bytesOf(found)).toString());
}

function clientOf(from: TestPlan) {
  const { fetch, asked } = published(() => from);
  return { client: createClient<typeof declaration>(origin, { fetch }), asked };
}

it("are those of each value, with what people call it", () => {
  const { total, filters } = read(plan, "/filters/shops.json");
  expect(total).toBe(all.length);
  const names: Readonly<Record<string, (value: string) => object>> = {
    city: (value) => ({ name: value.toUpperCase() }),
    owner: (value) => ({ label: owners.get(value) }),
  };
  expect(filters).toEqual(
    Object.entries(known).map(([param, values]) => ({
      param,
      values: values.map((value) => ({ value, count: numberOf({ [param]: value }), ...names[param]?.(value) })),
    })),
  );
  expect(numberOf({ city: "nice" })).toBe(0);
});

it("are those of each combination, without the sets that no item has", () => {
  const { combinations: counted } = read(plan, "/filters/shops.json");
  const expected = combinations.map((params) => ({
    params,
    counts: choicesOf(params).flatMap((chosen) => {
      const count = numberOf(chosen);
      return count === 0 ? [] : [{ values: Object.values(chosen), count }];
    }),
  }));
  const sorted = (list: typeof expected) => list.map((each) => ({ ...each, params: each.params.join() }));
  expect(new Set(sorted(counted))).toEqual(new Set(sorted(expected)));
});

it("are in the document of a list without filters", () => {
  expect(read(plan, "/filters/cities.json")).toEqual({
    object: "filters",
    total: 3,
    filters: [],
    together: [],
    combinations: [],
  });
});

it("are in the document at the base, for lists alone", () => {
  const { operations, documents } = read(plan, ".json");
  expect(operations.map(({ name, total }: { name: string; total: number }) => [name, total])).toEqual([
    ["shops", 155],
    ["cities", 3],
  ]);
  const paths = documents.map(({ path: of }: { path: string }) => of);
  expect(paths).toEqual(expect.arrayContaining(["/api/v1/filters/shops.json", "/api/v1/filters/cities.json"]));
});

it("are those of the lists of a deployment", async () => {
  const part = await planned({ content, api, deployment: "part" });
  expect(read(part, ".json").operations).toMatchObject([{ name: "shops", total: 155 }]);
  expect(read(part, "/filters/shops.json")).toEqual(read(plan, "/filters/shops.json"));
  expect(read(part, "/filters/cities.json")).toBe(undefined);
});

it("are returned by the client for each choice that the API accepts, by one request", async () => {
  const { client, asked } = clientOf(plan);
  // The types accept literals; here, values are texts.
  const count = client.shops.count as (chosen: Chosen) => Promise<number>;
  expect(await client.shops.count()).toBe(155);
  expect(await client.cities.count({})).toBe(3);
  expect(asked.splice(0)).toEqual(["/api/v1/filters/shops.json", "/api/v1/filters/cities.json"]);
  for (const params of [...Object.keys(known).map((param) => [param]), ...combinations]) {
    for (const chosen of choicesOf(params)) {
      expect(await count(chosen), JSON.stringify(chosen)).toBe(numberOf(chosen));
      expect(asked.splice(0)).toEqual(["/api/v1/filters/shops.json"]);
    }
  }
  expect(await client.shops.count({ open: true, digit: 3, city: undefined })).toBe(
    numberOf({ open: "true", digit: "3" }),
  );
});

it("are as many as the client's walk has items", async () => {
  const { client } = clientOf(plan);
  for (const chosen of [{}, { owner: "bar-sohne-zurich" }, { city: "rome", open: true, good: "tea" }] as const) {
    let walked = 0;
    for await (const _ of client.shops.items(chosen)) walked++;
    expect(await client.shops.count(chosen)).toBe(walked);
  }
});

const refused: readonly Readonly<Record<string, unknown>>[] = [
  { city: "paris" },
  { city: "" },
  { city: "Rome" },
  { open: "yes" },
  { digit: 11 },
  { owner: "Lumière" },
  { city: "rome", digit: 3 },
  { city: "paris", digit: 3 },
  { good: "gold", city: "paris" },
  { city: "rome", open: true, owner: "mit" },
  { language: "en", owner: "mit", digit: 1 },
  { city: "rome", open: true, good: "tea,ink" },
];

it.each(refused)("rejects %o as `get` does", async (chosen) => {
  const { client } = clientOf(plan);
  const { get, count } = client.shops;
  const failureOf = (call: (params: object) => Promise<unknown>) =>
    call(chosen).then(
      () => "nothing",
      ({ name, code, status, param }: ApiError) => ({ name, code, status, param }),
    );
  const failure = await failureOf(get);
  expect(failure).toMatchObject({ name: "ApiError", status: 400 });
  expect(await failureOf(count)).toEqual(failure);
});

it("are refused, as lists are, for a parameter that the list does not have", async () => {
  const { client, asked } = clientOf(plan);
  const { get, items, count } = client.shops as unknown as ClientOf<ApiTypes>[string];
  const filters = "city, open, good, owner, language, digit";
  const unknown = { code: "unknown_parameter", param: "constructor" };
  await expect(get({ city: undefined, constructor: "x" })).rejects.toMatchObject(unknown);
  await expect(get({ "city[]": "rome" })).rejects.toThrow(
    `There is no parameter city[]. The parameters are: ${filters}, limit, cursor. (https://api.example.com/api/v1/shops)`,
  );
  await expect(items({ constructor: "x" }).next()).rejects.toMatchObject(unknown);
  expect(asked.splice(0)).toEqual(["/api/v1"]);
  await expect(count({ limit: 5 } as object)).rejects.toThrow(
    `There is no parameter limit. The parameters are: ${filters}.`,
  );
  await expect(client.cities.count({ city: "rome" } as object)).rejects.toThrow("The parameters are: none.");
});

it("are returned on a host that only serves files", async () => {
  const fetch: typeof globalThis.fetch = async (url) => {
    const file = plan.files.find(new URL(String(url)).pathname.slice(1));
    return file === undefined ? new Response("", { status: 404 }) : new Response(new Uint8Array(bytesOf(file)));
  };
  const client = createClient<typeof declaration>(origin, { fetch });
  expect(await client.shops.count({ city: "oslo", good: "ink" })).toBe(numberOf({ city: "oslo", good: "ink" }));
  await expect(client.shops.count({ city: "paris" })).rejects.toMatchObject({ code: "invalid_city", param: "city" });
});

it("tells where the accepted values are", async () => {
  const { client } = clientOf(plan);
  await expect(client.shops.count({ city: "paris" })).rejects.toThrow(
    "city must be one of the values listed at https://api.example.com/api/v1/filters/shops.json. (https://api.example.com/api/v1/filters/shops.json)",
  );
  const both = { city: "rome", language: "en" } as object;
  await expect(client.shops.count(both)).rejects.toThrow("language cannot be combined with city.");
});

it("rejects the document of another program", async () => {
  const client = createClient<typeof declaration>(origin, { fetch: async () => Response.json({ total: "many" }) });
  await expect(client.shops.count()).rejects.toMatchObject({ code: "unexpected_answer" });
});

it("change no page that does not hold the item that changes", async () => {
  const pagesOf = (from: TestPlan) =>
    new Map(Array.from(filesOfAnswers(from).all(), (file) => [file.file, Buffer.from(bytesOf(file)).toString()]));
  const before = pagesOf(plan);
  const planWith = async (items: readonly Shop[]) => {
    write("shops.json", items);
    return planned({ content, api });
  };

  const changedPages = (later: TestPlan) => [...pagesOf(later)].filter(([file, text]) => before.get(file) !== text);

  const edited = await planWith(all.map((item, index) => (index === 0 ? { ...item, size: "huge" } : item)));
  const withEdit = changedPages(edited);
  expect(withEdit.length).toBeGreaterThan(10);
  expect(withEdit.filter(([, text]) => !text.includes('"shop-0"'))).toEqual([]);
  expect(read(edited, "/filters/shops.json")).toEqual(read(plan, "/filters/shops.json"));

  const longer = await planWith([...all, ...all.slice(0, 1).map((item) => ({ ...item, id: "zoo-0", goods: [] }))]);
  expect(read(longer, ".json").operations[0].total).toBe(156);
  const ofAll = changedPages(longer).filter(([file]) => /\/shops(?:\.json|\/limit|\/cursor)/.test(file));
  expect(ofAll.length).toBeGreaterThan(1);
  expect(ofAll.filter(([, text]) => !text.includes('"zoo-0"'))).toEqual([]);
});
