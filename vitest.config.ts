import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const memory = "/dev/shm";

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bsize, bavail } = statfsSync(folder);
  return bsize * bavail > 2 ** 31;
}

const all = "{src,build,test,bench,docs}/**/*.test.ts";
const system = all.replace("*.test.ts", "*.system.test.ts");

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: [all],
          exclude: [system, "**/node_modules/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: [system],
          globalSetup: ["test/tools/install.ts", "test/published-program.ts", "test/missing-programs.ts"],
        },
      },
    ],
    setupFiles: "test/seed.ts",
    // Tests write thousands of small files: those of output take a third of the time in memory.
    env: process.env["TMPDIR"] === undefined && isRoomy(memory) ? { TMPDIR: memory } : {},
    // Loading the modules takes longer than most tests, and no test replaces a module.
    isolate: false,
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
