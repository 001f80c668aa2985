// How long after a save `npm run dev` serves what was saved.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "./rounds.ts";
import { type BenchRecord, writeRecords } from "./workload.ts";

/** Time for other things to settle between two saves, in milliseconds. */
const rest = 1_000;

const patience = 60_000;

/** In milliseconds, for each round after the first. `sorted` are the records in the folder, in the API's order. */
export async function timeSaves(
  { file, args }: Command,
  content: string,
  sorted: readonly BenchRecord[],
  rounds: number,
): Promise<readonly number[]> {
  const dev = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let printed = "";
    dev.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await until(() => printed.includes("Watching "));
    const [, origin = ""] = /on (http:\S+)/.exec(printed) ?? [];
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      await sleep(rest);
      const revision = 200_000 + round;
      writeRecords(
        content,
        sorted.map((record, index) => (index === 0 ? { ...record, revision } : record)),
      );
      const saved = performance.now();
      await until(async () => (await firstOf(origin)).revision === revision);
      if (round > 0) times.push(performance.now() - saved);
    }
    return times;
  } finally {
    dev.kill("SIGINT");
    if (dev.exitCode === null) await once(dev, "exit");
  }
}

async function firstOf(origin: string): Promise<{ revision?: number }> {
  const answer = await fetch(`${origin}/api/v1/records`);
  const { data } = JSON.parse(await answer.text());
  return data[0] ?? {};
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = performance.now(); !(await isSo()); await sleep(5)) {
    if (performance.now() - started > patience) throw new Error("Nothing has come of it for a minute.");
  }
}
