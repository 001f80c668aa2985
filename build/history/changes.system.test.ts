// Copies follow the list of changes: over random histories, a copy of an earlier build has the items of today after its
// consumer has read the list. If the list does not go back so far, the consumer learns it.
import { expect, it } from "vitest";
import * as z from "zod";
import type { ApiTypes, Changes } from "../../src/answers/answers.ts";
import { createClient } from "../../src/answers/client.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/index.ts";
import type { Api } from "../../src/model/api.ts";
import { type Item, keyFields, keyOf } from "../../src/model/key.ts";
import { origin, published } from "../../test/client/published.ts";
import { type LeftState, type Planned, planAfter } from "../../test/history/plan-after.ts";
import type { TestPlan } from "../../test/plan.ts";
import { random } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import { allItems } from "../content/table/items.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";

const schema = z.strictObject({
  of: z.enum(["a", "b"]),
  id: z.string(),
  n: z.int(),
  name: z.string(),
  rank: z.number().nullable(),
});

/** The choices of a declaration. */
const choices = {
  key: ["id", "n", ["of", "id"]],
  order: [[], ["-rank", "name"], [{ field: "name", fold: true, natural: true }], ["-id"], ["-n"], ["rank", "-of"]],
  filters: [{}, { of: "of" }],
  paged: [true, true, false],
  item: [true, false],
  brief: [false, false, ["of", "id", "n", "name", "rank"]],
} as const;

type Declared = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

const apiOf = ({ brief, ...declared }: Declared): Api =>
  completeApi(
    // The choices are data, so their types are too wide for a declaration.
    Reflect.apply(defineApi, undefined, [
      {
        collections: {
          things: Reflect.apply(defineCollection, undefined, [
            { purpose: "Things.", schema, ...declared, ...(brief && { brief }) },
          ]),
        },
        documents: { notice: defineDocument({ purpose: "A notice.", schema: z.strictObject({ text: z.string() }) }) },
      },
    ]),
  );

interface Content {
  readonly declared: Declared;
  readonly things: readonly Item[];
  readonly notice: string;
  readonly pageSizes: readonly number[];
  readonly kept: string;
  /** Cuts the items into files. */
  readonly files: number;
}

function built(content: Content, before: LeftState, now: number): Promise<Planned> {
  const { things, files, notice, pageSizes, kept } = content;
  const parts = Array.from({ length: files }, (_, file) => things.filter((_, index) => index % files === file));
  const tree = {
    "api.json": JSON.stringify({ page_sizes: pageSizes, changes: kept }),
    "deployments/edge.json": JSON.stringify({ operations: ["things", "notice"], notice: { text: notice } }),
    ...Object.fromEntries(parts.map((part, index) => [`things/${index}.json`, JSON.stringify(part)])),
  };
  return planAfter(apiOf(content.declared), tree, before, now);
}

/** Today's items by key, as JSON. */
function itemsIn({ catalog }: TestPlan): ReadonlyMap<string, Item> {
  const [things] = catalog.api.lists;
  return new Map(
    allItems(catalog.items.get("things")).map((item) => [things ? (keyOf(things, item) ?? "") : "", item]),
  );
}

const keyed = (content: Content): string => String(keyFields(apiOf(content.declared).lists[0] ?? never()));

function never(): never {
  throw new Error("There is no collection.");
}

const changesIn = ({ files }: TestPlan): Changes => {
  const found = files.find("api/v1/changes.json");
  return JSON.parse(found === undefined ? "null" : bytesOf(found).toString());
};

/** In the order of the lists. */
const editsBetween = (before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>) => ({
  added: [...after.keys()].filter((key) => !before.has(key)),
  changed: [...after].flatMap(([key, item]) =>
    before.has(key) && JSON.stringify(before.get(key)) !== JSON.stringify(item) ? [key] : [],
  ),
  removed: [...before.keys()].filter((key) => !after.has(key)),
});

async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** As a build without a list of changes leaves it. */
const withoutDigests = (state: LeftState): LeftState =>
  new Map(
    [...state].map(([file, bytes]) => {
      const { items: _, documents: __, changes: ___, ...others } = JSON.parse(Buffer.from(bytes).toString());
      return [file, Buffer.from(JSON.stringify(others))];
    }),
  );

const histories = 10 * rounds;

