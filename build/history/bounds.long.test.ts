// The bounds of the list of changes, and its times.
import { expect, it } from "vitest";
import * as z from "zod";
import type { Changes } from "../../src/answers/answers.ts";
import { defineApi, defineCollection } from "../../src/index.ts";
import { type LeftState, planAfter } from "../../test/history/plan-after.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";

const schema = z.strictObject({ id: z.string(), text: z.string() });
const thingsOf = (purpose: string) => defineCollection({ purpose, schema, key: "id" });

interface Thing {
  readonly id: string;
  readonly text: string;
}

type Content = Readonly<Record<string, readonly Thing[]>>;

/** Builds that follow one another. Changes are listed for an hour. */
function builds(...names: readonly string[]): (content: Content, now: number) => Promise<Changes> {
  const collections = Object.fromEntries(names.map((name) => [name, thingsOf(name)]));
  const api = completeApi(defineApi({ collections }));
  let before: LeftState = new Map();
  return async (content, now) => {
    const files = Object.entries(content).map(([name, things]) => [`${name}.json`, JSON.stringify(things)]);
    const settings = "changes: 1h\ncursor_lifetime: 0\n";
    const { plan, state } = await planAfter(api, { "api.yaml": settings, ...Object.fromEntries(files) }, before, now);
    before = state;
    const list = plan.files.find("api/v1/changes.json") ?? expect.fail();
    return JSON.parse(bytesOf(list).toString());
  };
}

const many = (count: number, text = "", digits = 5): readonly Thing[] =>
  Array.from({ length: count }, (_, index) => ({ id: `i${String(index).padStart(digits, "0")}`, text }));

const start = 1_700_000_000;

it("names a thousand keys of a collection, and counts the others", async () => {
  const build = builds("things");
  await build({ things: many(1_700, "old") }, start);
  const { data } = await build({ things: [{ id: "new", text: "" }] }, start + 60);
  const { added, removed, more } = data[0]?.collections["things"] ?? {};
  expect([added, removed?.length, more]).toEqual([[], 1_000, 701]);
  const another = builds("things");
  await another({ things: many(1_000) }, start);
  const [fewer] = (await another({ things: [] }, start + 60)).data;
  expect(fewer?.collections["things"]).toEqual({ added: [], changed: [], removed: expect.any(Array) });
});

it("names the changed and removed items of an entry before the added ones", async () => {
  const build = builds("things");
  const [first, second, ...others] = many(10, "old");
  await build({ things: [first, second, ...others].filter((thing) => thing !== undefined) }, start);
  const added = many(1_300, "", 6);
  const { data } = await build({ things: [{ id: "i00000", text: "new" }, ...others, ...added] }, start + 60);
  const { more, ...named } = data[0]?.collections["things"] ?? {};
  const firstAdded = added.slice(0, 998).map(({ id }) => id);
  expect({ more, named }).toEqual({
    more: 302,
    named: { added: firstAdded, changed: ["i00000"], removed: ["i00001"] },
  });
});

it("has at most 500 kB, and drops the oldest changes for that", async () => {
  const build = builds("things");
  let changes = await build({ things: [] }, start);
  const times: string[] = [];
  for (let count = 1; count <= 64; count++) {
    changes = await build({ things: many(100, String(count), 80) }, start + count);
    times.push(changes.data[0]?.at ?? "");
  }
  const bytes = JSON.stringify(changes).length;
  expect(bytes).toBeLessThanOrEqual(500_000);
  expect(bytes).toBeGreaterThan(490_000);
  expect(changes.data.map(({ at }) => at).reverse()).toEqual(times.slice(-changes.data.length));
  expect(changes.since).toBe(times.at(-changes.data.length - 1));
});

it("drops changes after their lifetime, and is complete since the last one dropped", async () => {
  const build = builds("things");
  const textOf = (text: string) => ({ things: [{ id: "x", text }] });
  await build({ things: [] }, start);
  for (const [index, text] of ["a", "b"].entries()) await build(textOf(text), start + 1 + 1_000 * index);
  const changes = await build(textOf("c"), start + 2_001);
  const at = changes.data.map((change) => change.at);
  expect(at).toHaveLength(3);
  expect(await build(textOf("c"), start + 3_600)).toEqual(changes);
  expect(await build(textOf("c"), start + 4_599)).toMatchObject({ since: at[2], data: [{ at: at[0] }, { at: at[1] }] });
  expect(await build(textOf("c"), start + 9_000)).toMatchObject({ since: at[0], data: [] });
});

it("has no time behind the clock: a time of a clock that was ahead becomes the present one", async () => {
  const build = builds("things");
  await build({ things: [] }, start);
  const timesAfter = async (text: string, now: number) => {
    const { since, data } = await build({ things: [{ id: "x", text }] }, now);
    return [since, ...data.map(({ at }) => at).reverse()].map((at) => at.slice(14, 19));
  };
  expect(await timesAfter("0", start)).toEqual(["13:20", "13:20"]);
  expect(await timesAfter("1", start + 100)).toEqual(["13:20", "13:20", "15:00"]);
  expect(await timesAfter("2", start + 10)).toEqual(["13:20", "13:20", "13:30", "13:30"]);
  expect(await timesAfter("3", start - 500)).toEqual(["05:00", "05:00", "05:00", "05:00", "05:00"]);
});

it("counts the keys of a single change that do not fit into the list", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `things${index}`);
  const things = Array.from({ length: 900 }, (_, index) => ({ id: `${"k".repeat(90)}${index}`, text: "" }));
  const build = builds(...names);
  await build({}, start);
  const changes = await build(Object.fromEntries(names.map((name) => [name, things])), start + 60);
  expect(JSON.stringify(changes).length).toBeLessThanOrEqual(500_000);
  const [newest] = changes.data;
  expect(Object.keys(newest?.collections ?? {})).toEqual(names);
  for (const collection of Object.values(newest?.collections ?? {})) {
    expect((collection?.added.length ?? 0) + (collection?.more ?? 0)).toBe(things.length);
    expect(collection?.added.length).toBeGreaterThan(0);
  }
});
