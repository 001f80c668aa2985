// wrk, which requests one address repeatedly: https://github.com/wg/wrk
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { HostProgram } from "../build/hosts/host.ts";
import { MachineError } from "../build/machine-error.ts";

export const wrk: HostProgram = {
  command: "wrk",
  install: "apt-get install wrk, brew install wrk, or https://github.com/wg/wrk",
  run: () => ({ files: [], args: [] }),
};

export interface Load {
  readonly seconds: number;
  /** Open connections. Each sends the next request as soon as it has an answer. */
  readonly connections: number;
}

/** The answered requests per second of an address. `command` runs wrk and may consist of several words. */
export async function requestsPerSecond(
  command: readonly string[],
  address: string,
  { seconds, connections }: Load,
): Promise<number> {
  const [program = "wrk", ...before] = command;
  const args = [
    ...before,
    "--threads",
    "1",
    "--connections",
    String(connections),
    "--duration",
    `${seconds}s`,
    address,
  ];
  const { stdout } = await promisify(execFile)(program, args);
  return parseRate(stdout);
}

/** Parses wrk's output. Throws if requests failed: a server that refuses is fast. */
export function parseRate(printed: string): number {
  const failed = /^ *(?:Non-2xx or 3xx responses|Socket errors): .*$/m.exec(printed)?.[0];
  if (failed !== undefined) throw new MachineError(`Requests failed under load. ${failed.trim()}.`);
  const rate = /^Requests\/sec: +([0-9.]+)$/m.exec(printed)?.[1];
  if (rate === undefined) throw new MachineError(`wrk gave no rate: ${printed.trim()}`);
  return Number(rate);
}
