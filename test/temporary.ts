import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** An empty folder, which is removed after the tests of the file or of the current `describe`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
