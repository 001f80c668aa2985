// The client of the Edge Network against a preview of real builds.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Preview, startPreview } from "../../build/cli/preview/preview.ts";
import { completeApi } from "../../build/declaration/complete.ts";
import { buildForTest } from "../../test/check/built.ts";
import { writeSample } from "../../test/check/sample.ts";
import { made, testApi } from "../../test/client/server.ts";
import edgeNetwork from "../edge-network/index.ts";
import type { Item } from "../model/key.ts";
import { filtersOf, type ListOperation } from "../model/operation.ts";
import { createClient } from "./client.ts";

const api = completeApi(edgeNetwork);

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-client-"));
const content = path.join(folder, "content");
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

/** The methods of an operation whose name a test does not know. */
interface ListMethods {
  readonly get: (params?: Params) => Promise<{ readonly data: readonly Item[] }>;
  readonly items: (params?: Params) => AsyncIterable<Item>;
}
type Params = Readonly<Record<string, string | number>>;

/** The items of the content, in the order of their operation. */
function itemsOf({ name, order }: ListOperation): readonly Item[] {
  const items: Item[] = JSON.parse(readFileSync(path.join(content, `${name}.json`), "utf8"));
  const keyOf = (item: Item) => order.map(({ field }) => item[field]).join(" ");
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const given: T[] = [];
  for await (const value of values) given.push(value);
  return given;
}

const methodsOf = (client: object, name: string): ListMethods => Reflect.get(client, name);

describe("the client", () => {
  let preview: Preview;

  beforeAll(async () => {
    writeSample(content, { count: 30, pageSizes: "every" });
    await buildForTest(content, dist);
    preview = await startPreview(dist, 0);
  });
  afterAll(() => preview.stop());

  it.each(api.lists.map((operation) => [operation.name, operation] as const))(
    "gives the items of %s",
    async (name, operation) => {
      const methods = methodsOf(createClient<typeof edgeNetwork>(preview.origin), name);
      const items = itemsOf(operation);
      expect(await all(methods.items())).toEqual(items);
      expect((await methods.get()).data).toEqual(items);
      if (operation.paged) expect(await all(methods.items({ limit: 7 }))).toEqual(items);
      for (const { param, field = "" } of filtersOf(operation)) {
        const value = String(items[0]?.[field]);
        expect(await all(methods.items({ [param]: value, limit: 3 }))).toEqual(
          items.filter((item) => item[field] === value),
        );
        await expect(methods.get({ [param]: "" })).rejects.toMatchObject({
          status: 400,
          code: `invalid_${param}`,
          param,
        });
      }
    },
  );

  it.each(api.documents.map((operation) => [operation.name, operation] as const))(
    "gives the document of %s",
    async (name, { documentOf, example }) => {
      const client: object = createClient<typeof edgeNetwork>(preview.origin);
      expect(await Reflect.get(client, name)()).toEqual(documentOf(example));
    },
  );
});

it("reads an API with another base, by filters that are enums and booleans", async () => {
  const things = path.join(folder, "things");
  const at = path.join(folder, "things-dist");
  const items = Array.from({ length: 12 }, (_, index) => ({
    ...made(index),
    kind: index % 2 === 0 ? "big" : "small",
    is_new: index % 3 === 0 ? null : index % 3 === 1,
  }));
  mkdirSync(path.join(things, "deployments"), { recursive: true });
  const files = {
    "api.yaml": { page_sizes: [2, 100] },
    "things.json": items,
    "shelves.json": items,
    "deployments/edge.json": { operations: ["things", "shelves", "notice"], notice: { text: "Closed." } },
  };
  for (const [file, value] of Object.entries(files)) writeFileSync(path.join(things, file), JSON.stringify(value));
  await buildForTest(things, at, [], completeApi({ ...testApi, base: "/v3" }));
  const preview = await startPreview(at, 0);
  try {
    const client = createClient<typeof testApi>(`${preview.origin}/v3`);
    const big = items.filter(({ kind }) => kind === "big");
    expect(await all(client.things.items({ limit: 2 }))).toEqual(items);
    expect(await all(client.things.items({ kind: "big", limit: 2 }))).toEqual(big);
    expect(await all(client.things.items({ is_new: false }))).toEqual(items.filter(({ is_new }) => is_new === false));
    expect(await all(client.things.items({ kind: "big", is_new: true, limit: 2 }))).toEqual(
      big.filter(({ is_new }) => is_new === true),
    );
    expect((await client.shelves.get()).data).toEqual(items);
    expect(await client.notice()).toEqual({ text: "Closed." });
    const bare = createClient<typeof testApi>(preview.origin);
    await expect(bare.notice()).rejects.toMatchObject({ status: 404, url: `${preview.origin}/api/v1/notice` });
  } finally {
    await preview.stop();
  }
});
