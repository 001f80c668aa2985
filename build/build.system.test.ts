import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { writeSample } from "../test/check/sample.ts";
import { type Run, run } from "../test/cli/run-command.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { differences, runBuild, usePublishedProgram } from "../test/output/cli.ts";
import { contentsOf, type Files, lay, stateOf, temporaryFolder } from "../test/output/folder.ts";
import { built } from "../test/plan.ts";
import { hosts } from "./hosts/hosts.ts";

const { lists: operations } = edgeNetwork;

usePublishedProgram();

/** Two deployments besides the default one, with half of the operations each. */
const halves = [operations.slice(0, 3), operations.slice(3)].map((half) => half.map(({ name }) => name));

function contentForTest(): string {
  const content = path.join(temporaryFolder(), "content");
  writeSample(content, { count: 60, pageSizes: [25, 100] });
  const whole = JSON.parse(readFileSync(path.join(content, "deployments/edge.json"), "utf8"));
  for (const [index, half] of halves.entries()) {
    lay(content, { [`deployments/half${index}.json`]: JSON.stringify({ ...whole, operations: half }) });
  }
  return content;
}

/** All hosts whose files do not conflict; others read Netlify's. */
const together = [...hosts.values()].filter(({ name }) => name !== "netlify");

async function buildHere(content: string, out: string, deployment?: string): Promise<void> {
  await built({ api: edgeNetwork, content, out, deployment, hosts: together });
}

/** A hash of all names and bytes in a folder. */
const hashOf = (folder: string): string =>
  createHash("sha256")
    .update(JSON.stringify(contentsOf(folder)))
    .digest("hex");

describe("the same content gives the same bytes", () => {
  it("in every time zone and locale", async () => {
    const content = contentForTest();
    const machines = [
      { TZ: "America/Los_Angeles", LC_ALL: "ar_EG.UTF-8", LANG: "ar_EG.UTF-8" },
      { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.ISO-8859-9", LANG: "tr_TR.ISO-8859-9" },
    ];
    const hashes = new Set<string>();
    for (const env of machines) {
      const out = path.join(temporaryFolder(), "dist");
      expect(await runBuild(content, out, { ...env, SOURCE_DATE_EPOCH: "1700000000" })).toMatchObject({
        code: 0,
        stderr: "",
      });
      hashes.add(hashOf(out));
    }
    expect(hashes.size).toBe(1);
  });

  it("whatever the order in which files were made, and wherever they lie", async () => {
    const content = contentForTest();
    const files = Object.entries(contentsOf(content));
    const hashes = new Set<string>();
    for (const order of [files, files.toReversed(), files.toSorted(([, a], [, b]) => (a < b ? -1 : 1))]) {
      const parent = temporaryFolder();
      lay(path.join(parent, "deep/er/cöntent"), Object.fromEntries(order));
      await buildHere(path.join(parent, "deep/er/cöntent"), path.join(parent, "out"));
      hashes.add(hashOf(path.join(parent, "out")));
    }
    expect(hashes.size).toBe(1);
  });

  it("whatever was built into the folder before", async () => {
    const content = contentForTest();
    const clean: Record<string, Files> = {};
    for (const deployment of ["edge", "half0", "half1"]) {
      const out = path.join(temporaryFolder(), "dist");
      await buildHere(content, out, deployment);
      clean[deployment] = contentsOf(out);
    }
    const out = path.join(temporaryFolder(), "dist");
    for (const deployment of ["edge", "half0", "half1", "edge", "half1", "half0"]) {
      await buildHere(content, out, deployment);
      expect(differences(contentsOf(out), clean[deployment] ?? {})).toEqual([]);
    }
  });
});

const withFiles = (files: Files) => (content: string) => {
  lay(content, files);
  return content;
};

/** By the command, in this process. */
const buildBy = (content: string, out: string): Promise<Run> =>
  run(["build", "--content", content, "--out", out, "--previous", "none"]);

describe("an out folder that was built before", () => {
  it.each<[string, (content: string) => string, number]>([
    ["content with a fault in an item", withFiles({ "regions/more.json": '[{"code":"xxx1"}]' }), 1],
    ["content with a default deployment that is not there", withFiles({ "api.yaml": "default_deployment: x\n" }), 1],
    ["a folder that is not there", (content) => `${content}-missing`, 2],
  ])("is left as it was, times and all, by a build of %s", async (_, spoil, status) => {
    const content = contentForTest();
    const parent = temporaryFolder();
    const out = path.join(parent, "dist");
    expect(await buildBy(content, out)).toMatchObject({ status: 0 });
    const before = stateOf(parent);
    expect(await buildBy(spoil(content), out)).toMatchObject({
      status,
      stdout: "",
      stderr: expect.stringContaining("✗"),
    });
    expect(stateOf(parent)).toEqual(before);
  });

  it("is refused with 2 if stillapi did not write its files", async () => {
    const content = contentForTest();
    const out = temporaryFolder();
    lay(out, { "index.html": "foreign", "routing.json": "{}" });
    const before = stateOf(out);
    expect(await buildBy(content, out)).toEqual({
      status: 2,
      stdout: "",
      stderr: `✗ ${out} holds files that stillapi did not write, such as index.html. Choose another folder with --out, or empty this one.\n`,
    });
    expect(stateOf(out)).toEqual(before);
  });
});
