// Finds out which files differ and writes them into the staging folder. A large build spends most of its time in the
// system, opening files. A second thread saves a third of a build of 10,000 records with every page size, 124,000 files,
// whether it writes all of them or finds nothing changed. Synchronous calls are several times quicker than promises for
// many small files.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../files/checkout.ts";
import { bytesOf, type OutputFile } from "../files/file.ts";
import { settler } from "./output-thread.mjs";

export interface PlannedFile extends OutputFile {
  /** Whether there is a file of this path. */
  readonly isThere: boolean;
}

/** Planned files for the thread, with their bytes one after the other. */
export interface Batch {
  readonly files: readonly Omit<PlannedFile, "parts">[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `before` is the length of the existing file, -1 if there was none, undefined if its bytes are the same. */
type OnSettled = (file: PlannedFile, before: number | undefined) => void;

const filesPerBatch = 200;
const bytesPerBatch = 1 << 20;
/** From this many batches on, a thread is worth its start. */
const many = 20;
/** While the thread has this many batches to do, this one does them itself. */
const backlog = 3;

export async function writeDifferent(
  root: string,
  staging: string,
  files: Iterable<PlannedFile>,
  onSettled: OnSettled,
) {
  mkdirSync(staging);
  const settle = settler(root, staging);
  let thread: ReturnType<typeof startThread> | undefined;
  let batches = 0;
  try {
    for (const { batch, length } of batchesOf(files)) {
      // A large file is not copied.
      const isLarge = length > 2 * bytesPerBatch;
      if (++batches === many) thread = startThread(root, staging, onSettled);
      if (thread !== undefined && thread.backlog() < backlog && !isLarge) thread.post(batch, length);
      else
        for (const file of batch) onSettled(file, settle(file, isLarge ? () => file.parts() : () => [bytesOf(file)]));
      // For messages of the thread, and the heartbeat of the lock.
      await nextTurn();
    }
    await thread?.end();
  } finally {
    await thread?.stop();
  }
}

function* batchesOf(files: Iterable<PlannedFile>) {
  let batch: PlannedFile[] = [];
  let length = 0;
  for (const file of files) {
    batch.push(file);
    length += file.length;
    if (batch.length < filesPerBatch && length <= bytesPerBatch) continue;
    yield { batch, length };
    batch = [];
    length = 0;
  }
  yield { batch, length };
}

function startThread(root: string, staging: string, onSettled: OnSettled) {
  const file = new URL("output/output-thread.mjs", modulesFolder);
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const worker = new Worker(file, { workerData: { isOutputThread: true, root, staging }, execArgv: [] });
  const posted: (readonly PlannedFile[])[] = [];
  let failure: unknown;
  worker.on("message", (lengths: readonly (number | undefined)[]) => {
    for (const [index, planned] of (posted.shift() ?? []).entries()) onSettled(planned, lengths[index]);
  });
  worker.on("error", (error) => {
    failure = error;
  });
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    backlog: () => posted.length,
    post(batch: readonly PlannedFile[], length: number): void {
      throwIfFailed();
      posted.push(batch);
      const bytes = new Uint8Array(length);
      let end = 0;
      for (const planned of batch) {
        for (const part of planned.parts()) {
          bytes.set(part, end);
          end += part.length;
        }
      }
      const files = batch.map(({ file, length, isThere }) => ({ file, length, isThere }));
      worker.postMessage({ files, bytes } satisfies Batch, [bytes.buffer]);
    },
    async end(): Promise<void> {
      while (posted.length > 0) {
        throwIfFailed();
        await once(worker, "message");
      }
    },
    stop: () => worker.terminate(),
  };
}
