// The time from a save until `npm run dev` serves the change.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scene } from "./contenders.ts";
import { command } from "./program.ts";
import { median, type Timing } from "./rounds.ts";
import { type BenchRecord, writeRecords } from "./workload.ts";

/** The pause between two saves, in milliseconds. */
const rest = 1_000;

const patience = 60_000;

/** `sorted` are the records of the content, in the API's order. */
export async function timeSaves(
  { parent, content: original, program }: Scene,
  sorted: readonly BenchRecord[],
  rounds: number,
): Promise<Timing> {
  const content = path.join(parent, "dev, content");
  cpSync(original, content, { recursive: true });
  const { file, args } = command(program, "dev", content, "--port", "0");
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGINT"));
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => printed.includes("Watching "));
  const [, origin = ""] = /on (http:\S+)/.exec(printed) ?? [];
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await sleep(rest);
    const revision = 200_000 + round;
    const changed = sorted.map((record, index) => (index === 0 ? { ...record, revision } : record));
    writeRecords(content, changed);
    const saved = performance.now();
    await until(async () => (await firstOf(origin)).revision === revision);
    if (round > 0) times.push(performance.now() - saved);
  }
  child.kill("SIGINT");
  await once(child, "exit");
  return { name: "dev, a save", times, median: median(times) };
}

async function firstOf(origin: string): Promise<{ revision?: number }> {
  const answer = await fetch(`${origin}/api/v1/records`);
  const { data } = JSON.parse(await answer.text());
  return data[0] ?? {};
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = performance.now(); !(await isSo()); await sleep(5)) {
    if (performance.now() - started > patience) throw new Error("dev does not serve the change within a minute.");
  }
}
