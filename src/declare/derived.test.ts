import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { nodes, regions } from "../edge-network/index.ts";
import { defineApi, defineCollection } from "./declare.ts";
import { extend, from } from "./derived.ts";
import { count, label, slug } from "./forms.ts";
import { reference } from "./marks.ts";

const things = defineCollection({
  purpose: "Things.",
  schema: z
    .strictObject({ id: slug, size: count, kind: z.enum(["a", "b"]) })
    .refine(({ size }) => size !== 13, { path: ["size"], error: "unlucky" })
    .meta({ title: "Thing", description: "A thing." }),
  key: "id",
  filters: { kind: "kind" },
  paged: false,
});

const more = extend(things, {
  purpose: "Things with owners.",
  fields: { owner: z.enum(["me", "you"]).nullable(), size: z.int().min(5) },
  filters: { owner: "owner", same: "kind" },
  order: ["kind"],
});

type TypesOf<Declared extends { readonly types?: unknown }> = NonNullable<Declared["types"]>;

test("an extended collection has more fields and filters, also in types", () => {
  expectTypeOf<TypesOf<typeof more>>().toEqualTypeOf<{
    readonly item: {
      readonly id: string;
      readonly size: number;
      readonly kind: "a" | "b";
      readonly owner: "me" | "you" | null;
    };
    readonly params: { readonly kind: "a" | "b"; readonly owner: "me" | "you"; readonly same: "a" | "b" };
    readonly paged: false;
  }>();
  const [list] = completeApi(defineApi({ collections: { more } })).lists;
  expect(list).toMatchObject({
    purpose: "Things with owners.",
    paged: false,
    order: [{ field: "kind" }, { field: "id" }],
  });
  expect(list?.filters.map(({ param, field }) => [param, field])).toEqual([
    ["kind", "kind"],
    ["owner", "owner"],
    ["same", "kind"],
  ]);
  expect(list).toMatchObject({ title: "Thing", meaning: "A thing." });
  const schema = list?.schema({});
  const item = { id: "x", size: 5, kind: "a", owner: null };
  expect(schema?.safeParse(item).success).toBe(true);
  expect(schema?.safeParse({ ...item, size: 4 }).success).toBe(false);
  expect(schema?.safeParse({ ...item, size: 13 }).success).toBe(false);
  expect(schema?.safeParse({ ...item, other: 1 }).success).toBe(false);
});

test("the collection that is extended stays as it is", () => {
  expect(Object.keys(things.declaration.schema.shape)).toEqual(["id", "size", "kind"]);
  expect(things.declaration.filters).toEqual({ kind: "kind" });
});

test("an extension with files has no other source", () => {
  const source = { purpose: "X.", schema: z.strictObject({ id: slug }), key: "id" } as const;
  const loaded = defineCollection({ ...source, load: () => [], transform: (raw) => raw });
  expect(extend(loaded, { files: "a.csv" }).declaration).toEqual({ ...source, files: "a.csv", filters: {} });
  expect(Object.keys(extend(loaded, { paged: false }).declaration)).toContain("load");
});

test("an extension describes the files of its transform with its fields", () => {
  const schema = z.strictObject({ id: slug });
  const written = z.strictObject({ name: slug });
  const shelved = defineCollection({ purpose: "X.", schema, key: "id", transform: (raw) => raw, written });
  const writtenWith = (more: Parameters<typeof extend>[1]) => extend(shelved, more).declaration.written;
  expect(Object.keys(writtenWith({ fields: { size: count } })?.shape ?? {})).toEqual(["name", "size"]);
  expect(writtenWith({ transform: () => undefined })).toBeUndefined();
  expect(writtenWith({ files: "a.csv" })).toBeUndefined();
  expect(writtenWith({ transform: () => undefined, written: schema })).toBe(schema);
});

test("the nodes of the Edge Network take a field", () => {
  const vendors = extend(nodes, { fields: { vendor: label }, filters: {} });
  expectTypeOf<TypesOf<typeof vendors>["item"]["vendor"]>().toEqualTypeOf<string>();
  expectTypeOf<TypesOf<typeof vendors>["item"]["capacity"]>().toEqualTypeOf<string>();
  expectTypeOf<TypesOf<typeof vendors>["params"]>().toEqualTypeOf<{ readonly region: string }>();
  const api = completeApi(defineApi({ collections: { nodes: vendors, regions } }));
  expect(Object.keys(api.lists[0]?.example ?? {})).toContain("vendor");
});

test("mistakes in an extension are errors of types", () => {
  // @ts-expect-error The fields have no such filter.
  extend(things, { filters: { x: "nothing" } });
  // @ts-expect-error Only texts have slugs.
  extend(things, { filters: { size: { field: "size", slug: true } } });
  // @ts-expect-error There is no such field.
  extend(things, { order: ["nothing"] });
});

test("a function of from gets items with their types", () => {
  const made = defineCollection({
    purpose: "Made.",
    schema: z.strictObject({ id: slug, thing: reference("more") }),
    key: "id",
    ...from(more, (item) => {
      expectTypeOf(item.owner).toEqualTypeOf<"me" | "you" | null>();
      return [{ id: `${item.id}-1`, thing: item.id }];
    }),
  });
  const { lists } = completeApi(defineApi({ collections: { made, more } }));
  const source = lists[0]?.source;
  if (source?.kind !== "from") expect.fail();
  expect(source.collections).toEqual(["more"]);
  if (typeof source.make !== "function") expect.fail();
  expect(source.make({ id: "a" }, "more")).toEqual([{ id: "a-1", thing: "a" }]);
  // @ts-expect-error The items have no such field.
  from(more, (item) => [item.nothing]);
  from(more, {
    by: ({ owner }) => owner,
    make: (owner, items) => ({ id: owner satisfies "me" | "you", of: items[0]?.id }),
  });
  // @ts-expect-error A value is a string, an integer or a boolean.
  from(more, { by: (item) => item, make: () => undefined });
});

test("a transform is not async, and knows nothing of raw items", () => {
  const options = { purpose: "X.", schema: z.strictObject({ id: slug }), key: "id" } as const;
  // @ts-expect-error It returns a promise.
  defineCollection({ ...options, transform: async (raw) => ({ ...raw }) });
  defineCollection({
    ...options,
    transform: (raw, { name, body, date }) => {
      expectTypeOf(raw["id"]).toEqualTypeOf<unknown>();
      expectTypeOf([name, body, date]).toEqualTypeOf<(string | undefined)[]>();
      return { id: name };
    },
  });
});
