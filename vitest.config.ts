import { existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import glob from "fast-glob";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These take longest. They start first, or one of them runs alone at the end while the other cores are idle. */
const longest = [
  "build/hosts/cloudfront/cloudfront.test.ts",
  "build/hosts/precompressed.test.ts",
  "build/output/interruption.test.ts",
  "build/output/model.test.ts",
  "build/hosts/netlify/netlify.test.ts",
  "build/hosts/netlify/dev.test.ts",
  "build/hosts/servers.test.ts",
  "docs/extending.test.ts",
  "build/output/kill.test.ts",
  "build/hosts/publish/faults.test.ts",
  "build/hosts/publish/load.test.ts",
  "build/hosts/publish/publish.test.ts",
  "build/package/package.test.ts",
  "build/start/start.test.ts",
  "build/output/full-disk.test.ts",
  "build/output/concurrency.test.ts",
  "build/check/verify/mistakes.test.ts",
];

class LongestFirst extends BaseSequencer {
  /** Those that share their modules come last: a process is only kept for the next file if that shares, too. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.indexOf(path.relative(import.meta.dirname, moduleId).replaceAll("\\", "/"));
      return (project.config.isolate ? 0 : longest.length + 1) + (place < 0 ? longest.length : place);
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

const tests = glob.sync("{src,build,test,bench,docs}/**/*.test.ts", { cwd: import.meta.dirname });

/** Whether a test, or a module of test/ that it imports, replaces modules, functions or variables of its process. */
function changesProcess(file: string): boolean {
  const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  const imported = [...text.matchAll(/ from "(\.[^"]*)"/g)].map(([, to = ""]) =>
    path.posix.join(path.posix.dirname(file), to),
  );
  return /\bvi\.\w/.test(text) || imported.some((to) => to.startsWith("test/") && changesProcess(to));
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
    projects: [
      { extends: true, test: { name: "alone", include: tests.filter(changesProcess) } },
      // Loading the modules takes longer than most of these tests.
      {
        extends: true,
        test: { name: "together", include: tests.filter((file) => !changesProcess(file)), isolate: false },
      },
    ],
    env: temporaryFolder(),
    // One more than there are cores, because many tests wait for servers and other processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
