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
} from "../../../test/client/server.ts";
import type { CollectionChanges } from "../answers.ts";

let server: ScriptedServer;
afterEach(() => server.stop());

async function clientWith(...steps: readonly Step[]) {
  server = await startScript(steps);
  return testClient(server.origin, {}, testEnvironment());
}

const first = "2026-10-21T06:00:00Z";
const second = "2026-10-21T07:00:00Z";
const third = "2026-10-21T08:00:00Z";

/** What `sync` returns for the build of a time. */
const stateOf = (at: string, build = "b"): string => `${at}/${build}`;

/** The state in what `sync` returns, without what it has not yet confirmed. */
const newestIn = (since: string): string => since.split("/").slice(0, 2).join("/");

const change = (at: string, changes: Partial<CollectionChanges>, name = "things", build = "b") => ({
  at,
  build,
  documents: [],
  collections: { [name]: { added: [], changed: [], removed: [], ...changes } },
});

const listOf = (...data: readonly object[]) => ({ body: { object: "changes", since: first, build: "b", data } });

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

it("requests the list, the address of the API, the dump and the list again for a new copy", async () => {
  const list = listOf(change(second, { added: ["t0001"] }));
  const client = await clientWith(list, withItems, linesOf(made(0), made(1)), list);
  const copy = new Map([["old", made(9)]]);
  expect(newestIn(await client.things.sync(copy))).toBe(stateOf(second));
  expect([...copy]).toEqual([
    ["t0000", made(0)],
    ["t0001", made(1)],
  ]);
  expect(server.asked).toEqual([
    "/api/v1/changes.json",
    "/api/v1",
    `/api/v1/dumps/things.ndjson?${stateOf(second)}`,
    "/api/v1/changes.json",
  ]);
});

it("requests only the list if nothing has changed, or if items were only removed", async () => {
  const list = listOf(change(third, { changed: ["x"] }, "shelves"), change(second, { removed: ["t0003"] }));
  const client = await clientWith(list, list);
  const copy = copyOf(10);
  expect(newestIn(await client.things.sync(copy, stateOf(third)))).toBe(stateOf(third));
  expect(copy).toEqual(copyOf(10));
  expect(newestIn(await client.things.sync(copy, stateOf(first)))).toBe(stateOf(third));
  expect([...copy.keys()]).toEqual([...copyOf(10).keys()].filter((key) => key !== "t0003"));
  expect(server.asked).toEqual(["/api/v1/changes.json", "/api/v1/changes.json"]);
});

it("requests one item after one edit among 100,000, or the dump if there are no single items", async () => {
  const list = listOf(change(third, { changed: ["t0003"] }), change(second, { changed: ["t0003"] }));
  const steps = [list, withItems, { body: small }, list, list, withDump, linesOf(made(0), small), list];
  const client = await clientWith(...steps);
  const copy = copyOf(100_000);
  expect(newestIn(await client.things.sync(copy, stateOf(first)))).toBe(stateOf(third));
  expect(copy.get("t0003")).toEqual(small);
  expect(copy.size).toBe(100_000);
  expect(newestIn(await client.things.sync(copy, stateOf(second)))).toBe(stateOf(third));
  expect([...copy.values()]).toEqual([made(0), small]);
  expect(server.asked.filter((each) => each !== "/api/v1/changes.json")).toEqual([
    "/api/v1",
    `/api/v1/things/t0003?${stateOf(third)}`,
    "/api/v1",
    `/api/v1/dumps/things.ndjson?${stateOf(third)}`,
  ]);
});

it("requests more than one item only if they are no more than pages", async () => {
  const list = listOf(change(second, { added: ["t0001"], changed: ["t0002"] }));
  const few = [list, withItems, { body: made(1) }, { body: made(2) }, list];
  const client = await clientWith(...few, list, withItems, linesOf(made(0)), list);
  await client.things.sync(copyOf(200), stateOf(first));
  await client.things.sync(copyOf(199), stateOf(first));
  expect(server.asked.map((each) => each.split("/")[3]?.split("?")[0])).toEqual([
    "changes.json",
    undefined,
    "things",
    "things",
    "changes.json",
    "changes.json",
    undefined,
    "dumps",
    "changes.json",
  ]);
});

it("requests the pages of the state if there is no dump", async () => {
  const pages = [{ body: pageOf([0, 1], "k1") }, { body: pageOf([2], null) }];
  const client = await clientWith(listOf(), about({}, "/api/v1/dumps/shelves.ndjson"), ...pages, listOf());
  const copy = new Map<string, Thing>();
  expect(newestIn(await client.things.sync(copy))).toBe(stateOf(first));
  expect([...copy.values()]).toEqual([made(0), made(1), made(2)]);
  const query = stateOf(first);
  expect(server.asked.slice(2, 4)).toEqual([`/api/v1/things?${query}`, `/api/v1/things?cursor=k1&${query}`]);
});

