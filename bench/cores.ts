// One core for the servers and another for wrk, so that neither slows the other.
import { readFileSync } from "node:fs";
import { findProgram } from "../build/cli/preview/program.ts";
import type { HostProgram } from "../build/hosts/host.ts";

const taskset: HostProgram = {
  command: "taskset",
  install: "apt-get install util-linux",
  run: () => ({ files: [], args: [] }),
};

export interface Cores {
  readonly servers: number;
  readonly load: number;
}

/** Undefined if the machine has only one core, or no way to bind a program to a core. */
export function chooseCores(): Cores | undefined {
  if (process.platform !== "linux" || findProgram(taskset) === undefined) return undefined;
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const [servers, load] = coresIn(list);
  return servers === undefined || load === undefined ? undefined : { servers, load };
}

/** The numbers in a list as Linux writes it: `0-2,5` is 0, 1, 2 and 5. */
export const coresIn = (list: string): readonly number[] =>
  list.split(",").flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

/** The words before a command that is to run on a core. */
export const onCore = (core: number): readonly string[] => ["taskset", "--cpu-list", String(core)];

/** The program on one core. A program that is not installed is returned unchanged, so that its name is reported. */
export function bound(program: HostProgram, core: number): HostProgram {
  const found = findProgram(program);
  if (found === undefined) return program;
  const [command = "", ...words] = onCore(core);
  const run: HostProgram["run"] = (site) => {
    const { args, ...rest } = program.run(site);
    return { ...rest, args: [...words, found, ...args] };
  };
  return { ...program, command, run };
}
