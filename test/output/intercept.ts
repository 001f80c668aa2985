// Interrupts calls of the file system, for moments that no timing hits reliably.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";

/** The original calls. */
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

/**
 * Runs `work`, and calls `before` at each call with the number of earlier calls. An error that `before` throws becomes
 * the error of the call.
 */
export async function intercept<T>(
  work: () => Promise<T>,
  calls: readonly Call[],
  before: (index: number, call: Call, target: string) => void,
): Promise<T> {
  let index = 0;
  const spies = calls.map((call) =>
    vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
      // Node reads files with openSync too.
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
