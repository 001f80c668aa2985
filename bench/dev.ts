// The time from a save until `npm run dev` serves the change.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scene } from "./contenders.ts";
import { command, type Program } from "./program.ts";
import { median, type Timing } from "./rounds.ts";
import { type BenchRecord, writeRecords } from "./workload.ts";

/** The pause between two saves, in milliseconds. */
const rest = 1_000;

const patience = 60_000;

/** The programs take turns, each on a copy of the content. `sorted` are its records in the API's order. */
export async function timeSaves(
  scene: Scene,
  sorted: readonly BenchRecord[],
  rounds: number,
): Promise<readonly Timing[]> {
  const running: Awaited<ReturnType<typeof startDev>>[] = [];
  try {
    for (const program of scene.programs) running.push(await startDev(scene, program));
    for (let round = 0; round <= rounds; round++) {
      for (const { content, origin, times } of running) {
        await sleep(rest);
        scene.signal.throwIfAborted();
        const revision = 200_000 + round;
        writeRecords(
          content,
          sorted.map((record, index) => (index === 0 ? { ...record, revision } : record)),
        );
        const saved = performance.now();
        await until(async () => (await firstOf(origin)).revision === revision, scene.signal);
        if (round > 0) times.push(performance.now() - saved);
      }
    }
    return running.map(({ name, times }) => ({ name, times, median: median(times) }));
  } finally {
    for (const { stop } of running) await stop();
  }
}

/** The caller must stop it. */
async function startDev(scene: Scene, program: Program) {
  const out = path.join(scene.parent, `${program.prefix}dev`);
  const content = `${out}, content`;
  cpSync(scene.content, content, { recursive: true });
  const { file, args } = command(program, "dev", content, out, "--port", "0");
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  };
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  try {
    await until(() => printed.includes("Watching "), scene.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  const [, origin = ""] = /on (http:\S+)/.exec(printed) ?? [];
  const times: number[] = [];
  return { name: `${program.prefix}dev, a save`, content, origin, times, stop };
}

async function firstOf(origin: string): Promise<{ revision?: number }> {
  const answer = await fetch(`${origin}/api/v1/records`);
  const { data } = JSON.parse(await answer.text());
  return data[0] ?? {};
}

async function until(isSo: () => boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (const started = performance.now(); !(await isSo()); await sleep(5)) {
    signal.throwIfAborted();
    if (performance.now() - started > patience) throw new Error("Nothing has come of it for a minute.");
  }
}
