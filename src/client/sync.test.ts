// Copies that follow the list of changes, by requests as few as they can be.
import { afterEach, expect, it } from "vitest";
import {
  errorOf,
  made,
  pageOf,
  type ScriptedServer,
  type Step,
  startScript,
  type Thing,
  testClient,
  testEnvironment,
} from "../../test/client/server.ts";
import type { CollectionChanges } from "../answers.ts";

let server: ScriptedServer;
afterEach(() => server.stop());

async function clientWith(...steps: readonly Step[]) {
  server = await startScript(steps);
  return testClient(server.origin, {}, testEnvironment());
}

const [first, second, third] = ["2026-10-21T06:00:00Z", "2026-10-21T07:00:00Z", "2026-10-21T08:00:00Z"];

const change = (at: string, changes: Partial<CollectionChanges>, name = "things") => ({
  ...{ at, build: at, documents: [] },
  collections: { [name]: { added: [], changed: [], removed: [], ...changes } },
});

const listOf = (...data: readonly object[]) => ({ body: { object: "changes", since: first, data } });

/** The overview, as far as it is about things. */
const about = (rules: object, ...dumps: readonly string[]) => ({
  body: {
    operations: [
      { name: "shelves", key: "id" },
      { name: "things", key: "id", ...rules },
    ],
    documents: dumps.map((path) => ({ path })),
  },
});

const withItems = about({ item: "/api/v1/things/{id}" }, "/api/v1/dumps/things.ndjson");
const withDump = about({}, "/api/v1/dumps/things.ndjson", "/api/v1/dumps/shelves.ndjson");

const linesOf = (...things: readonly Thing[]) => ({ body: things.map((each) => `${JSON.stringify(each)}\n`).join("") });

const copyOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [made(index).id, made(index)] as const));

const small: Thing = { ...made(3), kind: "small" };

it("requests the list, the address of the API and the dump for a new copy", async () => {
  const client = await clientWith(listOf(change(second, { added: ["t0001"] })), withItems, linesOf(made(0), made(1)));
  const copy = new Map([["old", made(9)]]);
  expect(await client.things.sync(copy)).toBe(second);
  expect([...copy]).toEqual([
    ["t0000", made(0)],
    ["t0001", made(1)],
  ]);
  expect(server.asked).toEqual(["/api/v1/changes.json", "/api/v1", `/api/v1/dumps/things.ndjson?${second}`]);
});

it("requests only the list if nothing has changed, or if items were only removed", async () => {
  const list = listOf(change(third, { changed: ["x"] }, "shelves"), change(second, { removed: ["t0003"] }));
  const client = await clientWith(list, list);
  const copy = copyOf(10);
  expect(await client.things.sync(copy, third)).toBe(third);
  expect(copy).toEqual(copyOf(10));
  expect(await client.things.sync(copy, first)).toBe(third);
  expect([...copy.keys()]).toEqual([...copyOf(10).keys()].filter((key) => key !== "t0003"));
  expect(server.asked).toEqual(["/api/v1/changes.json", "/api/v1/changes.json"]);
});

it("requests one item after one edit among 100,000, or the dump if there are no single items", async () => {
  const list = listOf(change(third, { changed: ["t0003"] }), change(second, { changed: ["t0003"] }));
  const client = await clientWith(list, withItems, { body: small }, list, withDump, linesOf(made(0), small));
  const copy = copyOf(100_000);
  expect(await client.things.sync(copy, first)).toBe(third);
  expect(copy.get("t0003")).toEqual(small);
  expect(copy.size).toBe(100_000);
  expect(await client.things.sync(copy, second)).toBe(third);
  expect([...copy.values()]).toEqual([made(0), small]);
  expect(server.asked).toEqual([
    ...["/api/v1/changes.json", "/api/v1", `/api/v1/things/t0003?${third}`],
    ...["/api/v1/changes.json", "/api/v1", `/api/v1/dumps/things.ndjson?${third}`],
  ]);
});

