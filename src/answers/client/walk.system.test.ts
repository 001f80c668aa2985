// Walks over changing listings, with scripted answers and with a model of a published API.
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  errorOf,
  expired,
  made,
  pageOf,
  type ScriptedServer,
  type Step,
  startScript,
  type Thing,
  testClient,
  testEnvironment,
  testOverview,
} from "../../../test/client/server.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function setUp(steps: readonly Step[]) {
  const environment = testEnvironment();
  const server = await startScript(steps, environment.expire);
  servers.push(server);
  const queries = () =>
    server.asked.map((target) => (target === "/api/v1" ? "the API" : target.slice("/api/v1/things".length)));
  return { queries, environment, things: testClient(server.origin, {}, environment).things };
}

/** The answer at the address of the API. */
const overview = { body: testOverview };

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const given: T[] = [];
  for await (const value of values) given.push(value);
  return given;
}

const body = (times: readonly number[], next: string | null, limit?: number) => ({ body: pageOf(times, next, limit) });

describe("a walk", () => {
  it("follows the cursors with the parameters of its start", async () => {
    const { things, queries } = await setUp([body([1, 2], "k2", 2), body([3, 4], "k4", 2), body([5], null, 2)]);
    expect(await all(things.items({ kind: "big", limit: 2 }))).toEqual([1, 2, 3, 4, 5].map(made));
    expect(queries()).toEqual(["?kind=big&limit=2", "?kind=big&limit=2&cursor=k2", "?kind=big&limit=2&cursor=k4"]);
  });

  it("returns each page unchanged", async () => {
    const { things, queries } = await setUp([body([3, 4], "k4", 2), body([5], null, 2)]);
    const pages = await all(things.pages({ limit: 2, cursor: "k2" }));
    expect(pages).toEqual([pageOf([3, 4], "k4", 2), pageOf([5], null, 2)]);
    expect(queries()).toEqual(["?limit=2&cursor=k2", "?limit=2&cursor=k4"]);
  });

  it("returns the empty page of an empty listing", async () => {
    const { things } = await setUp([body([], null)]);
    expect(await all(things.pages())).toEqual([pageOf([], null)]);
  });

  it("has one page if the operation is not paged", async () => {
    const server = await startScript([{ body: { object: "list", data: [made(1)] } }]);
    servers.push(server);
    const { shelves } = testClient(server.origin, {}, testEnvironment());
    expect(await all(shelves.pages())).toEqual([{ object: "list", data: [made(1)] }]);
  });

  it("asks for no page that nobody wants", async () => {
    const { things, queries } = await setUp([body([1, 2], "k2")]);
    for await (const item of things.items()) if (item.id === made(2).id) break;
    expect(queries()).toEqual([""]);
  });

  it("ends with an error of another kind", async () => {
    const { things } = await setUp([body([1], "k1"), errorOf("invalid_limit", 400, "limit")]);
    await expect(all(things.items())).rejects.toMatchObject({ code: "invalid_limit" });
  });
});

describe("a walk whose cursor has expired", () => {
  it("goes on without limit", async () => {
    const { things, queries, environment } = await setUp([
      body([1, 2], "k2", 2),
      expired,
      body([3, 4, 5], "k5"),
      body([6], null),
    ]);
    expect(await all(things.items({ kind: "big", limit: 2 }))).toEqual([1, 2, 3, 4, 5, 6].map(made));
    expect(queries()).toEqual([
      "?kind=big&limit=2",
      "?kind=big&limit=2&cursor=k2",
      "?kind=big&cursor=k2",
      "?kind=big&cursor=k5",
    ]);
    expect(environment.waits).toEqual([]);
  });

  it("starts again if it is unknown without limit too, and omits items already returned", async () => {
    const { things, queries, environment } = await setUp([
      body([1, 3], "k3", 2),
      expired,
      expired,
      overview,
      // The last item returned is gone; one item was added before it and one after.
      body([1, 2], "k2", 2),
      body([4, 5], "k5", 2),
      body([6], null, 2),
    ]);
    const pages = await all(things.pages({ limit: 2 }));
    expect(pages.map(({ data }) => data.map(({ made }) => Number(made)))).toEqual([[1, 3], [4, 5], [6]]);
    expect(queries()).toEqual(
      ["?limit=2", "?limit=2&cursor=k3", "?cursor=k3", "the API"].concat(
        ["", "&cursor=k2", "&cursor=k5"].map((end) => `?limit=2${end}`),
      ),
    );
    expect(environment.waits).toEqual([250]);
  });

  it("counts the items of a page that it shortens, and ends with the last page though it is empty", async () => {
    const { things } = await setUp([
      body([1, 2, 3], "k3"),
      expired,
      overview,
      body([1, 2, 3, 4], "k4"),
      body([], null),
    ]);
    expect(await all(things.pages())).toEqual([pageOf([1, 2, 3], "k3"), pageOf([4], "k4"), pageOf([], null)]);
  });

  it("waits longer each time that it finds nothing new, as if a cache keeps the old first page", async () => {
    const old = body([1, 2], "k2");
    const steps = [
      [old, expired, overview, old, expired, old, expired],
      [body([1, 2, 3], "k3"), expired, body([4], null)],
    ].flat();
    const { things, environment } = await setUp(steps);
    expect(await all(things.items())).toEqual([1, 2, 3, 4].map(made));
    expect(environment.waits).toEqual([250, 500, 1_000, 250]);
  });

  it("gives up after as many such restarts as a request has attempts", async () => {
    const [first, ...others]: readonly Step[] = Array(10)
      .fill([body([1, 2], "k2"), expired])
      .flat();
    const { things, queries } = await setUp([first ?? expired, expired, overview, ...others.slice(1)]);
    await expect(all(things.items())).rejects.toMatchObject({ code: "invalid_cursor" });
    expect(queries()).toHaveLength(15);
  });

  it("compares by the order that it asked for", async () => {
    const { things, queries } = await setUp([
      body([5, 4], "k4", 2),
      expired,
      expired,
      overview,
      body([6, 5], "k5", 2),
      body([4, 2], null, 2),
    ]);
    expect(await all(things.items({ sort: "newest", limit: 2 }))).toEqual([5, 4, 2].map(made));
    expect(queries().slice(-2)).toEqual(["?sort=newest&limit=2", "?sort=newest&limit=2&cursor=k5"]);
  });

  it("does not start again from a cursor that the caller gave", async () => {
    const { things, queries } = await setUp([expired, expired]);
    await expect(all(things.items({ limit: 2, cursor: "k9" }))).rejects.toMatchObject({ code: "invalid_cursor" });
    expect(queries()).toEqual(["?limit=2&cursor=k9", "?cursor=k9"]);
  });

  it("starts again from the beginning if a later cursor is lost", async () => {
    const { things, queries } = await setUp([body([5, 6], "k6"), expired, overview, body([1, 5, 6, 7], null)]);
    expect(await all(things.items({ cursor: "k4" }))).toEqual([5, 6, 7].map(made));
    expect(queries()).toEqual(["?cursor=k4", "?cursor=k6", "the API", ""]);
  });
});

