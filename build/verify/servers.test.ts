// What the hosts' own programs publish, verified with and without their declared gaps.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, buildForTest } from "../conformance/fixture.ts";
import { writeSample } from "../conformance/sample.ts";
import { hosts } from "../hosts/hosts.ts";
import { besideFolder } from "../output/publication.ts";
import { findProgram, type RunningProgram, startProgram } from "../preview/program.ts";
import { openClient } from "./client.ts";
import { readBuild } from "./files.ts";
import { type Verified, verify } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-verified-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Those that answer as their hosts do. */
const programs = [...hosts.values()].flatMap((host) =>
  host.program === undefined || host.program.differs !== undefined ? [] : [{ ...host, program: host.program }],
);

describe.each(programs)("$name", (host) => {
  const { name, program, sidecars } = host;
  if (findProgram(program) === undefined && process.env["EDGE_API_SKIP_NOTHING"] === undefined) {
    return it.skip(`is skipped, because ${program.command} is not installed. To get it: ${program.install}`);
  }
  const dist = path.join(folder, name, "dist");
  let built: Built;
  let server: RunningProgram;

  beforeAll(async () => {
    const content = path.join(folder, name, "content");
    writeSample(content, { count: 130, pageSizes: [1, 5, 10, 25, 50, 100], paging: "both" });
    built = await buildForTest(content, dist, [host], sidecars !== undefined);
    // Until a file is a second old, Apache's ETag of it is weak.
    await sleep(1_000);
    server = await startProgram(program, { publishRoot: dist, beside: path.join(besideFolder(dist), name), port: 0 });
  });

  afterAll(() => server?.stop());

  async function verifyHere(options: Partial<Parameters<typeof verify>[1]>, out = dist): Promise<Verified> {
    const client = openClient(new URL(server.origin));
    try {
      const build = readBuild(out, true);
      return await verify(client, { dataset: undefined, host, build, all: false, ...options });
    } finally {
      client.close();
    }
  }

  it("has nothing that is otherwise, by its own data and by the content", async () => {
    for (const options of [{}, { dataset: built.dataset }]) {
      const { findings, tags, comparison } = await verifyHere(options);
      expect(findings).toEqual([]);
      expect(tags).toMatchObject({ asked: 8, observations: [] });
      if (sidecars !== undefined) expect(tags.compressed).toBeGreaterThan(0);
      expect(comparison).toMatchObject({ compared: 60, different: [], isAnotherBuild: false });
    }
  });

  it("is named where its gaps are all that is otherwise, if its headers name it", async () => {
    const { findings, explainedBy } = await verifyHere({ host: undefined, all: true });
    const isNamed = !name.startsWith("cloudflare");
    expect(explainedBy).toEqual(isNamed && findings.length > 0 ? [name] : []);
    if (name === "apache") expect(explainedBy).toEqual([name]);
  });

  it("publishes another build than one of other content", async () => {
    const [other, content] = [path.join(folder, name, "other"), path.join(folder, name, "content-other")];
    mkdirSync(content);
    writeSample(content, { count: 90, pageSizes: [1, 5, 10, 25, 50, 100] });
    writeFileSync(path.join(content, "api.yaml"), "title: Another\npage_sizes: [1, 5, 10, 25, 50, 100]\n");
    await buildForTest(content, other, [host]);
    const { findings, comparison } = await verifyHere({}, other);
    expect(findings).toEqual([]);
    expect(comparison).toMatchObject({ isAnotherBuild: true });
    expect(comparison?.different.length).toBeGreaterThan(5);
  });
});