it("requests each item if there is no dump and lists are in brief", async () => {
  const brief = about({ item: "/api/v1/things/{id}", brief: ["id"] });
  const gone = errorOf("not_found", 404);
  const client = await clientWith(listOf(), brief, { body: pageOf([0, 1], null) }, { body: made(0) }, gone, listOf());
  const copy = new Map<string, Thing>();
  await client.things.sync(copy);
  expect([...copy.values()]).toEqual([made(0)]);
});

it("has the fields of lists in brief if there is neither a dump nor a single item", async () => {
  const client = await clientWith(listOf(), about({ brief: ["id"] }), { body: pageOf([0], null) }, listOf());
  const copy = new Map<string, Thing>();
  await client.things.sync(copy);
  expect([...copy.values()]).toEqual([made(0)]);
});

it("continues if the API was published again while it requested items", async () => {
  const lists = [
    listOf(change(second, { changed: ["t0001"] })),
    listOf(change(third, { changed: ["t0002"], removed: ["t0003"] }), change(second, { changed: ["t0001"] })),
  ] as const;
  const client = await clientWith(
    lists[0],
    withItems,
    { body: small },
    lists[1],
    withItems,
    { body: made(2) },
    lists[1],
  );
  const copy = copyOf(300);
  expect(newestIn(await client.things.sync(copy, stateOf(first)))).toBe(stateOf(third));
  expect([copy.get("t0001"), copy.get("t0002"), copy.has("t0003")]).toEqual([small, made(2), false]);
});

it("is continued by no list if each answer is of another state", async () => {
  const steps = Array.from({ length: 8 }, (_, index) => [
    listOf(change(second, {}, "things", `b${index}`)),
    withDump,
    linesOf(made(index)),
  ]);
  const client = await clientWith(...steps.flat());
  const copy = new Map<string, Thing>();
  const state = await client.things.sync(copy);
  expect(state).toBe(`${second}/`);
  expect(copy.size).toBe(1);
});

/** A list, read so many seconds after eight o'clock. */
const readAt = (seconds: number, ...data: readonly object[]) => ({
  ...listOf(...data),
  headers: { Date: new Date(Date.parse(third) + seconds * 1_000).toUTCString() },
});

it("requests again what it requested within five minutes of the first sight of a state, until it is the same", async () => {
  const list = (seconds: number) => readAt(seconds, change(second, { changed: ["t0001"] }));
  const asks = (seconds: number, thing: Thing) => [list(seconds), withItems, { body: thing }, list(seconds + 1)];
  const client = await clientWith(...asks(0, made(1)), ...asks(300, small), ...asks(600, small), list(602));
  const copy = copyOf(300);
  const young = await client.things.sync(copy, stateOf(first));
  expect(young).toBe(`${stateOf(second)}/2026-10-21T08:00:00.000Z ${stateOf(first)}`);
  const changed = await client.things.sync(copy, young);
  expect(changed).toBe(`${stateOf(second)}/2026-10-21T08:05:00.000Z ${stateOf(first)}`);
  expect(copy.get("t0001")).toEqual(small);
  const settled = await client.things.sync(copy, changed);
  expect(settled).toBe(stateOf(second));
  expect(await client.things.sync(copy, settled)).toBe(settled);
  expect(server.asked.filter((each) => each.includes("things/"))).toEqual([
    `/api/v1/things/t0001?${stateOf(second)}`,
    `/api/v1/things/t0001?${stateOf(second)}/${Date.parse("2026-10-21T08:05:00Z")}`,
    `/api/v1/things/t0001?${stateOf(second)}/${Date.parse("2026-10-21T08:10:00Z")}`,
  ]);
});

/** Makes a copy by answers with an item, and calls `sync` once for each of them. The keys of the copy after each call. */
async function keysOfCopies(...answers: readonly (readonly Step[])[]) {
  const client = await clientWith(...answers.flat());
  const copy = new Map<string, Thing>();
  const keys: string[] = [];
  let since = "";
  for (const _ of answers) {
    since = await client.things.sync(copy, since);
    keys.push([...copy.keys()].join());
  }
  return { keys, since };
}

const only = (seconds: number) => [readAt(seconds)];
const whole = (seconds: number, thing: Thing) => [readAt(seconds), withDump, linesOf(thing), readAt(seconds)];

