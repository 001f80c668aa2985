import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import handler from "serve-handler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.ts";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { plain } from "./index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-plain-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

/** A file server without any configuration represents all plain hosts. */
describe("a folder of files", () => {
  const content = path.join(folder, "content");
  let built: Built;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    writeSample(content, { count: 130, pageSizes: "every" });
    built = await buildForTest(content, dist, [plain]);
    const config = { public: dist, cleanUrls: false, directoryListing: false };
    server = createServer((request, response) => handler(request, response, config));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server?.close());

  it("lets a client go from page to page by its files", async () => {
    const ids: string[] = [];
    for (let file: string | null = "nodes/limit/50"; file !== null; ) {
      const { body } = await ask(origin, { method: "GET", path: `/api/v1/${file}.json`, query: "" });
      const { data, pagination } = JSON.parse(body);
      ids.push(...data.map(({ id }: { id: string }) => id));
      file = pagination.next_cursor === null ? null : `nodes/limit/50/cursor/${pagination.next_cursor}`;
    }
    expect(ids).toEqual(built.dataset.items.get("nodes")?.map(({ id }) => id));
  });

  it("adds the file that keeps GitHub Pages from omitting files, and CORS for Surge", () => {
    expect([".nojekyll", "CORS"].map((file) => readFileSync(path.join(dist, file), "utf8"))).toEqual(["", "*\n"]);
  });
});
