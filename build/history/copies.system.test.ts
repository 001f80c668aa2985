// No copy is wrong: over random histories of publications, rollbacks, branches that replace each other and clocks that are
// ahead, with readers at any moment, whatever the caches between do with queries.
import { expect, it } from "vitest";
import * as z from "zod";
import type { ApiTypes } from "../../src/answers/answers.ts";
import { createClient } from "../../src/answers/client.ts";
import { defineApi, defineCollection } from "../../src/index.ts";
import { type LeftState, type Planned, planAfter } from "../../test/history/plan-after.ts";
import type { TestPlan } from "../../test/plan.ts";
import { random } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import { allItems } from "../content/table/items.ts";
import { completeApi } from "../declaration/complete.ts";
import { bytesOf } from "../files/file.ts";
import { resolve, settle, splitTarget } from "../routing/resolve.ts";

const origin = "https://api.example.com";

const apiWith = (item: boolean, brief: boolean) =>
  completeApi(
    defineApi({
      collections: {
        things: defineCollection({
          purpose: "Things.",
          schema: z.strictObject({ id: z.string(), text: z.string() }),
          key: "id",
          item,
          ...(brief && { brief: ["id"] }),
        }),
      },
    }),
  );

/** How long a cache keeps an answer with max-age=60, in seconds. */
const cacheAge = 60;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array | undefined;
}

function answerOf({ table, files: { find } }: TestPlan, target: string): Answer {
  const { status, file, headers } = settle(
    resolve(table, { method: "GET", ...splitTarget(target) }),
    (file) => find(file) !== undefined,
  );
  const found = file === undefined ? undefined : find(file);
  return { status, headers, bytes: found && bytesOf(found) };
}

/** A cache in front of a server that may change with each request. */
function cacheOf(serverNow: () => TestPlan, secondsNow: () => number, hasQueryInKey: boolean) {
  const kept = new Map<string, { readonly answer: Answer; readonly until: number }>();
  return async (url: string | URL | Request): Promise<Response> => {
    const target = String(url).slice(origin.length);
    const key = hasQueryInKey ? target : target.replace(/\?.*/, "");
    const fresh = kept.get(key);
    const answer = fresh !== undefined && fresh.until > secondsNow() ? fresh.answer : answerOf(serverNow(), target);
    const [, seconds] = /max-age=(\d+)/.exec(answer.headers["Cache-Control"] ?? "") ?? [];
    if (fresh?.answer !== answer && seconds !== undefined) {
      kept.set(key, { answer, until: secondsNow() + Math.min(cacheAge, Number(seconds)) });
    }
    const headers = { ...answer.headers, Date: new Date(secondsNow() * 1_000).toUTCString() };
    return new Response(answer.bytes && new Uint8Array(answer.bytes), { status: answer.status, headers });
  };
}

interface Reader {
  readonly sync: (copy: Map<string, unknown>, since: string) => Promise<string>;
  readonly copy: Map<string, unknown>;
  since: string;
}

const histories = 13 * rounds;

it(`has today's items after a sync, in ${histories} histories`, { timeout: 600_000 }, async () => {
  const seen = { rollback: 0, branch: 0, ahead: 0, sameSecond: 0, between: 0, checked: 0 };
  for (let history = 0; history < histories; history++) {
    const { pick, int, chance } = random(seed + history);
    const api = apiWith(chance(0.7), chance(0.3));
    let texts = new Map(Array.from({ length: 1 + int(12) }, (_, index) => [`i${index}`, "0"]));
    let clock = 1_700_000_000;
    let ahead = 0;
    let edits = 0;
    const build = (before: LeftState): Promise<Planned> => {
      texts = new Map(texts);
      for (let edit = 0; edit < 1 + int(3); edit++) {
        const key = `i${int(14)}`;
        if (texts.size > 1 && chance(0.3)) texts.delete(key);
        else texts.set(key, String(edits++));
      }
      const things = JSON.stringify([...texts].map(([id, text]) => ({ id, text })));
      return planAfter(api, { "things.json": things }, before, clock + ahead);
    };
    let live = await build(new Map());
    const published = [live];
    /** A publication reaches these two servers one after the other. */
    const servers = [live.plan, live.plan];
    const reader = (hasQueryInKey: boolean | undefined): Reader => {
      const serverNow = () => pick(servers) ?? live.plan;
      const fetch =
        hasQueryInKey === undefined
          ? (url: string | URL | Request) => cacheOf(serverNow, () => clock, true)(url)
          : cacheOf(serverNow, () => clock, hasQueryInKey);
      const { things } = createClient<ApiTypes>(origin, { fetch, retries: 1, addresses: "queries" });
      return { sync: (copy, since) => things?.sync(copy, since) ?? Promise.reject(), copy: new Map(), since: "" };
    };
    const readers = [reader(undefined), reader(true), reader(false)];
    const read = async (reader: Reader) => {
      reader.since = await reader.sync(reader.copy, reader.since);
    };
    for (let step = 0; step < 6; step++) {
      const kind = int(5);
      let next: Planned;
      if (kind === 0 && published.length > 1) {
        seen.rollback++;
        next = published.at(-2) ?? live;
      } else if (kind === 1) {
        // Both start from the same build, perhaps in one second.
        seen.branch++;
        const before = live.state;
        live = await build(before);
        published.push(live);
        servers.fill(live.plan);
        for (const reader of readers) if (chance(0.5)) await read(reader);
        if (chance(0.5)) clock += int(3);
        else seen.sameSecond++;
        next = await build(before);
      } else {
        if (kind === 2) {
          ahead = ahead === 0 ? pick([3_600, 86_400]) : 0;
          seen.ahead++;
        }
        next = await build(live.state);
      }
      live = next;
      published.push(live);
      for (const server of chance(0.5) ? [0, 1] : [1, 0]) {
        servers[server] = live.plan;
        for (let moment = 0; moment < 3; moment++) {
          clock += int(20);
          for (const reader of readers) {
            if (!chance(0.4)) continue;
            seen.between++;
            await read(reader);
          }
        }
      }
      clock += cacheAge + 1 + int(pick([10, 400, 4_000]));
      const today = allItems(live.plan.catalog.items.get("things")).map((item) => [item["id"], item]);
      for (const reader of readers) {
        if (!chance(0.6)) continue;
        seen.checked++;
        await read(reader);
        expect(Object.fromEntries(reader.copy)).toEqual(Object.fromEntries(today));
      }
    }
  }
  console.info(`Copies were compared: ${JSON.stringify(seen)}.`);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
