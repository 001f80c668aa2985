// Bundles the program once for all tests that run it in separate processes. It starts four times as fast as through
// tsx.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { bundleProgram } from "../build/package/bundles.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The file that starts the published program. */
    readonly program: string;
  }
}

/** Below node_modules, so that the processes share the cache of this checkout. */
const parent = path.resolve("node_modules/.cache/stillapi");

export async function setup({ provide }: TestProject): Promise<() => void> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, "program-for-tests-"));
  // A test runs it as another user.
  chmodSync(folder, 0o755);
  const lib = path.join(folder, "lib");
  await bundleProgram(process.cwd(), lib);
  provide("program", path.join(lib, "cli.cjs"));
  return () => rmSync(folder, { recursive: true });
}
