import { existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import glob from "fast-glob";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const tests = glob.sync("{src,build,test,bench,docs}/**/*.test.ts", { cwd: import.meta.dirname });

/** Whether a test, or a module for tests that it imports, has a text. */
function mentions(form: RegExp, file: string): boolean {
  const text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  const imported = [...text.matchAll(/ from "(\.[^"]*)"/g)].map(([, to = ""]) =>
    path.posix.join(path.posix.dirname(file), to),
  );
  return form.test(text) || imported.some((to) => /^(?:test|docs)\//.test(to) && mentions(form, to));
}

/** Whether a test replaces the module of documents. These tests all replace it by the same one. */
const addsDocuments = (file: string): boolean => mentions(/\bwithFurtherDocuments\b/, file);

/** Whether a test replaces other modules. Functions, variables and clocks are restored after each test. */
const replacesModules = (file: string): boolean => mentions(/\bvi\.(?:doM|m)ock\b/, file) && !addsDocuments(file);

const sharesAll = (file: string): boolean => !addsDocuments(file) && !replacesModules(file);

/** These take longest. They start first, or one of them runs alone at the end while the other cores are idle. */
const startsProcesses = (file: string): boolean => mentions(/node:child_process|\bstartProgram\(/, file);

/** Vitest starts the longest first, or the largest as long as it has not measured them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      // A process is only kept for the next file if that is of the same project.
      const last = project.name === "together" ? 2 : 0;
      return last + (startsProcesses(path.relative(import.meta.dirname, moduleId).replaceAll("\\", "/")) ? 0 : 1);
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

/** Not of the root project, whose global setup would run again for each of the others. */
const settings = {
  env: temporaryFolder(),
  setupFiles: "test/seed.ts",
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...settings, name: "alone", include: tests.filter(replacesModules) } },
      // Loading the modules takes longer than most of these tests.
      { test: { ...settings, name: "documents", include: tests.filter(addsDocuments), isolate: false } },
      { test: { ...settings, name: "together", include: tests.filter(sharesAll), isolate: false } },
    ],
    globalSetup: "test/published-program.ts",
    // One more than there are cores, because many tests wait for servers and other processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
});
