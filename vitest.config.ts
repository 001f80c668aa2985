import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These take longest. They start first, or one of them runs alone at the end while the other cores are idle. */
const longest = [
  "build/hosts/servers.test.ts",
  "build/verify/servers.test.ts",
  "build/output/kill.test.ts",
  "build/hosts/netlify/netlify.test.ts",
  "build/hosts/precompressed.test.ts",
  "build/output/concurrency.test.ts",
  "build/hosts/cloudfront/cloudfront.test.ts",
  "build/output/full-disk.test.ts",
  "build/history/histories.test.ts",
  "docs/extending.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.indexOf(path.relative(import.meta.dirname, moduleId).replaceAll("\\", "/"));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** Tests write and remove thousands of small files: in memory that takes a fraction of the time. */
function temporaryFolder(): Record<string, string> {
  const memory = "/dev/shm";
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return {};
  const { bsize, bavail, ffree } = statfsSync(memory);
  return bsize * bavail > 2 ** 31 && ffree > 500_000 ? { TMPDIR: memory } : {};
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "build/**/*.test.ts", "bench/**/*.test.ts", "docs/**/*.test.ts"],
    env: temporaryFolder(),
    // By default vitest leaves one core idle: of two that is half the machine.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
