// An API that keeps the cursors of earlier builds, and one that is published while it is asked.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { build } from "../build.ts";
import { writeSample } from "../conformance/sample.ts";
import { startPreview } from "../preview/preview.ts";
import { serveWith, verifyAt } from "./fixture.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "edge-api-retired-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const quiet = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };

/** Builds a sample over what is there. */
async function buildHere(count: number, pageSizes: readonly number[], now: number): Promise<string> {
  const [content, out] = [path.join(folder, "content"), path.join(folder, "dist")];
  mkdirSync(content, { recursive: true });
  writeSample(content, { count, pageSizes });
  const history = { kind: "previous", from: out, now, isExpected: false } as const;
  const [, faults] = await build({ content, out, deployment: undefined, hosts: [], history }, quiet);
  expect(faults).toEqual([]);
  return out;
}

async function preview(out: string) {
  const server = await startPreview(out, 0);
  onTestFinished(() => server.stop());
  return server;
}

it("expects no error where a cursor of an earlier build may have a page", async () => {
  await buildHere(130, [1, 5, 7, 10, 100], 1_000);
  const out = await buildHere(120, [5, 10, 100], 1_060);
  const { origin } = await preview(out);
  const { findings, comparison } = await verifyAt(origin, { all: true });
  expect({ findings, comparison }).toEqual({ findings: [], comparison: undefined });
});

it("says that the API was published again meanwhile", async () => {
  const { origin } = await preview(await buildHere(30, [5, 100], 1_000));
  let count = 0;
  const server = await serveWith(origin, (request, answer) =>
    request.path === "/api/v1/cursors.json" && request.query === "" && ++count > 1
      ? { ...answer, headers: { "x-of": "another build" }, body: `${answer.body} ` }
      : answer,
  );
  onTestFinished(() => server.stop());
  expect(await verifyAt(server.origin)).toMatchObject({ isOvertaken: true });
  expect(await verifyAt(origin)).toMatchObject({ isOvertaken: false });
});
