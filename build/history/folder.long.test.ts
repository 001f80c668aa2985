// Builds into one folder keep each other's cursors and leave other files alone.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { contentsOf, lay, temporaryFolder } from "../../test/output/folder.ts";
import { built, messagesOfBuild, type TestPlan } from "../../test/plan.ts";
import { cursorsFile } from "../routing/paths.ts";

const now = 1_700_000_000;

const optionsOf = (content: string, out: string, at = now) => ({
  api: edgeNetwork,
  content,
  out,
  history: { from: out, now: at },
});

const buildOnce = (content: string, out: string, at?: number): Promise<TestPlan> => built(optionsOf(content, out, at));

const pagesBehindCursors = (out: string): readonly string[] =>
  Object.keys(contentsOf(out)).filter((file) => file.includes("/cursor/") && file.endsWith(".json"));

function sampleOf(count: number, settings = ""): string {
  const content = path.join(temporaryFolder(), "content");
  writeSample(content, { count, pageSizes: [3, 7] });
  if (settings !== "") writeFileSync(path.join(content, "api.yaml"), `page_sizes: [3, 7]\n${settings}\n`);
  return content;
}

it("builds at once into one folder keep the cursors of each other", async () => {
  const out = path.join(temporaryFolder(), "dist");
  const contents = [40, 31, 22, 13].map((count) => sampleOf(count));
  const alone = await Promise.all(
    contents.map(async (content) => {
      const folder = path.join(temporaryFolder(), "dist");
      await buildOnce(content, folder);
      return pagesBehindCursors(folder);
    }),
  );
  await Promise.all(contents.map((content, index) => buildOnce(content, out, now + index)));
  const kept = new Set(pagesBehindCursors(out));
  expect(alone.flat().filter((file) => !kept.has(file))).toEqual([]);
  expect(Math.min(...alone.map(({ length }) => length))).toBeGreaterThan(5);
});

it("keeps the cursors that an interrupted build left in place for a whole lifetime", async () => {
  const out = path.join(temporaryFolder(), "dist");
  const killed = path.join(temporaryFolder(), "dist");
  await buildOnce(sampleOf(40), out, now);
  cpSync(out, killed, { recursive: true });
  const served = pagesBehindCursors(killed);
  const content = sampleOf(20);
  await buildOnce(content, out, now + 60);
  // The build into the other folder was killed after its first step.
  cpSync(path.join(out, cursorsFile(edgeNetwork.base)), path.join(killed, cursorsFile(edgeNetwork.base)));
  await buildOnce(content, killed, now + 1_200);
  const kept = new Set(pagesBehindCursors(killed));
  expect(served.filter((file) => !kept.has(file))).toEqual([]);
  expect((await buildOnce(content, killed, now + 1_200 + 899)).retired.length).toBeGreaterThan(5);
  expect((await buildOnce(content, killed, now + 1_200 + 900)).retired).toEqual([]);
});

it("retired pages leave the folder when they have expired, and a build that changes nothing says so", async () => {
  const out = path.join(temporaryFolder(), "dist");
  await buildOnce(sampleOf(40, "changes: 0"), out, now);
  const content = sampleOf(20, "changes: 0");
  expect((await buildOnce(content, out, now + 60)).retired.length).toBeGreaterThan(5);
  const kept = contentsOf(out);
  expect((await buildOnce(content, out, now + 959)).retired.length).toBeGreaterThan(5);
  expect(contentsOf(out)).toEqual(kept);
  expect((await buildOnce(content, out, now + 960)).retired).toEqual([]);
  const clean = path.join(temporaryFolder(), "dist");
  await buildOnce(content, clean);
  expect(contentsOf(out)).toEqual(contentsOf(clean));
});

it("omits and removes files outside of the API if front_page is false", async () => {
  const out = path.join(temporaryFolder(), "dist");
  const content = sampleOf(10);
  await buildOnce(content, out);
  expect(existsSync(path.join(out, "index.html"))).toBe(true);
  writeFileSync(path.join(content, "api.yaml"), "page_sizes: [3, 7]\nfront_page: false\n");
  await buildOnce(content, out);
  expect(["index.html", ".well-known"].filter((name) => existsSync(path.join(out, name)))).toEqual([]);
  lay(out, { "index.html": "a site" });
  expect(await messagesOfBuild(optionsOf(content, out))).toEqual([]);
  expect(readFileSync(path.join(out, "index.html"), "utf8")).toBe("a site");
});