describe("a walk that cannot learn the order", () => {
  it.each([
    ["no answer", { status: 404 }, "http_error"],
    ["no JSON", { body: "<html>" }, "unexpected_answer"],
    ["no operations", { body: {} }, "unexpected_answer"],
    ["no operation with its name", { body: { operations: [{ name: "shelves", order: ["id"] }] } }, "unexpected_answer"],
    ["no order", { body: { operations: [{ name: "things" }] } }, "unexpected_answer"],
  ] as const)("fails with the error of that request if there is %s", async (_, step, code) => {
    const { things, queries } = await setUp([body([1], "k1"), expired, step]);
    await expect(all(things.items())).rejects.toMatchObject({ code, url: expect.stringMatching(/\/api\/v1$/) });
    expect(queries()).toEqual(["", "?cursor=k1", "the API"]);
  });

  it("fails with the reason of its signal", async () => {
    const controller = new AbortController();
    const environment = testEnvironment();
    const server = await startScript([body([1], "k1"), expired, "hang"], () => controller.abort("Enough."));
    servers.push(server);
    const { things } = testClient(server.origin, {}, environment);
    await expect(all(things.items({}, { signal: controller.signal }))).rejects.toBe("Enough.");
  });
});

describe("a walk over any builds", () => {
  const things = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });
  const builds = fc.array(fc.record({ things, requests: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 4,
  });

  it("returns permanent items once, in order, and nothing that never existed", async () => {
    await fc.assert(
      fc.asyncProperty(builds, fc.integer({ min: 1, max: 9 }), async (published, limit) => {
        const client = testClient(
          "http://localhost",
          { fetch: modelOf(published, limit), retries: 9 },
          testEnvironment(),
        );
        const given = (await all(client.things.items({ limit }))).map((item: Thing) => Number(item.made));
        expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
        const ever = new Set(published.flatMap((build) => build.things));
        expect(given.filter((time) => !ever.has(time))).toEqual([]);
        const always = published[0]?.things.filter((time) => published.every((build) => build.things.includes(time)));
        expect(always?.filter((time) => !given.includes(time))).toEqual([]);
      }),
    );
  });
});

interface Published {
  readonly things: readonly number[];
  /** The number of requests after which the next build is published. */
  readonly requests: number;
}

/**
 * An API whose cursors expire with each build: only cursors of the current pages are valid, with their limit or without
 * one.
 */
function modelOf(builds: readonly Published[], limit: number): typeof fetch {
  const turns = builds.flatMap((build) => Array<Published>(build.requests).fill(build));
  let turn = 0;
  return async (input) => {
    const { pathname, searchParams: query } = new URL(String(input));
    if (pathname === "/api/v1") return Response.json(testOverview);
    const build = turns[Math.min(turn++, turns.length - 1)];
    const sorted = build?.things.toSorted((a, b) => a - b) ?? [];
    const cursor = query.get("cursor");
    const start = cursor === null ? 0 : sorted.indexOf(Number(cursor.slice(1))) + 1;
    const isStart = cursor === null || (start > 0 && start < sorted.length && start % limit === 0);
    if (!isStart) return Response.json(expired.body, { status: 400 });
    const end = query.has("limit") ? start + limit : 100;
    const next = end < sorted.length ? `k${sorted[end - 1]}` : null;
    return Response.json(pageOf(sorted.slice(start, end), next, limit));
  };
}
