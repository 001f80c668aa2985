// Shared by the tests of output that run the program.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, inject } from "vitest";
import { netlify } from "../../build/hosts/netlify/index.ts";
import { edgeNetwork } from "../edge-network.ts";
import { built } from "../plan.ts";
import type { Files } from "./folder.ts";

const fromSource = ["--import", "tsx", path.resolve("build/cli.ts")];

let start = fromSource;

/** For a test file with many processes: they run the published program, which starts much faster than through tsx. */
export function usePublishedProgram(): void {
  beforeAll(() => {
    start = [inject("program")];
  });
  afterAll(() => {
    start = fromSource;
  });
}

/** At a time that `buildHere` has, too: a first build notes it. */
export function startBuild(content: string, out: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const options = ["--content", content, "--out", out, "--host", "netlify", "--previous", "none"];
  const args = [...start, "build", ...options];
  return spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, SOURCE_DATE_EPOCH: "0", ...env },
  });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  if (child.stdout === null || child.stderr === null) throw new Error("The process has no pipes.");
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** Resolves when the process has printed a text to its standard error. Rejects if it ends without it. */
export function printed(child: ChildProcess, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = "";
    child.stderr?.on("data", (chunk) => {
      all += chunk;
      if (all.includes(wanted)) resolve();
    });
    child.once("close", () => reject(new Error(`The process ended without "${wanted}": ${all}`)));
  });
}

export const runBuild = (content: string, out: string, env?: NodeJS.ProcessEnv): Promise<Ended> =>
  endOf(startBuild(content, out, env));

/** Builds in this process, which is quicker. */
export async function buildHere(content: string, out: string): Promise<void> {
  await built({ api: edgeNetwork, content, out, hosts: [netlify] });
}

/** Starts builds into `parent`/dist until it has stopped one that holds the lock. A build may be over before that. */
export async function startStopped(content: string, parent: string): Promise<ChildProcess> {
  const lock = path.join(parent, ".dist.staging");
  for (;;) {
    const child = startBuild(content, path.join(parent, "dist"));
    while (child.exitCode === null && child.signalCode === null) {
      if (existsSync(lock)) {
        child.kill("SIGSTOP");
        if (existsSync(lock) && readdirSync(lock).length > 0) return child;
        child.kill("SIGCONT");
      }
      await sleep(1);
    }
  }
}

/** The entries that differ between two folders. */
export function differences(a: Files, b: Files): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
