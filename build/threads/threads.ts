// Reads content on every core. This thread does jobs as well; the others take those that are left.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Api } from "../../src/api.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { modulesFolder } from "../checkout.ts";
import { type DoJobs, type Job, type JobResult, jobReader } from "../content/jobs.ts";
import { openYamlCache } from "../content/yaml-cache.ts";
import type { DeclarationOptions } from "../declaration/declaration.ts";
import { MachineError } from "../machine-error.ts";

/** The declaration from which a thread makes the same API. */
export interface Origin {
  readonly options: DeclarationOptions;
  /** Differs if the declaration does. */
  readonly digest: string;
}

/** The data of a thread. */
export interface Order extends Origin {
  readonly vocabulary: Vocabulary;
  /** The folder of the cache. */
  readonly cache: string | undefined;
  readonly jobs: readonly Job[];
  /** The index of the job that the next free thread takes. */
  readonly next: Int32Array;
}

/** The message of a thread for each job. */
export interface ThreadAnswer {
  readonly index: number;
  readonly result: JobResult;
}

interface Options {
  readonly api: Api;
  readonly origin: Origin;
  /** The folder of the cache. Undefined: nothing is cached. */
  readonly cache: string | undefined;
  /** The most threads that are started. */
  readonly most?: number;
  /** The script of the threads. */
  readonly script?: URL;
}

/** The threads need a script, which only the package has: loading each module of a checkout takes too long. */
const threadScript = new URL("threads/content-thread.cjs", modulesFolder);

/** Undefined if there are no threads. */
export function openThreads({
  api,
  origin,
  cache,
  most = Math.min(availableParallelism(), mostThreads) - 1,
  script = threadScript,
}: Options): DoJobs | undefined {
  if (most < 1 || !existsSync(script)) return undefined;
  return async (jobs, vocabulary) => {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const order: Order = { ...origin, vocabulary, cache, jobs, next };
    const others = startThreads(Math.min(most, jobs.length - 1), script, order);
    const results = new Map<number, JobResult>();
    try {
      const read = jobReader(api, vocabulary, openYamlCache(cache));
      for (let index = Atomics.add(next, 0, 1); index < jobs.length; index = Atomics.add(next, 0, 1)) {
        const job = jobs[index];
        results.set(index, job && read(job));
      }
      await others.addResults(results);
    } finally {
      await others.stop();
    }
    return jobs.map((_, index) => results.get(index));
  };
}

/** More threads than this wait for one another. */
const mostThreads = 8;

function startThreads(count: number, script: URL, order: Order) {
  let failure: Error | undefined;
  let isOver = false;
  let running = count;
  let onEvent: () => void = () => undefined;
  const answers: ThreadAnswer[] = [];
  // The main thread shows the output of the declaration. Threads do not repeat it.
  const options = { workerData: order, execArgv: [], stdout: true, stderr: true };
  const threads = Array.from({ length: count }, () => new Worker(script, options));
  for (const thread of threads) {
    thread.on("message", (answer: ThreadAnswer) => {
      answers.push(answer);
      onEvent();
    });
    thread.on("error", (error) => {
      failure ??= outOfMemory(error) ?? error;
      onEvent();
    });
    thread.on("exit", (code) => {
      running--;
      if (code !== 0 && !isOver) failure ??= new MachineError(`A thread that reads the content ended with ${code}.`);
      onEvent();
    });
  }
  return {
    /** Resolves when there is a result for each job. Rejects if a thread fails. */
    addResults: (results: Map<number, JobResult>): Promise<void> =>
      new Promise((resolve, reject) => {
        onEvent = () => {
          for (const { index, result } of answers.splice(0)) results.set(index, result);
          if (failure !== undefined) reject(failure);
          else if (results.size === order.jobs.length) resolve();
          else if (running === 0) reject(new Error("The threads ended without all results."));
        };
        onEvent();
      }),
    /** Throws if a thread has failed, even if nobody needed its results. */
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(threads.map((thread) => thread.terminate()));
      if (failure !== undefined) throw failure;
    },
  };
}

const outOfMemory = (error: Error): MachineError | undefined =>
  "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? new MachineError(
        "A thread that reads the content ran out of memory.",
        "Divide large files, or build on one core.",
      )
    : undefined;
