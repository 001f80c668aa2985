// The bounds of the list of changes, and its times.
import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/index.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";
import { type BuildState, stateOf } from "./build-state.ts";
import { changesAfter } from "./changes.ts";

const schema = z.strictObject({ id: z.string(), text: z.string() });
const api = completeApi(
  defineApi({ collections: { things: defineCollection({ purpose: "Things.", schema, key: "id" }) } }),
);

function contentOf(items: readonly (readonly [id: string, text: string])[]): BuildState {
  const things = items.map(([id, text]) => ({ id, text }));
  const settings = { ...noSettings, changes: 3_600 };
  const catalog = { api, items: catalogItems({ things }, api), deployments: new Map(), settings };
  return stateOf(catalog, { name: "all", operations: ["things"], documents: new Map() }, 1);
}

const many = (count: number, text = "") =>
  contentOf(Array.from({ length: count }, (_, index) => [`i${String(index).padStart(5, "0")}`, text] as const));

const start = 1_700_000_000;
const time = (now: number, lifetime = 3_600) => ({ build: () => "b", now, lifetime });
const begun = changesAfter(undefined, () => contentOf([]), time(start));

it("names a thousand keys of a collection, and counts the others", () => {
  const before = many(1_700, "old");
  const after = contentOf([["new", ""]]);
  const { data } = changesAfter({ content: before, changes: begun }, () => after, time(start + 60));
  const { added, removed, more } = data[0]?.collections["things"] ?? {};
  expect([added, removed?.length, more]).toEqual([["new"], 999, 701]);
  const [fewer] = changesAfter({ content: many(1_000), changes: begun }, () => contentOf([]), time(start + 60)).data;
  expect(fewer?.collections["things"]).toEqual({ added: [], changed: [], removed: expect.any(Array) });
});

it("has at most 500 kB, and drops the oldest changes for that", () => {
  let changes = begun;
  let last = contentOf([]);
  const times: string[] = [];
  for (let build = 1; build <= 90; build++) {
    const next = many(900, String(build));
    changes = changesAfter({ content: last, changes }, () => next, time(start + build));
    times.push(changes.data[0]?.at ?? "");
    last = next;
  }
  const bytes = JSON.stringify(changes).length;
  expect(bytes).toBeLessThanOrEqual(500_000);
  expect(bytes).toBeGreaterThan(490_000);
  expect(changes.data.map(({ at }) => at).reverse()).toEqual(times.slice(-changes.data.length));
  expect(changes.since).toBe(times.at(-changes.data.length - 1));
});

it("drops changes after their lifetime, and is complete since the last one dropped", () => {
  let changes = begun;
  let last = contentOf([]);
  for (const [index, text] of ["a", "b", "c"].entries()) {
    const next = contentOf([["x", text]]);
    changes = changesAfter({ content: last, changes }, () => next, time(start + 1 + 1_000 * index));
    last = next;
  }
  const at = changes.data.map((each) => each.at);
  const later = (now: number) => changesAfter({ content: last, changes }, () => last, time(now));
  expect(later(start + 3_600)).toEqual(changes);
  expect(later(start + 4_599)).toMatchObject({ since: at[2], data: [{ at: at[0] }, { at: at[1] }] });
  expect(later(start + 9_000)).toEqual({ object: "changes", since: at[0], build: "b", data: [] });
});

it("has no time behind the clock: a time of a clock that was ahead becomes the present one", () => {
  let changes = begun;
  let last = contentOf([]);
  const build = (now: number) => {
    const next = contentOf([["x", `${changes.data.length}`]]);
    changes = changesAfter({ content: last, changes }, () => next, time(now));
    last = next;
    return [changes.since, ...changes.data.map(({ at }) => at).reverse()].map((at) => at.slice(14, 19));
  };
  expect(build(start)).toEqual(["13:20", "13:20"]);
  expect(build(start + 100)).toEqual(["13:20", "13:20", "15:00"]);
  expect(build(start + 10)).toEqual(["13:20", "13:20", "13:30", "13:30"]);
  expect(build(start - 500)).toEqual(["05:00", "05:00", "05:00", "05:00", "05:00"]);
});

it("counts the keys of a single change that do not fit into the list", () => {
  const lists = Array.from({ length: 12 }, (_, index) => `things${index}`);
  const keys = Array.from({ length: 900 }, (_, index) => `${"k".repeat(90)}${index}`);
  const collections = new Map(lists.map((name) => [name, { ...thingsWith(keys) }]));
  const none = { collections: new Map(), documents: {} };
  const changes = changesAfter(
    { content: none, changes: begun },
    () => ({ collections, documents: {} }),
    time(start + 60),
  );
  expect(JSON.stringify(changes).length).toBeLessThanOrEqual(500_000);
  const [newest] = changes.data;
  expect(Object.keys(newest?.collections ?? {})).toEqual(lists);
  for (const each of Object.values(newest?.collections ?? {})) {
    expect((each?.added.length ?? 0) + (each?.more ?? 0)).toBe(keys.length);
    expect(each?.added.length).toBeGreaterThan(0);
  }
});

const thingsWith = (ids: readonly string[]) => {
  const things = contentOf(ids.map((id) => [id, ""] as const)).collections.get("things");
  if (things === undefined) throw new Error("There are no things.");
  return things;
};

it("tells apart texts that differ in a bit, a length, or the order of words", () => {
  const base = "The quick brown fox jumps over the lazy dog, 0123456789 times.";
  const texts = new Set([base, `${base} `, base.slice(1)]);
  for (let at = 0; at < base.length; at++) {
    for (let bit = 0; bit < 7; bit++) {
      const code = base.charCodeAt(at) ^ (1 << bit);
      texts.add(base.slice(0, at) + String.fromCharCode(code) + base.slice(at + 1));
    }
    texts.add(base.slice(at) + base.slice(0, at));
    for (let to = at + 4; to < base.length; to += 4) {
      // Words change places.
      texts.add(
        base.slice(0, at) +
          base.slice(to, to + 4) +
          base.slice(at + 4, to) +
          base.slice(at, at + 4) +
          base.slice(to + 4),
      );
    }
  }
  const made = [...texts].map(
    (text) =>
      contentOf([["x", text]])
        .collections.get("things")
        ?.digests?.bytes.toString("hex") ?? "",
  );
  expect(texts.size).toBeGreaterThan(800);
  expect(new Set(made).size).toBe(texts.size);
  // Either half tells them apart on its own.
  for (const [from, to] of [
    [0, 8],
    [8, 16],
  ]) {
    expect(new Set(made.map((each) => each.slice(from, to))).size).toBe(texts.size);
  }
});
