// A thread that reads content. It loads the declaration like the program did, and does jobs until none is left.
import { parentPort, workerData } from "node:worker_threads";
import { jobReader, transferable } from "../content/jobs.ts";
import { openYamlCache } from "../content/yaml-cache.ts";
import { openDeclaration } from "../declaration/declaration.ts";
import type { Order, ThreadAnswer } from "./threads.ts";

const { options, digest, vocabulary, cache, jobs, next }: Order = workerData;

async function doJobs(): Promise<void> {
  const [{ api, digest: own }] = await openDeclaration(options);
  // The declaration has changed since the main thread loaded it, which then does all jobs.
  if (api === undefined || own !== digest) return;
  const read = jobReader(api, vocabulary, openYamlCache(cache));
  for (let index = Atomics.add(next, 0, 1); index < jobs.length; index = Atomics.add(next, 0, 1)) {
    const job = jobs[index];
    const answer: ThreadAnswer = { index, result: job && read(job) };
    parentPort?.postMessage(answer, transferable(answer.result));
  }
}

void doJobs();
