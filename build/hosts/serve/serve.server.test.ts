import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/index.ts";
import { everyPageSize } from "../../../src/model/paging.ts";
import { keepConnections } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { conform, isFileOf } from "../../../test/check/conform.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startProgram } from "../../cli/preview/program.ts";
import { completeApi } from "../../declaration/complete.ts";
import { bytesOf } from "../../files/file.ts";
import { resolve, settle } from "../../routing/resolve.ts";
import { makeTable } from "../../routing/table.ts";
import { serve } from "./index.ts";

const folder = temporaryFolder();

it("answers operations, items and documents as hosts with rules do, and ignores queries", async () => {
  const content = path.join(folder, "content");
  const dist = path.join(folder, "dist");
  writeSample(content, { count: 12, pageSizes: [2, 5] });
  const { plan, dataset } = await buildForTest(content, dist, [serve]);
  const { program = expect.fail() } = serve;
  const { origin, stop } = await startProgram(program, {
    base: edgeNetwork.base,
    publishRoot: dist,
    configuration: folder,
    port: 0,
  });
  onTestFinished(stop);
  const { send, close } = keepConnections(() => origin);
  onTestFinished(close);
  const isFile = isFileOf(dist);
  const isThere = (path: string) =>
    settle(resolve(plan.table, { method: "GET", path, query: "" }), isFile).status === 200;
  const requests = conformanceRequests(dataset).filter(
    ({ method, path }) => ["GET", "HEAD"].includes(method) && isThere(path),
  );
  const { failures, occurrences } = await conform({ dataset, dist, gaps: serve.gaps, send }, requests);
  expect(failures).toEqual([]);
  expect(occurrences.get(serve.gaps[0] ?? expect.fail())).toBeGreaterThan(0);
});

it("has no more rules of headers than serve accepts, whatever the declaration", () => {
  const lists = Array.from({ length: 60 }, (_, index) => {
    const schema = z.strictObject({ id: z.string() });
    const cache = `public, max-age=${index}`;
    return [
      `list-with-a-long-name-${index}`,
      defineCollection({ purpose: "Items.", schema, key: "id", cache }),
    ] as const;
  });
  const declared = completeApi(defineApi({ collections: Object.fromEntries(lists) }));
  const names = lists.map(([name]) => name);
  const [file = expect.fail()] = serve.files?.([makeTable(declared, names, () => everyPageSize, [])]) ?? [];
  const { headers } = JSON.parse(bytesOf(file).toString());
  expect(headers).toHaveLength(50);
  for (const { source } of headers) expect(source.length).toBeLessThanOrEqual(100);
});
