import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../conformance/ask.ts";
import { expectedAnswer } from "../conformance/expected.ts";
import { buildForTest, datasets } from "../conformance/fixture.ts";
import { judge } from "../conformance/judge.ts";
import { conformanceRequests } from "../conformance/requests.ts";
import { type Preview, startPreview } from "./preview.ts";

describe.each(datasets)("the preview of $name", ({ content, missing }) => {
  if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);

  let preview: Preview;
  let folder: string;
  let built: Awaited<ReturnType<typeof buildForTest>>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "edge-api-preview-"));
    built = await buildForTest(content, path.join(folder, "dist"));
    preview = await startPreview(path.join(folder, "dist"), 0);
  });

  afterAll(async () => {
    await preview.stop();
    rmSync(folder, { recursive: true });
  });

  it("answers every request of the conformance list as the contract says", async () => {
    const requests = conformanceRequests(built.dataset);
    const failures: string[] = [];
    for (const request of requests) {
      const expected = expectedAnswer(built.dataset, request.method, request.path, request.query);
      const complaints = judge(request.method, expected, await ask(preview.origin, request));
      if (complaints.length > 0)
        failures.push(`${request.method} ${request.path}?${request.query}: ${complaints.join("; ")}`);
    }
    expect(failures).toEqual([]);
    expect(requests.length).toBeGreaterThan(300);
  });
});