it(`brings copies up to date over ${histories} histories`, { timeout: 600_000 }, async () => {
  const seen = { within: 0, outside: 0, reset: 0, restarted: 0, single: 0, dump: 0, expired: 0 };
  for (let history = 0; history < histories; history++) {
    const { pick, int, chance } = random(seed + history);
    const newThing = (): Item => ({
      of: pick(["a", "b"] as const),
      id: `i${int(1e9).toString(36)}`,
      n: int(1e9) - 5e8,
      name: pick(["Zoë", "zoe", "a 2", "a 10", "", "Ü", "水", "!"]),
      rank: chance(0.2) ? null : int(20) - 10,
    });
    const declaredAnew = (): Declared => ({
      key: pick(choices.key),
      order: pick(choices.order),
      filters: pick(choices.filters),
      paged: pick(choices.paged),
      item: pick(choices.item),
      brief: pick(choices.brief),
    });
    const edited = (content: Content): Content => {
      const at = int(content.things.length);
      const thing = content.things[at];
      const fresh = newThing();
      switch (int(12)) {
        case 0:
        case 1:
          return { ...content, things: [...content.things, fresh] };
        case 2:
          return { ...content, things: content.things.toSpliced(at, 1 + int(3)) };
        case 3:
        case 4:
          return thing === undefined
            ? content
            : { ...content, things: content.things.with(at, { ...thing, name: fresh["name"], rank: fresh["rank"] }) };
        case 5:
          return thing === undefined
            ? content
            : { ...content, things: content.things.with(at, { ...thing, id: fresh["id"], n: fresh["n"] }) };
        case 6:
          return { ...content, files: 1 + int(3), things: content.things.toReversed() };
        case 7:
          return { ...content, pageSizes: pick([[100], [2, 100], [1, 5, 100]]) };
        case 8:
          return { ...content, notice: pick(["open", "closed"]) };
        case 9:
          return chance(0.8) ? { ...content, declared: declaredAnew() } : content;
        case 10:
          return { ...content, kept: pick(["30d", "1h"]) };
        default:
          return content;
      }
    };
    let content: Content = {
      declared: declaredAnew(),
      things: Array.from({ length: int(30) * (chance(0.2) ? 10 : 1) }, newThing),
      notice: "open",
      pageSizes: [100],
      kept: "30d",
      files: 1,
    };
    let now = 1_700_000_000;
    let { plan, state, warnings } = await built(content, new Map(), now);
    const { fetch, asked } = published(() => plan);
    const client = createClient<ApiTypes>(origin, { fetch, addresses: "queries" });
    const things = client["things"];
    if (things === undefined) throw new Error("There are no things.");
    /** The copies of consumers, each with its part of the last list of changes. */
    const copies = [{ items: new Map<string, unknown>(), since: "", key: "" }];
    const before: { items: ReadonlyMap<string, Item>; at: string; key: string }[] = [];
    for (let depth = 0; depth < 6; depth++) {
      const today = itemsIn(plan);
      const { since, build, data } = changesIn(plan);
      const head = data[0]?.at ?? since;
      const states = [...data, { at: since, build }].map((state) => `${state.at}/${state.build}`);
      const [newest] = states;
      expect([since, ...data.map(({ at }) => at).reverse()]).toEqual(
        [...new Set([since, ...data.map(({ at }) => at)])].sort(),
      );
      const last = before.at(-1);
      if (last !== undefined && since <= last.at && last.key === keyed(content)) {
        const change = data.find(({ at }) => at > last.at)?.collections["things"];
        expect(change ?? { added: [], changed: [], removed: [] }).toEqual(editsBetween(last.items, today));
      }
      // By the list alone.
      for (const { items, at, key } of before) {
        if (at < since || at > head) continue;
        const named = new Set<string>();
        const keys = new Set(items.keys());
        let isReset = key !== keyed(content);
        for (const { collections } of data.filter((change) => change.at > at).reverse()) {
          const { added = [], changed = [], removed = [], reset } = collections["things"] ?? {};
          isReset ||= reset === true;
          for (const key of [...added, ...changed]) named.add(key);
          for (const key of added) keys.add(key);
          for (const key of removed) keys.delete(key);
        }
        if (isReset) {
          expect(data.some(({ collections }) => collections["things"]?.reset)).toBe(true);
          continue;
        }
        expect([...keys].sort()).toEqual([...today.keys()].sort());
        const unnamed = [...today].filter(([key]) => !named.has(key));
        expect(unnamed.map(([key, item]) => [key, items.get(key), item])).toEqual(
          unnamed.map(([key, item]) => [key, item, item]),
        );
      }
      // By the client.
      for (const copy of copies) {
        const isWithin = states.includes(copy.since);
        seen[isWithin ? "within" : "outside"]++;
        asked.length = 0;
        // Without the changes that the copy has not yet confirmed.
        copy.since = (await things.sync(copy.items, copy.since)).split("/").slice(0, 2).join("/");
        expect(copy.since).toBe(newest);
        const found = [...copy.items].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(found).toEqual([...today].sort(([a], [b]) => (a < b ? -1 : 1)));
        const ofItems = asked.filter((path) => path !== "/api/v1/changes.json");
        expect(new Set(ofItems).size).toBe(ofItems.length);
        if (asked.some((path) => path.startsWith("/api/v1/things/"))) seen.single++;
        if (asked.some((path) => path.startsWith("/api/v1/dumps/"))) seen.dump++;
        if (!isWithin) expect(ofItems).toEqual(["/api/v1", `/api/v1/dumps/things.ndjson?${newest}`]);
      }
      for (const { at } of before) {
        const ofClient = collected(client.changes({ since: at }));
        if (at < since) {
          seen.expired++;
          await expect(ofClient).rejects.toMatchObject({ code: "changes_expired" });
        } else {
          expect((await ofClient).reverse()).toEqual(data.filter((change) => change.at > at));
        }
      }
      if (data.some(({ collections }) => collections["things"]?.reset)) seen.reset++;
      before.push({ items: today, at: head, key: keyed(content) });
      // A copy that is brought up to date at each build, and others that miss some.
      const [first] = copies;
      if (first !== undefined && chance(0.5)) copies.push({ ...first, items: new Map(first.items) });
      if (copies.length > 3) copies.splice(1, 1);
      const edits = int(4);
      for (let index = 0; index < edits; index++) content = edited(content);
      const fate = int(12);
      const left = fate === 0 ? new Map() : fate === 1 ? withoutDigests(state) : state;
      now += fate < 2 ? 60 : pick([1, 60, 1_800, 86_400]);
      ({ plan, state, warnings } = await built(content, left, now));
      expect(warnings.length).toBeLessThan(3);
      if (fate === 1) {
        seen.restarted++;
        expect(warnings).toContainEqual(expect.stringContaining("the list of changes starts with this build."));
      }
    }
  }
  console.info(`Copies were brought up to date: ${JSON.stringify(seen)}.`);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