it("makes a new copy again after a minute, until it was the same twice after five minutes", async () => {
  const same = made(0);
  const early = [whole(0, same), only(59), whole(60, same), only(119), whole(300, same), whole(599, same)];
  const { keys, since } = await keysOfCopies(...early, only(600), whole(659, same), only(800));
  expect(new Set(keys)).toEqual(new Set(["t0000"]));
  expect(since).toBe(stateOf(first));
  await server.stop();
  const seldom = await keysOfCopies(
    whole(0, same),
    whole(3_600, same),
    whole(3_660, same),
    whole(3_900, same),
    only(4_000),
  );
  expect(seldom.since).toBe(stateOf(first));
});

it("makes a copy again if a server has other items under a state that was seen long ago, as in a rollback", async () => {
  const answers = [whole(0, made(0)), whole(299, made(0)), whole(360, made(1)), whole(420, made(0)), only(421)];
  const { keys, since } = await keysOfCopies(...answers, whole(720, made(0)), whole(1_020, made(0)), only(1_080));
  expect(keys).toEqual(["t0000", "t0000", "t0001", ...Array.from({ length: 5 }, () => "t0000")]);
  expect(since).toBe(stateOf(first));
});

it.each([
  ["is older than the list", stateOf("2026-10-21T05:59:59Z"), {}],
  ["is newer than the list, as after a loss of it", stateOf("2026-10-21T08:00:01Z"), {}],
  ["is of a build between two of the list, as one that was rolled back", stateOf(second), {}],
  ["is of another build of the same second", stateOf(third, "other"), {}],
  ["has no build", third, {}],
  ["is before a change with more keys", stateOf(first), { more: 5 }],
  ["is before a change of the key", stateOf(first), { reset: true as const }],
  ["has never been confirmed", `${stateOf(first)}/2026-10-21T06:04:59.000Z/2026-10-21T06:04:59.000Z`, {}],
])("makes the copy anew if it %s", async (_name, since, changes) => {
  const list = listOf(change(third, changes));
  const client = await clientWith(list, withItems, linesOf(made(7)), list);
  const copy = copyOf(300);
  expect(newestIn(await client.things.sync(copy, since))).toBe(stateOf(third));
  expect([...copy.values()]).toEqual([made(7)]);
});

it("removes an item that is gone since the list was requested, and adds one that was removed before", async () => {
  const list = listOf(change(third, { added: ["t0002"] }), change(second, { added: ["t0001"], removed: ["t0002"] }));
  const client = await clientWith(list, withItems, errorOf("not_found", 404), { body: made(2) }, list);
  const copy = copyOf(300);
  expect(newestIn(await client.things.sync(copy, stateOf(first)))).toBe(stateOf(third));
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
  await expect(client.things.sync(copy, stateOf(first))).rejects.toMatchObject({ name: "ApiError" });
  expect(copy).toEqual(copyOf(10));
});

it("requests no other address, whatever the keys are", async () => {
  const list = listOf(change(second, { changed: ["../../x?y"] }));
  const client = await clientWith(list, withItems, { body: small }, list);
  await client.things.sync(copyOf(10), stateOf(first));
  expect(server.asked.at(-2)).toBe(`/api/v1/things/*/*/x*y?${stateOf(second)}`);
});

it("rejects if the API has no list", async () => {
  const client = await clientWith(errorOf("not_found", 404), errorOf("not_found", 404));
  await expect(client.things.sync(new Map())).rejects.toMatchObject({ code: "not_found" });
  await expect(client.changes().next()).rejects.toMatchObject({ code: "not_found" });
});

it("gives the changes after a time, the oldest first, and says if they are no longer known", async () => {
  const data = [change(third, {}), change(second, {})];
  const client = await clientWith(...Array.from({ length: 7 }, () => listOf(...data)));
  const changesSince = async (since?: string) => {
    const found: string[] = [];
    for await (const { at } of client.changes({ since })) found.push(at);
    return found;
  };
  expect(await changesSince()).toEqual([second, third]);
  expect(await changesSince(second)).toEqual([third]);
  expect(await changesSince(stateOf(second))).toEqual([third]);
  expect(await changesSince(`${stateOf(second)}/2026-10-21T07:01:00.000Z`)).toEqual([third]);
  expect(await changesSince("2026-12-01T00:00:00Z")).toEqual([]);
  for (const lost of ["2026-10-21T05:59:59Z", stateOf(second, "other")]) {
    await expect(changesSince(lost)).rejects.toMatchObject({ code: "changes_expired" });
  }
});