it("requests more than one item only if they are no more than pages", async () => {
  const list = listOf(change(second, { added: ["t0001"], changed: ["t0002"] }));
  const steps = [list, withItems, { body: made(1) }, { body: made(2) }, list, withItems, linesOf(made(0))];
  const client = await clientWith(...steps);
  await client.things.sync(copyOf(200), first);
  await client.things.sync(copyOf(199), first);
  expect(server.asked.map((each) => each.split("/")[3]?.split("?")[0])).toEqual([
    ...["changes.json", undefined, "things", "things"],
    ...["changes.json", undefined, "dumps"],
  ]);
});

it("requests the pages if there is no dump", async () => {
  const pages = [{ body: pageOf([0, 1], "k1") }, { body: pageOf([2], null) }];
  const client = await clientWith(listOf(), about({}, "/api/v1/dumps/shelves.ndjson"), ...pages);
  const copy = new Map<string, Thing>();
  expect(await client.things.sync(copy)).toBe(first);
  expect([...copy.values()]).toEqual([made(0), made(1), made(2)]);
});

it.each([
  ["is older than the list", "2026-10-21T05:59:59Z", {}],
  ["is newer than the list, as after a loss of it", "2026-10-21T08:00:01Z", {}],
  ["is before a change with more keys", first, { more: 5 }],
  ["is before a change of the key", first, { reset: true as const }],
])("makes the copy anew if it %s", async (_name, since, changes) => {
  const client = await clientWith(listOf(change(third, changes)), withItems, linesOf(made(7)));
  const copy = copyOf(300);
  expect(await client.things.sync(copy, since)).toBe(third);
  expect([...copy.values()]).toEqual([made(7)]);
});

it("removes an item that is gone since the list was requested, and adds one that was removed before", async () => {
  const list = listOf(change(third, { added: ["t0002"] }), change(second, { added: ["t0001"], removed: ["t0002"] }));
  const client = await clientWith(list, withItems, errorOf("not_found", 404), { body: made(2) });
  const copy = copyOf(300);
  expect(await client.things.sync(copy, first)).toBe(third);
  expect([copy.has("t0001"), copy.get("t0002")]).toEqual([false, made(2)]);
});

it.each([
  ["an item", withItems, errorOf("http_error", 403)],
  ["an item that is no JSON", withItems, { body: "<html>" }],
  ["the dump", withDump, errorOf("not_found", 404)],
  ["a dump that is torn", withDump, { body: '{"id":"t0001"}\n{"id":' }],
  ["the address of the API", { body: "<html>" }, { body: made(3) }],
])("leaves the copy as it is if %s fails", async (_name, overview, answer) => {
  const client = await clientWith(listOf(change(second, { changed: ["t0003"], removed: ["t0001"] })), overview, answer);
  const copy = copyOf(10);
  await expect(client.things.sync(copy, first)).rejects.toMatchObject({ name: "ApiError" });
  expect(copy).toEqual(copyOf(10));
});

it("requests no other address, whatever the keys are", async () => {
  const list = listOf(change(second, { changed: ["../../x?y"] }));
  const client = await clientWith(list, withItems, { body: small });
  await client.things.sync(copyOf(10), first);
  expect(server.asked.at(-1)).toBe(`/api/v1/things/*/*/x*y?${second}`);
});

it("rejects if the API has no list", async () => {
  const client = await clientWith(errorOf("not_found", 404), errorOf("not_found", 404));
  await expect(client.things.sync(new Map())).rejects.toMatchObject({ code: "not_found" });
  await expect(client.changes().next()).rejects.toMatchObject({ code: "not_found" });
});

it("gives the changes after a time, the oldest first, and says if they are no longer known", async () => {
  const data = [change(third, {}), change(second, {})];
  const client = await clientWith(listOf(...data), listOf(...data), listOf(...data), listOf(...data));
  const changesSince = async (since?: string) => {
    const found: string[] = [];
    for await (const { at } of client.changes({ since })) found.push(at);
    return found;
  };
  expect(await changesSince()).toEqual([second, third]);
  expect(await changesSince(second)).toEqual([third]);
  expect(await changesSince("2026-12-01T00:00:00Z")).toEqual([]);
  await expect(changesSince("2026-10-21T05:59:59Z")).rejects.toMatchObject({ code: "changes_expired" });
});
