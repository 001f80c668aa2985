import { expect, it } from "vitest";
import { edgeNetwork } from "../../test/edge-network.ts";
import type { Limit } from "../hosts/host.ts";
import type { Cost } from "../pages/cost.ts";
import type { Listing } from "../pages/listing.ts";
import { fitting, type RetiredPage } from "./retired.ts";

const operation = edgeNetwork.lists.find((each) => each.paged);
if (operation === undefined) throw new Error("No operation is paged.");

/** Each item has 100 bytes. */
const items: Listing["items"] = {
  count: 50,
  orderKey: String,
  hash: (listing) => listing,
  slice: () => new Uint8Array(),
  length: (start, end) => (end - start) * 100,
};
const listing: Listing = {
  operation,
  chosen: [],
  name: operation.name,
  stem: `api/v1/${operation.name}`,
  items,
  cuts: undefined,
};
const folder = `api/v1/${operation.name}/cursor`;

const cost: Cost = {
  files: 60,
  bytes: 10_000,
  folders: new Map([[folder, 20]]),
  folder: { name: folder, amount: 20 },
  file: { name: "", amount: 0 },
  listing: { name: "", amount: 0 },
  items: { name: "", amount: 0 },
};

function* pages(count: number): Generator<RetiredPage> {
  for (let index = 0; index < count; index++) yield { listing, limit: 100, cursor: `k${index}`, start: 0, end: 10 };
}

const limited = (...limits: readonly Omit<Limit, "source">[]): readonly Limit[] =>
  limits.map((limit) => ({ ...limit, source: "https://example.com" }));

const room = (limits: readonly Limit[], count = 1_000, today = 100) => fitting(limits, pages(count), today, cost);

/** The bytes of a page with ten of the items. */
const page = 1_123;

it("takes at most four for each page of the largest build, the first ones", () => {
  const { pages: taken, warnings } = room([]);
  expect(taken.map(({ cursor }) => cursor)).toEqual(Array.from({ length: 400 }, (_, index) => `k${index}`));
  expect(warnings).toEqual([expect.stringContaining("There is no room for all pages of earlier builds")]);
  expect(room([], 400)).toMatchObject({ pages: { length: 400 }, warnings: [] });
});

it.each<[Omit<Limit, "source">, number]>([
  [{ what: "files", most: 75 }, 15],
  [{ what: "files", most: 75, plan: "Free" }, 15],
  // If today's files already exceed the limit of a plan, retired pages are not refused for it.
  [{ what: "files", most: 59, plan: "Free" }, 400],
  [{ what: "files in one folder", most: 31 }, 11],
  [{ what: "bytes in all", most: 10_000 + 8 * page - 1 }, 7],
  [{ what: "bytes in one file", most: 1 }, 400],
])("takes no host past %j: %i", (limit, count) => {
  const { pages: taken, cost: after } = room(limited(limit));
  expect(taken.length).toBe(count);
  expect(after).toMatchObject({ files: 60 + count, bytes: 10_000 + count * page });
  expect(after.folder).toEqual({ name: folder, amount: 20 + count });
});

it("respects the limits of every host", () => {
  const limits = limited({ what: "files", most: 70 }, { what: "files in one folder", most: 25 });
  expect(fitting(limits, pages(100), 100, cost).pages.length).toBe(5);
});
