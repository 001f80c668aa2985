import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { operations } from "../../src/operations.ts";
import { everyPageSize, pageSizes } from "../../src/paging.ts";
import { planBuild } from "../build.ts";
import { datasets } from "../conformance/fixture.ts";
import { writeSample } from "../conformance/sample.ts";
import { textFile } from "../file.ts";
import { makeTable } from "../routing/table.ts";
import { configure } from "./configuration.ts";
import type { HostAdapter } from "./host.ts";
import { hosts, local } from "./hosts.ts";

const all = [...hosts.values()];
const names = operations.map(({ name }) => name);
const table = makeTable(names, () => everyPageSize);

const host = (name: string, file: string, text: string): HostAdapter => ({
  name,
  owns: [file],
  files: () => [textFile(file, text)],
  gaps: [],
});

describe("the configurations of several hosts", () => {
  it("are of paths that no two share, and that each declares as its own", () => {
    const { files } = configure(all, table);
    const owned = [local, ...all].flatMap(({ owns }) => owns);
    expect(files.map(({ entry }) => entry.file).sort()).toEqual([...owned].sort());
  });

  it("may share a file with the same text, and are refused with another", () => {
    const { files } = configure([host("a", "_headers", "x"), host("b", "_headers", "x")], table);
    expect(files.filter(({ entry }) => entry.file === "_headers")).toHaveLength(1);
    const twice = () => configure([host("a", "_headers", "x"), host("b", "_headers", "y")], table);
    expect(twice).toThrow("a and b both generate _headers, with different contents.");
  });
});

describe.each(all)("the configuration of $name", (adapter) => {
  const folder = mkdtempSync(path.join(tmpdir(), "edge-api-configuration-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const bytesFor = async (content: string) => {
    const [plan] = await planBuild({ content, deployment: undefined, hosts: [adapter] });
    if (plan === undefined) throw new Error(`${content} makes no plan.`);
    const written = [...adapter.files(plan.table), ...(adapter.beside?.(plan.table) ?? [])];
    return written.map(({ entry: { file }, parts }) => [file, Buffer.concat(parts()).toString()]);
  };

  it("is the same, byte for byte, for any data with the same page sizes", async () => {
    const contents = datasets.filter(({ missing }) => missing === undefined).map(({ content }) => content);
    for (const count of [0, 7, 900]) {
      const content = path.join(folder, String(count));
      writeSample(content, { count, pageSizes: "every" });
      contents.push(content);
    }
    const [first, ...others] = await Promise.all(contents.map(bytesFor));
    expect(first?.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  it.skipIf(adapter.name === "plain")("differs where the page sizes do", () => {
    const files = (sizes: readonly number[]) =>
      [...adapter.files(makeTable(names, () => sizes)), ...(adapter.beside?.(makeTable(names, () => sizes)) ?? [])].map(
        ({ parts }) => Buffer.concat(parts()).toString(),
      );
    expect(files(everyPageSize)).not.toEqual(files(pageSizes([10])));
  });
});
