// Single items and lists in brief.
import { afterEach, expect, expectTypeOf, it } from "vitest";
import { errorOf, type ScriptedServer, type Step, startScript, testEnvironment } from "../../../test/client/server.ts";
import { productsDeclaration, someProducts } from "../../../test/content/products.ts";
import { label } from "../../declare/forms.ts";
import { defineApi, extend } from "../../index.ts";
import { createClient } from "../client.ts";
import { clientOf } from "./create.ts";
import type { ClientOptions } from "./types.ts";

const [nodejs] = someProducts.products;

const { products, releases, builds } = productsDeclaration.collections;

const fields = { vendor: label };

const extendedDeclaration = defineApi({
  collections: {
    products: extend(products, { fields, brief: ["name", "vendor"] }),
    releases: extend(releases, { fields }),
    builds: extend(builds, { item: false }),
  },
});

let server: ScriptedServer;
afterEach(() => server.stop());

async function clientWith(steps: readonly Step[], options: ClientOptions = {}) {
  server = await startScript(steps);
  return clientOf<typeof productsDeclaration>(
    server.origin,
    { timeout: 12_345, addresses: "queries", ...options },
    testEnvironment().timer,
  );
}

it("requests an item by its key, by an alias, and by each field of a composite key", async () => {
  const [release] = someProducts.releases;
  const [build] = someProducts.builds;
  const client = await clientWith([{ body: nodejs }, { body: nodejs }, { body: release }, { body: build }]);
  expect(await client.products.item("nodejs")).toEqual(nodejs);
  expect(await client.products.item("node", { signal: new AbortController().signal })).toEqual(nodejs);
  expect(await client.releases.item("nodejs", "20", {})).toEqual(release);
  expect(await client.builds.item(10)).toEqual(build);
  expect(server.asked).toEqual([
    "/api/v1/products/nodejs",
    "/api/v1/products/node",
    "/api/v1/releases/nodejs/20",
    "/api/v1/builds/10",
  ]);
});

it.each([
  ["", "*"],
  [".", "*"],
  ["..", "*"],
  ["a/b", "a*b"],
  ["a?b", "a*b"],
  ["%2e", "*2e"],
  ["\ud800", "*"],
  ["é", "*"],
])("requests no other address for %j, which is no key", async (key, part) => {
  const client = await clientWith([errorOf("not_found", 404), errorOf("not_found", 404)]);
  await expect(client.products.item(key)).rejects.toMatchObject({ name: "ApiError", code: "not_found", status: 404 });
  await expect(client.releases.item("nodejs", key)).rejects.toMatchObject({ code: "not_found" });
  expect(server.asked).toEqual([`/api/v1/products/${part}`, `/api/v1/releases/nodejs/${part}`]);
});

it("requests nothing if a part of the key is undefined", async () => {
  const client = await clientWith([]);
  const untyped: Readonly<Record<string, { item(...key: unknown[]): Promise<unknown> }>> = Object(client);
  await expect(untyped["releases"]?.item("nodejs", undefined)).rejects.toThrow(TypeError);
  await expect(untyped["releases"]?.item(undefined, "20")).rejects.toThrow(TypeError);
  await expect(untyped["releases"]?.item("nodejs", undefined, {})).rejects.toThrow(TypeError);
  expect(server.asked).toEqual([]);
});

it("has their types, which tsc checks", async () => {
  server = await startScript([]);
  expectTypeOf(typed).returns.resolves.toBeVoid();
});

/** Never called. */
async function typed(): Promise<void> {
  const client = createClient<typeof productsDeclaration>("");
  const product = await client.products.item("nodejs");
  expectTypeOf(product.text).toBeString();
  const { data } = await client.products.get({ tag: "runtime", category: "lang" });
  // @ts-expect-error: these are not sent together, as an answer with 400 would say
  await client.products.get({ tag: "runtime", link: "home" });
  expectTypeOf(data[0]).toEqualTypeOf<
    { readonly name: string; readonly label: string; readonly tags: string[] } | undefined
  >();
  for await (const item of client.products.items()) {
    // @ts-expect-error: lists lack this field
    item.text;
  }
  const release = await client.releases.item("nodejs", "20", {});
  expectTypeOf(release.note).toEqualTypeOf<string | undefined>();
  expectTypeOf((await client.releases.get()).data[0]).not.toHaveProperty("note");
  const build = await client.builds.item(10);
  expectTypeOf((await client.builds.get()).data).items.toEqualTypeOf<typeof build>();
  // @ts-expect-error: the key is a number
  await client.builds.item("10");
  // @ts-expect-error: the key has two fields
  await client.releases.item("nodejs");
  // @ts-expect-error: the key has one field
  await client.products.item("nodejs", "20");
  // @ts-expect-error: a field of the key is missing
  await client.products.item();
  // @ts-expect-error: a part of the key is undefined
  await client.releases.item("nodejs", undefined);
  // @ts-expect-error: the options are undefined, and programs without types could mean a part of the key
  await client.products.item("nodejs", undefined);
  expectTypeOf(await createClient("")["things"]?.item("a", 1)).toBeUnknown();

  const extended = createClient<typeof extendedDeclaration>("");
  expectTypeOf((await extended.products.item("nodejs")).vendor).toBeString();
  expectTypeOf((await extended.products.get()).data[0]).toEqualTypeOf<
    { readonly name: string; readonly vendor: string } | undefined
  >();
  expectTypeOf((await extended.releases.get()).data[0]).not.toHaveProperty("note");
  expectTypeOf((await extended.releases.item("nodejs", "20")).vendor).toBeString();
  // @ts-expect-error: it has no single items any more
  extended.builds.item;
}
