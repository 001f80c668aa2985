// The client of a program outside of the repository: its types come from openapi.json through openapi-typescript.
import { rmSync } from "node:fs";
import path from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";
import { afterAll, expect, it } from "vitest";
import { openapi } from "../../../build/documents/openapi.ts";
import type { Addresses } from "../../../build/routing/paths.ts";
import { everything, writeEverything } from "../../../test/check/everything.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { typeCheck } from "../../../test/client/type-check.ts";
import { productsApi, writeProducts } from "../../../test/content/products.ts";
import { planOf, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import type { Api } from "../../model/api.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function typesOf(content: string, api: Api, addresses: Addresses): Promise<string> {
  const document = openapi(siteOf(await planOf(content, api), { addresses }));
  return astToString(await openapiTypescript(JSON.parse(JSON.stringify(document))));
}

const consumer = `
import { createClient, type FromOpenapi, type Page } from "stillapi/client";
import type { components, paths } from "./edge.js";
import type { paths as Everything } from "./everything.js";
import type { paths as Products } from "./products.js";

const client = createClient<FromOpenapi<paths>>("https://example.com");
type EdgeNode = components["schemas"]["EdgeNode"];
export const { data }: Page<EdgeNode> = await client.nodes.get({ region: "lhr1", limit: 5 });
for await (const { capacity } of client.nodes.items()) capacity satisfies string;
for await (const { object } of client.regions.pages()) object satisfies "list";
(await client.nodes.count({ region: "lhr1" })).toFixed();
(await client.regions.count()).toFixed();
(await client.status()).components[0]?.name satisfies string | undefined;
// @ts-expect-error: it has no such filter
await client.nodes.get({ zone: "x" });
// @ts-expect-error: it has no such filter
await client.nodes.count({ zone: "x" });
// @ts-expect-error: only pages have a limit
await client.nodes.count({ limit: 5 });
// @ts-expect-error: it is not paged
await client.regions.get({ limit: 5 });
// @ts-expect-error: there is no such operation
client.edges;
// @ts-expect-error: a document has no pages
client.status.pages;
// @ts-expect-error: it has no single items
client.nodes.item;

const products = createClient<FromOpenapi<Products>>("https://example.com");
(await products.products.item("nodejs")).text satisfies string;
(await products.releases.item("nodejs", "20", {})).note satisfies string | undefined;
for await (const item of products.releases.items({ lts: true })) item.released satisfies string;
(await products.releases.count({ lts: true })).toFixed();
// @ts-expect-error: lists lack this field
(await products.products.get()).data[0]?.text;
// @ts-expect-error: the key is a number
await products.builds.item("10");
// @ts-expect-error: the key has two fields
await products.releases.item("nodejs");

const { things, health } = createClient<FromOpenapi<Everything>>("https://example.com");
(await things.get({ sort: "newest", region: "us", limit: 5 })).pagination.limit satisfies number;
(await health()).works satisfies boolean;
// @ts-expect-error: there is no such order
await things.get({ sort: "oldest" });
// @ts-expect-error: there is no such value
await things.get({ region: "zz" });
`;

it.each(["queries", "files"] as const)(
  "has the operations, parameters, orders, items and keys, by %s",
  async (addresses) => {
    const edge = path.join(folder, addresses, "edge");
    const products = path.join(folder, addresses, "products");
    const all = path.join(folder, addresses, "everything");
    writeSample(edge, { count: 3, pageSizes: [10] });
    writeProducts(products);
    writeEverything(all);
    const files = {
      "edge.ts": await typesOf(edge, edgeNetwork, addresses),
      "products.ts": await typesOf(products, productsApi, addresses),
      "everything.ts": await typesOf(all, everything, addresses),
      "consumer.ts": consumer,
    };
    expect(typeCheck(files).errors).toEqual([]);
  },
);
