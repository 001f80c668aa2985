// The pages of earlier builds that there is room for.
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { type LeftState, type Planned, planAfter } from "../../test/history/plan-after.ts";
import { completeApi } from "../declaration/complete.ts";
import { type FileMeasure, type HostAdapter, limitOf } from "../hosts/host.ts";
import type { Cost } from "../pages/cost.ts";

const schema = z.strictObject({ id: z.string(), text: z.string() });
const things = defineCollection({ purpose: "Things.", schema, key: "id" });
const api = completeApi(defineApi({ collections: { things } }));

const text = "x".repeat(1_000);

/** Ten items that no other build has. */
const contentOf = (build: number) => ({
  "api.yaml": "page_sizes: [1]\ncursor_lifetime: 1h\n",
  "things.json": JSON.stringify(Array.from({ length: 10 }, (_, index) => ({ id: `b${build}i${index}`, text }))),
});

const start = 1_700_000_000;
const builds = 7;
/** A page for each item with limit=1, and one without a limit. */
const pages = 20;
/** Behind cursors: the first pages have their addresses in every build. */
const retiredOfOne = 18;

let state: LeftState = new Map();
let alone: Planned["plan"];
beforeAll(async () => {
  alone = (await planAfter(api, contentOf(builds), new Map(), start)).plan;
  for (let build = 0; build < builds; build++)
    state = (await planAfter(api, contentOf(build), state, start + 60 * build)).state;
});

interface FileLimit {
  readonly what: FileMeasure;
  readonly max: number;
  readonly plan?: string;
}

const hostWith = (...limits: readonly FileLimit[]): HostAdapter => ({
  name: "small",
  gaps: [],
  limits: limits.map(({ what, ...limit }) => limitOf(what, { ...limit, source: "https://example.com" })),
});

/** The last build, for hosts with limits. */
const planFor = (...hosts: readonly HostAdapter[]) =>
  planAfter(api, contentOf(builds), state, start + 60 * builds, hosts);

const noRoom = expect.stringContaining(
  "content/api.yaml:1:1 cursors-left-out The pages of earlier builds would exceed a limit of the host",
);

const tooMany = expect.stringContaining(
  "content/api.yaml:1:1 cursors-left-out There are more than 4 pages of earlier builds for each page of the largest build, so some",
);

it("takes at most four for each page of the largest build, and counts them", async () => {
  const { plan, warnings } = await planFor();
  const { retired, count } = plan;
  expect(retired.length).toBe(4 * pages);
  expect(retired.length).toBeLessThan(builds * retiredOfOne);
  expect(count - alone.count).toBe(4 * pages);
  expect(warnings).toEqual([tooMany]);
  const first = await planAfter(api, contentOf(0), new Map(), start);
  const second = await planAfter(api, contentOf(1), first.state, start);
  expect(second.plan.retired).toHaveLength(retiredOfOne);
  expect(second.warnings).toEqual([]);
});

/** A page has one file, in one of two folders, and some more bytes than the text of its items. */
it.each<[Omit<FileLimit, "max">, used: (cost: Cost) => number, room: number, page: number]>([
  [{ what: "files" }, ({ files }) => files, 11, 1],
  [{ what: "files", plan: "Free" }, ({ files }) => files, 11, 1],
  [{ what: "files in one folder" }, ({ folder }) => folder.amount, 11, 1],
  [{ what: "bytes in all" }, ({ bytes }) => bytes, 20_000, 10 * text.length + 1_000],
])("takes as many as the limit of a host leaves room for: %j", async (limit, used, room, page) => {
  const roomy = await planFor(hostWith({ ...limit, max: 1e9 }));
  const max = used(roomy.plan.cost) + room;
  const { plan, warnings } = await planFor(hostWith({ ...limit, max }));
  const { retired, budget } = plan;
  expect(retired.length).toBeGreaterThan(3);
  expect(retired.length).toBeLessThan(4 * pages);
  expect(budget[0]?.used).toBeLessThanOrEqual(max);
  expect(budget[0]?.used).toBeGreaterThan(max - page);
  expect(warnings).toEqual([noRoom]);
});

it("refuses no page for a limit of a plan that the build itself exceeds, or of other files", async () => {
  const free = hostWith({ what: "files", max: alone.count - 1, plan: "Free" }, { what: "bytes in one file", max: 1e6 });
  expect((await planFor(free)).plan.retired).toHaveLength(4 * pages);
});

it("respects the limits of every host", async () => {
  const few = hostWith({ what: "files", max: alone.count + 10 });
  const flat = hostWith({ what: "files in one folder", max: alone.cost.folder.amount + 5 });
  expect((await planFor(few, flat)).plan.retired).toHaveLength(5);
});
