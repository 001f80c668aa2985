// The preview under many clients, while builds replace what it serves.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request as open } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ask } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { type Preview, startPreview, tagOf } from "./preview.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-load-"));
const dist = path.join(folder, "dist");
const nodes = { method: "GET", path: "/api/v1/nodes", query: "" };
let preview: Preview;

/** Two contents with pages of different lengths at the same path. */
const counts = [60, 90];
const contents = counts.map((count) => {
  const content = path.join(folder, `content-${count}`);
  writeSample(content, { count, pageSizes: [50, 100] });
  return content;
});

beforeAll(async () => {
  await buildForTest(contents[0] ?? "", dist);
  preview = await startPreview(dist, 0);
});

afterAll(async () => {
  await preview.stop();
  rmSync(folder, { recursive: true });
});

const descriptors = (): number => readdirSync("/proc/self/fd").length;

it.skipIf(process.platform !== "linux")("keeps no file open after a 304, a HEAD or an aborted GET", async () => {
  const { etag = "" } = (await ask(preview.origin, nodes)).headers;
  const before = descriptors();
  for (let round = 0; round < 100; round++) {
    await ask(preview.origin, nodes, { "if-none-match": etag });
    await ask(preview.origin, { ...nodes, method: "HEAD" });
    await abort();
  }
  await vi.waitFor(() => expect(descriptors()).toBeLessThan(before + 10), { timeout: 120_000 });
});

/** Goes away at some point between sending the request and having read the answer. */
async function abort(): Promise<void> {
  const sent = open(`${preview.origin}/api/v1/nodes`, { agent: false });
  const over = new Promise<void>((closed) => sent.once("close", closed));
  sent.once("error", () => undefined);
  sent.end();
  await sleep(Math.random() * 3);
  sent.destroy();
  await over;
}

it("sends no body of two builds, and no ETag of another build, while builds go on", async () => {
  let building = true;
  const bodies = new Set<string>();
  const reader = async (): Promise<void> => {
    while (building) {
      const { status, headers, body } = await ask(preview.origin, nodes);
      expect([status, headers["content-length"]]).toEqual([200, String(Buffer.byteLength(body))]);
      expect(headers["etag"]).toBe(tagOf(Buffer.from(body)));
      expect(counts).toContain(JSON.parse(body).data.length);
      bodies.add(body);
    }
  };
  const builds = async (): Promise<void> => {
    for (let round = 1; round <= 12; round++) await buildForTest(contents[round % 2] ?? "", dist);
    building = false;
  };
  await Promise.all([builds(), reader(), reader(), reader(), reader()]);
  expect(bodies.size).toBe(2);
});
