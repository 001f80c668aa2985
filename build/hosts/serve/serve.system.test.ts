import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.ts";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { type RunningProgram, startProgram } from "../../cli/preview/program.ts";
import { serve } from "./index.ts";

describe("serve", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-serve-"));
  const dist = path.join(folder, "dist");
  let built: Built;
  let server: RunningProgram;

  beforeAll(async () => {
    writeSample(path.join(folder, "content"), { count: 12, pageSizes: "every" });
    built = await buildForTest(path.join(folder, "content"), dist, [serve]);
    const { program = expect.fail() } = serve;
    server = await startProgram(program, { base: edgeNetwork.base, publishRoot: dist, beside: folder, port: 0 });
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  it("lets a preflight pass at every known path", async () => {
    const preflight = {
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "*, Authorization",
    };
    const operations = built.dataset.operations.map(({ name }) => `/api/v1/${name}`);
    const documents = built.dataset.published.map(({ path }) => path);
    for (const path of [...operations, ...documents]) {
      const { status, headers } = await ask(server.origin, { method: "OPTIONS", path, query: "" });
      expect({ path, status, headers }).toMatchObject({ path, status: 200, headers: preflight });
    }
  });
});
