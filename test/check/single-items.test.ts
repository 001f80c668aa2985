// Single items at an address, as verify asks for them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Preview, startPreview } from "../../build/cli/preview/preview.ts";
import { type Build, readBuild } from "../../build/verify/build.ts";
import { verify } from "../../build/verify/verify.ts";
import { buildForTest } from "./built.ts";
import { serveWith } from "./published.ts";
import { singleItems, writeSingleItems } from "./single-items.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-items-"));
const dist = path.join(folder, "dist");
let preview: Preview;
let build: Build;

beforeAll(async () => {
  writeSingleItems(path.join(folder, "content"));
  await buildForTest(path.join(folder, "content"), dist, [], singleItems);
  build = readBuild(dist);
  preview = await startPreview(dist, 0);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

it("are asked for in every collection", async () => {
  const server = await serveWith(preview.origin);
  onTestFinished(() => server.stop());
  expect(await verify(new URL(server.origin), build)).toMatchObject({ findings: [] });
  const asked = server.asked.map(({ url }) => url);
  for (const item of ["products/[^/]+", "releases/.*/.*", "builds/.*/.*/.*", "ports/80[80]0"]) {
    expect(asked).toContainEqual(expect.stringMatching(new RegExp(`^/api/v1/${item}$`)));
  }
});

it("are reported if one is missing and one is different", async () => {
  const [missing, other] = ["words/item/null.json", "releases/item/go/A.json"].map((file) => `api/v1/${file}`);
  const own = new Map([missing, other].map((file = "") => [file, readFileSync(path.join(dist, file))]));
  rmSync(path.join(dist, missing ?? ""));
  writeFileSync(path.join(dist, other ?? ""), "{}");
  const exists: Build["exists"] = (file) => own.has(file) || build.exists(file);
  const read: Build["read"] = (file) => own.get(file) ?? build.read(file);
  const { findings } = await verify(new URL(preview.origin), { ...build, exists, read }, { all: true });
  expect(findings.map(({ message }) => message).sort()).toEqual([
    "The data is stale, or of another build: 1 answer.",
    "The status is 404 not_found, not 200: 1 answer.",
  ]);
});
