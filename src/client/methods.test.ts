// The types of a client, derived from the table alone.
import { expect, expectTypeOf, it } from "vitest";
import { type Notice, type Thing, testClient, testEnvironment } from "../../test/client/server.ts";
import { createClient } from "../client.ts";
import { answerSchemas, edgeNetwork } from "../edge-network/index.ts";
import type { List, Page } from "../envelope.ts";

const { operations } = edgeNetwork;

const client = testClient("http://localhost", {}, testEnvironment());

it("has methods for each operation of its table, and for no other", () => {
  expect(Object.keys(client)).toEqual(["things", "shelves", "notice"]);
  expect(Object.keys(client.things)).toEqual(["get", "pages", "items"]);
  expectTypeOf(client).toHaveProperty("notice");
  expectTypeOf<keyof typeof client>().toEqualTypeOf<"things" | "shelves" | "notice">();
});

it("has methods for each operation of the API", () => {
  const names = operations.map(({ name }) => name);
  expect(Object.keys(createClient("http://localhost"))).toEqual(names);
  expect(Object.keys(answerSchemas())).toEqual(names);
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

  await client.things.get({ limit: 5, cursor: "k", kind: undefined }, { signal });
  await client.shelves.get({}, { signal });
  // @ts-expect-error: it has no such filter
  await client.things.get({ colour: "red" });
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

  const valid = { parse: (): Thing => ({ id: "a", made: "1", kind: "big" }) };
  testClient("", { schemas: { things: valid } }, testEnvironment());
  // @ts-expect-error: the schema of another operation
  testClient("", { schemas: { notice: valid } }, testEnvironment());
  // @ts-expect-error: there is no such operation
  testClient("", { schemas: { nothing: valid } }, testEnvironment());
  // @ts-expect-error: there is no such option
  testClient("", { retry: 5 }, testEnvironment());
  createClient("", { schemas: answerSchemas() });
}
