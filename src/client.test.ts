// The client of the Edge Network against a preview of real builds.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Preview, startPreview } from "../build/cli/preview/preview.ts";
import { buildForTest } from "../test/check/built.ts";
import { writeSample } from "../test/check/sample.ts";
import { made, testApi } from "../test/client/server.ts";
import { clientOf } from "./client/create.ts";
import type { Timer } from "./client/send.ts";
import { createClient } from "./client.ts";
import { completeApi } from "./complete-api.ts";
import edgeNetwork from "./edge-network/index.ts";
import { filtersOf, type ListOperation } from "./operation.ts";
import type { Item } from "./resource.ts";

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

const paged = api.lists.filter((operation) => operation.paged);

/** Operations to whose items nothing refers, so that any item can be removed. */
const free = paged.filter(({ name }) =>
  api.lists.every(({ resource }) => resource.references.every(({ to }) => to !== name)),
);

const methodsOf = (client: object, name: string): ListMethods => Reflect.get(client, name);

function fail(message: string): never {
  throw new Error(message);
}

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
    async (name, { resource }) => {
      const client: object = createClient<typeof edgeNetwork>(preview.origin);
      expect(await Reflect.get(client, name)()).toEqual(resource.documentOf(resource.example));
    },
  );

  it("goes on after the server was killed in the middle of a walk and started again", async () => {
    const port = Number(new URL(preview.origin).port);
    let waits = 0;
    const keep = (started: Preview) => {
      preview = started;
    };
    // The request takes until the second wait. No attempt times out.
    const timer: Timer = (ring, milliseconds) => {
      if (milliseconds === 10_000) return () => undefined;
      const waited = ++waits === 2 ? startPreview(dist, port).then(keep) : Promise.resolve();
      waited.then(ring);
      return () => undefined;
    };
    for (const operation of paged) {
      waits = 0;
      const client = clientOf<typeof edgeNetwork>(preview.origin, {}, timer);
      const given: Item[] = [];
      for await (const item of methodsOf(client, operation.name).items({ limit: 10 })) {
        given.push(item);
        if (given.length === 15) await preview.stop();
      }
      expect(given).toEqual(itemsOf(operation));
      expect(waits).toBe(2);
    }
  });
});

it("gives up a server that does not answer in time", async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : fail("A TCP server has no port.");
    const client = createClient(`http://127.0.0.1:${port}`, { timeout: 20, retries: 0 });
    for (const { name } of paged)
      await expect(methodsOf(client, name).get()).rejects.toMatchObject({ code: "timeout" });
  } finally {
    server.closeAllConnections();
    await new Promise((over) => server.close(over));
  }
});

describe("a walk over three builds", () => {
  /** Builds the sample without the items for which `isGone` is true. */
  async function publish(count: number, isGone: (index: number) => boolean): Promise<void> {
    writeSample(content, { count, pageSizes: [5, 10] });
    for (const operation of free) {
      const left = itemsOf(operation).filter((_, index) => !isGone(index));
      writeFileSync(path.join(content, `${operation.name}.json`), JSON.stringify(left));
    }
    await buildForTest(content, dist);
  }

  it.each(free.map(({ name }) => name))("returns each of the %s of all builds once, in order", async (name) => {
    const operation = free.find((each) => each.name === name) ?? fail(name);
    const builds = [
      () => publish(40, (index) => index % 7 === 1),
      () => publish(44, (index) => index % 3 === 0),
      () => publish(38, (index) => index % 5 === 2),
    ];
    const published: (readonly Item[])[] = [];
    const next = async () => {
      await builds[published.length]?.();
      published.push(itemsOf(operation));
    };
    await next();
    const preview = await startPreview(dist, 0);
    try {
      vi.spyOn(Math, "random").mockReturnValue(0);
      onTestFinished(() => void vi.restoreAllMocks());
      const client = createClient<typeof edgeNetwork>(preview.origin);
      const given: Item[] = [];
      for await (const item of methodsOf(client, name).items({ limit: 5 })) {
        given.push(item);
        if (given.length === 8 || given.length === 16) await next();
      }
      expect(published).toHaveLength(3);
      const keys = given.map((item) => String(item[operation.resource.key]));
      const keysOf = (items: readonly Item[] = []) => items.map((item) => String(item[operation.resource.key]));
      const [first, second, third] = published.map(keysOf);
      const always = keys.filter((key) => first?.includes(key) && second?.includes(key) && third?.includes(key));
      expect(always).toEqual(first?.filter((key) => second?.includes(key) && third?.includes(key)));
      expect(new Set(keys).size).toBe(keys.length);
      const ever = new Set(published.flatMap(keysOf));
      expect(keys.filter((key) => !ever.has(key))).toEqual([]);
    } finally {
      await preview.stop();
    }
  });
});

it("reads an API with another base, by filters that are enums and booleans", async () => {
  const [things, at] = [path.join(folder, "things"), path.join(folder, "things-dist")];
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
