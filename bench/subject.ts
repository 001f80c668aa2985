// The measured request: one page of some 12 KB, by a query of a filter and a limit, of content that never changes.
import path from "node:path";
import { cursorAfter } from "../build/files/sha256.ts";
import { apache } from "../build/hosts/apache/index.ts";
import { caddy } from "../build/hosts/caddy/index.ts";
import { nginx } from "../build/hosts/nginx/index.ts";
import { pageFile } from "../build/routing/paths.ts";
import { cursorListing } from "../src/model/cursor.ts";
import { orderKey } from "../src/model/order.ts";
import { buildForTest } from "../test/check/built.ts";
import type { Dataset } from "../test/check/dataset.ts";
import { writeSample } from "../test/check/sample.ts";
import { edgeNetwork } from "../test/edge-network.ts";

const operation = "records";
const filter = { param: "collection", value: "assets" };
const limit = 95;

/** The counted request, and the same page as a file. */
export const request = {
  method: "GET",
  path: `/api/v1/${operation}`,
  query: `${filter.param}=${filter.value}&limit=${limit}`,
};
export const page = pageFile(edgeNetwork.base, { operation, chosen: [filter], limit });

export interface Subject {
  readonly dist: string;
  readonly dataset: Dataset;
}

/** Builds the content into a folder, with the configuration of the servers. */
export async function makeSubject(folder: string): Promise<Subject> {
  const content = path.join(folder, "content");
  const dist = path.join(folder, "dist");
  writeSample(content, { count: 250, pageSizes: "every" });
  const { dataset } = await buildForTest(content, dist, [nginx, caddy, apache]);
  return { dist, dataset };
}

interface MemoryListing {
  readonly items: readonly unknown[];
  /** The cursors of all positions after the first. */
  readonly cursors: readonly string[];
}

/** The records by collection, and all records under "", for a server with data in memory. */
export function listingsInMemory({ items }: Dataset): Readonly<Record<string, MemoryListing>> {
  const all = items.get(operation) ?? [];
  const records = edgeNetwork.lists.find(({ name }) => name === operation);
  if (records === undefined) throw new Error(`There is no operation ${operation}.`);
  const listing = (value: string): MemoryListing => {
    const listed = value === "" ? all : all.filter((item) => item[filter.param] === value);
    const filters = value === "" ? [] : [{ param: filter.param, value }];
    const name = cursorListing(records, undefined, filters);
    return { items: listed, cursors: listed.map((item) => cursorAfter(name, orderKey(records, item))) };
  };
  const collections = new Set(all.map((item) => String(item[filter.param])));
  return Object.fromEntries(["", ...collections].map((value) => [value, listing(value)]));
}
