// The measured request: one page of some 12 KB, by a query of a filter and a limit, of content that never changes.
import path from "node:path";
import { apache } from "../build/hosts/apache/index.ts";
import { caddy } from "../build/hosts/caddy/index.ts";
import { nginx } from "../build/hosts/nginx/index.ts";
import { pageFile } from "../build/routing/paths.ts";
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
