import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const program = "test/published-program.ts";
const tools = "test/tools/install.ts";
const missing = "test/missing-programs.ts";

const memory = "/dev/shm";

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bsize, bavail } = statfsSync(folder);
  return bsize * bavail > 2 ** 31;
}

const rooms = "{src,build,test,bench,docs}/**";

/** What a test needs is the last word of its name: `x.browser.test.ts` needs a browser. A name without one is quick. */
const needs = { system: ["system"], rest: ["long", "server", "browser", "package"] };

const named = (words: readonly string[]): string[] => words.map((word) => `${rooms}/*.${word}.test.ts`);

/** Each loads the program anew, so that those of `npm run test:rest` are one. */
const projects = [
  { name: "quick", include: [`${rooms}/*.test.ts`], exclude: named(Object.values(needs).flat()), globalSetup: [] },
  { name: "system", include: named(needs.system), exclude: [], globalSetup: [program, missing] },
  { name: "rest", include: named(needs.rest), exclude: [], globalSetup: [tools, program, missing] },
];

/** The files that start servers go first: they take longest and wait most, and must not run alone at the end. */
class ServersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith(".server.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ServersFirst },
    projects: projects.map(({ exclude, ...project }) => ({
      extends: true,
      test: { ...project, exclude: ["**/node_modules/**", ...exclude] },
    })),
    setupFiles: "test/seed.ts",
    // Tests write thousands of small files: those of output take a third of the time in memory.
    env: process.env["TMPDIR"] === undefined && isRoomy(memory) ? { TMPDIR: memory } : {},
    // Loading the modules takes longer than most tests, and no test replaces a module.
    isolate: false,
    // Otherwise each project transforms the modules of the program anew.
    experimental: { fsModuleCache: true },
    // Many tests wait for servers and other processes.
    maxWorkers: availableParallelism() + 1,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // So long that only what hangs ends a test, not a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
