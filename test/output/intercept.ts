// Calls of the file system that tests interrupt, for moments that no timing hits reliably.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";

/** The calls as they are, interrupted or not. */
export const real = { ...fs };

export const changing = [
  "mkdirSync",
  "openSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
] as const;

export const reading = ["lstatSync", "readFileSync", "readdirSync", "realpathSync", "statSync"] as const;

export type Call = (typeof changing | typeof reading)[number];

/** Runs `work` and calls `before` at each of the calls with how many there were. What it throws the call throws. */
export async function intercept<T>(
  work: () => Promise<T>,
  calls: readonly Call[],
  before: (index: number, call: Call, target: string) => void,
): Promise<T> {
  let index = 0;
  const spies = calls.map((call) =>
    vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
      // Node reads files by it, too.
      if (call !== "openSync" || args[1] === "w") before(index++, call, String(args[0]));
      return Reflect.apply(real[call], fs, args);
    }),
  );
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
}
