import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,build,test,bench,docs}/**/*.test.ts"],
    globalSetup: "test/published-program.ts",
    setupFiles: "test/seed.ts",
    // Loading the modules takes longer than most tests, and no test replaces a module.
    isolate: false,
    // Many tests wait for servers and other processes.
    maxWorkers: availableParallelism() + 1,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
