import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type Sample, writeSample } from "../../test/check/sample.ts";
import {
  buildHere,
  differences,
  endOf,
  printed,
  runBuild,
  startBuild,
  startStopped,
  usePublishedProgram,
} from "../../test/output/cli.ts";
import { contentsOf, type Files, temporaryFolder } from "../../test/output/folder.ts";

const samples: Readonly<Record<"a" | "b", Sample>> = {
  a: { count: 160, pageSizes: [10, 25, 50, 100] },
  b: { count: 150, pageSizes: [20, 50, 100] },
};

usePublishedProgram();

/** The output of each in an empty folder. */
let cleanA: Files = {};
let cleanB: Files = {};

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-concurrency-"));
  const cleanBuild = async (name: "a" | "b"): Promise<Files> => {
    const out = path.join(folder, `dist-${name}`);
    writeSample(path.join(folder, name), samples[name]);
    await buildHere(path.join(folder, name), out);
    return contentsOf(out);
  };
  cleanA = await cleanBuild("a");
  cleanB = await cleanBuild("b");
  rmSync(folder, { recursive: true });
});

/** Two contents, and the out folder of both. */
function prepare() {
  const parent = temporaryFolder();
  const a = path.join(parent, "a");
  const b = path.join(parent, "b");
  writeSample(a, samples.a);
  writeSample(b, samples.b);
  return { parent, out: path.join(parent, "dist"), a, b };
}

it("builds of two contents at once all succeed, the first over no folder, and give one of the two", async () => {
  const { parent, out, a, b } = prepare();
  const all = await Promise.all([b, a, b, a].map((content) => runBuild(content, out)));
  for (const { code, stderr } of all) {
    expect(code).toBe(0);
    expect(["", `Another build is writing ${out}; waiting for it.\n`]).toContain(stderr);
  }
  const result = contentsOf(out);
  expect([cleanA, cleanB].map((clean) => differences(result, clean))).toContainEqual([]);
  expect(readdirSync(parent)).toEqual([".schemas", "a", "b", "dist"]);
});

it("a build that sleeps for long is waited for, because it may awake", async () => {
  const { parent, out, a, b } = prepare();
  await buildHere(b, out);
  const sleeper = await startStopped(a, parent);
  const end = endOf(sleeper);
  for (const name of readdirSync(path.join(parent, ".dist.staging"))) {
    utimesSync(path.join(parent, ".dist.staging", name), 1, 1);
  }
  const waits = `Another build is writing ${out}; waiting for it.\n`;
  const other = startBuild(b, out);
  const otherEnd = endOf(other);
  await printed(other, waits);
  sleeper.kill("SIGCONT");
  expect(await end).toMatchObject({ code: 0, stderr: "" });
  expect(await otherEnd).toMatchObject({ code: 0, stderr: waits });
  expect(differences(contentsOf(out), cleanB)).toEqual([]);
  expect(readdirSync(parent)).toEqual([".schemas", "a", "b", "dist"]);
});

it("a build that is killed is not waited for, and what it has left is removed", async () => {
  const { parent, out, a, b } = prepare();
  await buildHere(b, out);
  const killed = await startStopped(a, parent);
  const end = endOf(killed);
  killed.kill("SIGKILL");
  await end;
  expect(await runBuild(b, out)).toMatchObject({ code: 0, stderr: "" });
  expect(differences(contentsOf(out), cleanB)).toEqual([]);
  expect(readdirSync(parent)).toEqual([".schemas", "a", "b", "dist"]);
});
