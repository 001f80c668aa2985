// A client that third-party tools generate from the OpenAPI document compiles under strict, and walks the preview.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";
import openapiTypescript, { astToString } from "openapi-typescript";
import { afterAll, expect, it } from "vitest";
import { filtersOf } from "../../../src/model/operation.ts";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { typeCheck } from "../../../test/client/type-check.ts";
import { siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { startPreview } from "../../cli/preview/preview.ts";
import { openapi } from "./openapi.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const operation = edgeNetwork.lists.find((list) => list.paged && filtersOf(list).length > 0);

/** The program of a consumer. Its types come from the document. */
const consumer = (name: string, key: string, param: string) => `
  import createClient from "openapi-fetch";
  import type { components, paths } from "./api.js";

  type Item = components["schemas"]["ItemOfThis"];

  export async function walk(baseUrl: string, value: string): Promise<{ keys: string[]; code: string }> {
    const client = createClient<paths>({ baseUrl });
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? { limit: 5 } : { limit: 5, cursor };
      const { data, error } = await client.GET("/api/v1/${name}", { params: { query } });
      if (error !== undefined) throw new Error(error.message);
      const items: Item[] = data.data;
      keys.push(...items.map((item) => item.${key}));
      cursor = data.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const { error } = await client.GET("/api/v1/${name}", { params: { query: { ${JSON.stringify(param)}: value } } });
    return { keys, code: error?.code ?? "" };
  }

  export async function wrong(baseUrl: string): Promise<void> {
    const client = createClient<paths>({ baseUrl });
    // @ts-expect-error There is no such path.
    await client.GET("/api/v1/nope");
    // @ts-expect-error A limit is a number.
    await client.GET("/api/v1/${name}", { params: { query: { limit: "5" } } });
  }
`;

it("is a client with openapi-typescript and openapi-fetch", async () => {
  if (operation === undefined) throw new Error("No paged operation has a filter.");
  const { content } = sampleContent(folder, { count: 23, pageSizes: "every" });
  const dist = path.join(folder, "dist");
  const { plan, dataset } = await buildForTest(content, dist);
  const document = JSON.parse(JSON.stringify(openapi(siteOf(plan))));
  const answer =
    document.paths[`/api/v1/${operation.name}`].get.responses["200"].content["application/json"].schema.$ref;
  const item = document.components.schemas[answer.split("/").at(-1)].properties.data.items.$ref.split("/").at(-1);

  const client = path.join(folder, "client");
  mkdirSync(client);
  symlinkSync(path.resolve("node_modules"), path.join(client, "node_modules"));
  writeFileSync(path.join(client, "package.json"), '{"type":"module"}');
  // As a module and not as a declaration, so that it is checked with skipLibCheck.
  const api = astToString(await openapiTypescript(document));
  writeFileSync(path.join(client, "api.ts"), api);
  const [filter] = filtersOf(operation);
  const program = consumer(operation.name, operation.key, filter?.param ?? "").replace("ItemOfThis", item);
  writeFileSync(path.join(client, "consumer.ts"), program);
  expect(typeCheck({ "api.ts": api, "consumer.ts": program }).errors).toEqual([]);

  const entryPoints = [path.join(client, "consumer.ts")];
  const outfile = path.join(client, "consumer.mjs");
  await bundle({ absWorkingDir: client, entryPoints, outfile, bundle: true, format: "esm", platform: "node" });
  const { walk } = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  const preview = await startPreview(dist, 0);
  try {
    const { keys, code } = await walk(preview.origin, "nope?");
    expect(keys).toEqual(dataset.items.get(operation.name)?.map((item) => item[operation.key]));
    expect(code).toBe(`invalid_${filter?.param}`);
  } finally {
    await preview.stop();
  }
});
