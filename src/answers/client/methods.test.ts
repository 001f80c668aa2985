// The methods of a client and their types, derived from the declaration alone.
import { inspect } from "node:util";
import { expect, expectTypeOf, it } from "vitest";
import { type Notice, type Thing, testClient, testEnvironment } from "../../../test/client/server.ts";
import type { List, Page } from "../answers.ts";
import { type CollectionChanges, createClient } from "../client.ts";
import type { CallOptions } from "./types.ts";

const client = testClient("http://localhost", {}, testEnvironment());

it("has methods for each operation of its API, and for no other", () => {
  expectTypeOf<keyof typeof client>().toEqualTypeOf<"things" | "shelves" | "notice" | "changes" | "address">();
  expectTypeOf<keyof typeof client.things>().toEqualTypeOf<"get" | "pages" | "items" | "count" | "sync">();
  expectTypeOf(client.notice).parameter(0).toEqualTypeOf<CallOptions | undefined>();
});

it("has the same methods each time", () => {
  expect(client.things).toBe(client.things);
  expect(client.things.get).toBe(client.things.get);
  expect(client.things).not.toBe(client.shelves);
});

it("has the address of a file at the origin of the API", () => {
  const api = testClient("https://api.example.com/old/v1", {}, testEnvironment());
  expect(api.address({ url: "/old/v1/files/a.png?v=1" })).toBe("https://api.example.com/old/v1/files/a.png?v=1");
});

it("is neither awaited nor mistaken for another object", async () => {
  const create = () => testClient("http://localhost", {}, testEnvironment());
  const fresh = create();
  expect(await fresh).toBe(fresh);
  expect(await Promise.all([fresh])).toEqual([fresh]);
  expect(String(fresh)).toBe("[object Object]");
  // Node 26 says that it is a proxy.
  expect(inspect(fresh)).toMatch(/^(?:\{\}|Proxy\(\{\}\))$/);
  expect(inspect(fresh, { showProxy: true })).toBe("Proxy [ {}, { get: [Function: get] } ]");
  expect(JSON.stringify({ fresh })).toBe('{"fresh":{}}');
  expect(fresh).toEqual(create());
  expect(() => expect(fresh).toBe(1)).toThrow("expected {} to be 1");
});

it("has their types, which tsc checks", () => {
  expectTypeOf(typed).returns.resolves.toBeVoid();
  expect(typed).toHaveLength(1);
});

/** Never called. */
async function typed(signal: AbortSignal): Promise<void> {
  expectTypeOf(await client.things.get()).toEqualTypeOf<Page<Thing>>();
  expectTypeOf(await client.shelves.get()).toEqualTypeOf<List<Thing>>();
  expectTypeOf(await client.notice({ signal })).toEqualTypeOf<Notice>();
  for await (const item of client.things.items()) expectTypeOf(item).toEqualTypeOf<Thing>();
  for await (const page of client.things.pages()) expectTypeOf(page).toEqualTypeOf<Page<Thing>>();

  for await (const { at, collections, documents } of client.changes({ since: "2026-10-21T06:28:00Z", signal })) {
    expectTypeOf(at).toBeString();
    expectTypeOf(collections).toEqualTypeOf<{
      readonly things?: CollectionChanges;
      readonly shelves?: CollectionChanges;
    }>();
    expectTypeOf(documents).toEqualTypeOf<readonly "notice"[]>();
  }
  expectTypeOf(await client.things.sync(new Map<string, Thing>(), undefined, { signal })).toBeString();
  // @ts-expect-error: the copy has other items
  await client.things.sync(new Map<string, Notice>());
  // @ts-expect-error: a document has no copy of items
  await client.notice.sync(new Map());

  await client.things.get({ limit: 5, cursor: "k", kind: undefined }, { signal });
  await client.shelves.get({}, { signal });
  await client.things.get({ sort: "newest", kind: "small", limit: 5 });
  for await (const page of client.things.pages({ sort: "newest" })) expectTypeOf(page).toEqualTypeOf<Page<Thing>>();
  // @ts-expect-error: there is no such order
  await client.things.get({ sort: "oldest" });
  // @ts-expect-error: it has no further orders
  await client.shelves.get({ sort: "newest" });
  // @ts-expect-error: a number does not depend on the order
  await client.things.count({ sort: "newest" });
  await client.things.get({ kind: "small", is_new: false });
  // @ts-expect-error: it has no such filter
  await client.things.get({ colour: "red" });
  // @ts-expect-error: no thing is of this kind
  await client.things.get({ kind: "medium" });
  // @ts-expect-error: it is true or false
  await client.things.get({ is_new: "true" });
  // @ts-expect-error: null is in no listing
  await client.things.get({ is_new: null });
  expectTypeOf(await client.things.count({ kind: "small", is_new: false }, { signal })).toBeNumber();
  expectTypeOf(await client.shelves.count()).toBeNumber();
  // @ts-expect-error: no thing is of this kind
  await client.things.count({ kind: "medium" });
  // @ts-expect-error: only pages have a limit
  await client.things.count({ limit: 5 });
  // @ts-expect-error: it has no filter
  await client.shelves.count({ kind: "big" });
  // @ts-expect-error: limit is a number
  await client.things.get({ limit: "5" });
  // @ts-expect-error: it is not paged
  await client.shelves.get({ limit: 5 });
  // @ts-expect-error: it has no filter
  await client.shelves.get({ kind: "big" });
  // @ts-expect-error: a document has no parameters
  await client.notice({ limit: 5 });
  // @ts-expect-error: a list is not a function
  await client.things();
  // @ts-expect-error: there is no such operation
  await client.nothing.get();
  // @ts-expect-error: an answer is not to be changed
  (await client.things.get()).data[0].kind = "small";
  // @ts-expect-error: an item has no such field
  for await (const { colour } of client.things.items()) expectTypeOf(colour).toBeString();

  // @ts-expect-error: there is no such option
  testClient("", { retry: 5 }, testEnvironment());
  // @ts-expect-error: it is not known whether there is such an operation
  await createClient("").things.get();
  expectTypeOf(await createClient("")["things"]?.get()).toEqualTypeOf<List<unknown> | Page<unknown> | undefined>();
  expectTypeOf(await createClient("")["things"]?.count({ any: "value" })).toEqualTypeOf<number | undefined>();
}
