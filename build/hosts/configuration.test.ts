import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection, reference } from "../../src/index.ts";
import { everyPageSize, pageSizes } from "../../src/paging.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { planBuild } from "../build.ts";
import { textFile } from "../file.ts";
import { resolve } from "../routing/resolve.ts";
import { makeTable } from "../routing/table.ts";
import { configure } from "./configuration.ts";
import type { HostAdapter } from "./host.ts";
import { hosts, local } from "./hosts.ts";

const { operations } = edgeNetwork;

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-configuration-"));
afterAll(() => rmSync(folder, { recursive: true }));

function sampleOf(count: number): string {
  const content = path.join(folder, String(count));
  writeSample(content, { count, pageSizes: "every" });
  return content;
}

const all = [...hosts.values()];
const names = operations.map(({ name }) => name);
/** A document at the base of the API, for which a host may need a separate file. */
const overview = { path: "/api/v1", file: "api/v1.json", contentType: "application/json", cacheControl: "no-store" };
const table = makeTable(edgeNetwork, names, () => everyPageSize, [overview]);

const host = (name: string, file: string, text: string, reads: readonly string[] = []): HostAdapter => ({
  name,
  owns: () => [file],
  reads: () => reads,
  files: () => [textFile(file, text)],
  gaps: [],
});

describe("the configurations of several hosts", () => {
  it.each([local, ...all])(
    "are of paths that $name declares as its own, and clash with none of the local one",
    (adapter) => {
      const { files } = configure(adapter === local ? [] : [adapter], table);
      const owned = [...local.owns(edgeNetwork.base), ...(adapter === local ? [] : adapter.owns(edgeNetwork.base))];
      expect(files.map(({ file }) => file).sort()).toEqual([...owned].sort());
    },
  );

  it.each([local, ...all])(
    "of $name have no pattern of a declaration, which could take exponential time",
    (adapter) => {
      const key = z.string().regex(/^(?:[a-z0-9]+-?)+$/);
      const makers = defineCollection({
        purpose: "Makers.",
        schema: z.strictObject({ id: key }),
        key: "id",
        item: true,
      });
      const maker = reference("makers");
      const cars = defineCollection({
        ...{ purpose: "Cars.", schema: z.strictObject({ id: key, maker }), key: "id", filters: { maker: "maker" } },
      });
      const declared = completeApi(defineApi({ collections: { makers, cars } }));
      const own = makeTable(declared, ["makers", "cars"], () => everyPageSize, [overview]);
      const { files, beside } = configure(adapter === local ? [] : [adapter], own);
      for (const file of [...files, ...beside]) {
        expect(Buffer.concat(file.parts()).toString()).not.toMatch(/-[?]\)[+]/);
      }
      const query = `maker=${"a".repeat(99)}!`;
      expect(resolve(own, { method: "GET", path: "/api/v1/cars", query }).answer.status).toBe(400);
    },
  );

  it("may share a file with the same text", () => {
    const { files } = configure([host("a", "_headers", "x"), host("b", "_headers", "x")], table);
    expect(files.filter(({ file }) => file === "_headers")).toHaveLength(1);
  });

  it.each([
    [
      [host("a", "_headers", "x"), host("b", "_headers", "y")],
      "a and b both generate _headers, with different contents.",
    ],
    [
      [host("a", "_headers", "x"), host("b", "_worker.js", "y", ["_headers"])],
      "a generates _headers, which b reads too.",
    ],
    [
      [host("b", "_worker.js", "y", ["_headers"]), host("a", "_headers", "x")],
      "a generates _headers, which b reads too.",
    ],
  ])("are refused if they clash", (hosts, clash) => {
    expect(() => configure(hosts, table)).toThrow(clash);
  });

  it("may share a file that both read", () => {
    const both = [host("a", "_headers", "x", ["_headers"]), host("b", "_headers", "x", ["_headers"])];
    expect(() => configure(both, table)).not.toThrow();
  });

  it.each([
    ["cloudflare-pages", "_redirects"],
    ["cloudflare-workers", "_redirects"],
    ["plain", "_redirects"],
  ])("of netlify and %s make a build fail", async (name, file) => {
    const chosen = [hosts.get("netlify"), hosts.get(name)].flatMap((each) => each ?? []);
    const plan = planBuild({ api: edgeNetwork, content: sampleOf(7), deployment: undefined, hosts: chosen });
    await expect(plan).rejects.toThrow(`netlify generates ${file}, which ${name} reads too.`);
  });
});

describe.each(all)("the configuration of $name", (adapter) => {
  const bytesFor = async (content: string) => {
    const [plan] = await planBuild({ api: edgeNetwork, content, deployment: undefined, hosts: [adapter] });
    if (plan === undefined) throw new Error(`${content} makes no plan.`);
    const written = [...adapter.files(plan.table), ...(adapter.beside?.(plan.table) ?? [])];
    return written.map(({ file, parts }) => [file, Buffer.concat(parts()).toString()]);
  };

  it("is the same, byte for byte, for any data with the same page sizes", async () => {
    const [first, ...others] = await Promise.all([0, 7, 900].map((count) => bytesFor(sampleOf(count))));
    expect(first?.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  /** The configuration of a host that does not see queries is independent of page sizes. */
  const ignoresLimits = table.operations.some(({ path: own, params }) => {
    const request = { method: "GET", path: own, query: "limit=5" };
    return (
      params.some(({ name }) => name === "limit") &&
      adapter.gaps.some(({ covers }) => covers(request, resolve(table, request).answer, params, table))
    );
  });

  if (ignoresLimits) return;

  it("differs where the page sizes do", () => {
    const files = (sizes: readonly number[]) =>
      [
        ...adapter.files(makeTable(edgeNetwork, names, () => sizes)),
        ...(adapter.beside?.(makeTable(edgeNetwork, names, () => sizes)) ?? []),
      ].map(({ parts }) => Buffer.concat(parts()).toString());
    expect(files(everyPageSize)).not.toEqual(files(pageSizes([10])));
  });
});
