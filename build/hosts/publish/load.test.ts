// Readers who walk through cursors of a real nginx while builds of changing content are published to what it serves.
import { mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { besideFolder } from "../../output/publication.ts";
import { findProgram, startProgram } from "../../preview/program.ts";
import type { HostProgram } from "../host.ts";
import { nginx } from "../nginx/index.ts";
import { buildAt, missing, pathsOf, publishedOf, run, scriptOf, writeEdited } from "./fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-publish-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sizes = [5, 20];
const count = 130;

/** The places of the items that each build lacks. The first one has all. */
const edits = [[], [0, 1, 60], [1, 59, 61, 104], [0, 2, 3, 60, 129], [20, 40, 99, 100, 101]];
const always = Array.from({ length: count }, (_, place) => place).filter((place) => !edits.flat().includes(place));

const { program } = nginx as { program: HostProgram };
const strict = process.env.EDGE_API_SKIP_NOTHING !== undefined;
const reason = missing ?? (strict || findProgram(program) !== undefined ? undefined : "nginx is not installed");

it.skipIf(reason !== undefined)(
  "readers get nothing but 200 and 304, and every item once and in order, while builds are published",
  async () => {
    const dists = edits.map((_, index) => path.join(folder, String(index), "dist"));
    for (const [index, out] of dists.entries()) {
      const content = path.join(folder, `content-${index}`);
      writeEdited(content, count, edits[index] ?? [], sizes);
      const previous = dists[index - 1] ?? out;
      await buildAt(content, out, { host: nginx, previous, now: 1_700_000_000 + 60 * index, precompress: true });
    }
    const [first = "", ...others] = dists;
    const target = path.join(folder, "target");
    const publish = async (dist: string) => {
      const { code, stdout, stderr } = await run(scriptOf(dist, nginx), [target]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    };
    await publish(first);
    const beside = path.join(besideFolder(first), nginx.name);
    const server = await startProgram(program, { publishRoot: target, beside, port: 0 });
    let over = false;
    let published = 0;
    const faults: string[] = [];
    const seen = { walks: 0, across: 0, answers: new Map<number, number>() };
    /** Of each address the last answer, and of each entity tag the one body. */
    const kept = new Map<string, { etag: string; body: string }>();
    const bodies = new Map<string, string>();

    const get = async (target: string): Promise<string> => {
      const known = kept.get(target);
      const headers = known !== undefined && Math.random() < 0.5 ? { "If-None-Match": known.etag } : undefined;
      const response = await fetch(server.origin + target, headers === undefined ? {} : { headers });
      seen.answers.set(response.status, (seen.answers.get(response.status) ?? 0) + 1);
      const text = await response.text();
      if (response.status === 304 && known !== undefined) return known.body;
      if (response.status !== 200) throw new Error(`${target}: ${response.status} ${text}`);
      const etag = response.headers.get("etag") ?? "";
      const id = `${target} ${etag}`;
      if ((bodies.get(id) ?? text) !== text) throw new Error(`${target}: another body has the tag ${etag}`);
      bodies.set(id, text);
      kept.set(target, { etag, body: text });
      return text;
    };

    const walk = async (listing: Listing): Promise<void> => {
      const start = published;
      const limit = pick(["", ...sizes.map((size) => `limit=${size}`)]);
      const items: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const drop = cursor !== undefined && Math.random() < 0.1;
        const query = [drop ? "" : limit, cursor === undefined ? "" : `cursor=${cursor}`].filter((part) => part !== "");
        const { data, pagination } = JSON.parse(await get(`${listing.path}?${query.join("&")}`));
        items.push(...data.map((item: unknown) => JSON.stringify(item)));
        cursor = pagination.next_cursor as string | null;
        await sleep(Math.random() * 40);
      }
      const places = items.map((item) => listing.places.get(item) ?? -1);
      if (places.some((place, index) => place <= (places[index - 1] ?? -1))) throw new Error("not in order, or twice");
      const isThere = new Set(places);
      const lost = listing.always.filter((place) => !isThere.has(place));
      if (lost.length > 0) throw new Error(`without the items at ${lost}`);
      seen.walks++;
      if (published > start) seen.across++;
    };
    const listings = listingsOf(first);

    /** The entity tags before and after the last content is published again, from an empty folder. */
    const publishAgain = async () => {
      const again = path.join(folder, "again", "dist");
      const [last = "", content] = [dists.at(-1), path.join(folder, `content-${dists.length - 1}`)];
      await buildAt(content, again, { host: nginx, previous: last, now: 1_700_000_300, precompress: true });
      for (const file of pathsOf(again)) utimesSync(path.join(again, file), 1_000, 1_000);
      const tags = async () => await Promise.all(listings.map((listing) => tagOf(`${server.origin}${listing.path}`)));
      const before = await tags();
      expect(await publish(again)).toBe(`${target} is up to date. Nothing was sent.\n`);
      return { before, after: await tags() };
    };
    const reader = async () => {
      while (!over) {
        const listing = pick(listings);
        await walk(listing).catch((error) => faults.push(`${listing.path}: ${error.message}`));
      }
    };
    const readers = Array.from({ length: 8 }, reader);
    try {
      for (const dist of others) {
        await publish(dist);
        published++;
      }
      await sleep(500);
      over = true;
      await Promise.all(readers);
      const { before, after } = await publishAgain();
      expect(after).toEqual(before);
    } finally {
      over = true;
      await Promise.all(readers);
      await server.stop();
    }
    expect(faults).toEqual([]);
    expect(seen.across).toBeGreaterThan(10);
    expect([...seen.answers.keys()].sort()).toEqual([200, 304]);
  },
  300_000,
);

interface Listing {
  readonly path: string;
  /** Of each item, as JSON. */
  readonly places: ReadonlyMap<string, number>;
  /** The places of items that all builds have. */
  readonly always: readonly number[];
}

/** Those of a build that has all items. */
function listingsOf(dist: string): readonly Listing[] {
  const files = publishedOf(dist);
  return Object.entries(files).flatMap(([file, text]) => {
    const [, name] = /^api\/v1\/dumps\/(\w+)\.ndjson$/.exec(file) ?? [];
    const lines = text.trim().split("\n");
    if (name === undefined || lines.length !== count) return [];
    const places = new Map(lines.map((line, place) => [JSON.stringify(JSON.parse(line)), place]));
    const inContent: unknown[] = JSON.parse(readFileSync(path.join(folder, "content-0", `${name}.json`), "utf8"));
    const there = new Set(always.map((place) => JSON.stringify(inContent[place])));
    const own = [...places].filter(([item]) => there.has(item)).map(([, place]) => place);
    expect(own).toHaveLength(always.length);
    return [{ path: `/api/v1/${name}`, places, always: own }];
  });
}

async function tagOf(address: string): Promise<string> {
  const response = await fetch(address);
  await response.text();
  const tag = response.headers.get("etag");
  expect(tag).toMatch(/^(?:W\/)?"[0-9a-f]+-[0-9a-f]+"$/);
  return tag ?? "";
}

function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(Math.random() * from.length)];
  if (one === undefined) throw new Error("Nothing to choose from.");
  return one;
}
