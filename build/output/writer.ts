// Finds out which files differ and writes them into the staging folder. A large build spends most of its time in the
// system, opening files. A second thread saves a third of a build of 10,000 records with every page size, 124,000 files,
// whether it writes all of them or finds nothing changed. Synchronous calls are several times quicker than promises for
// many small files.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../files/checkout.ts";
import type { OutputFile } from "../files/file.ts";
import { settleAll, settler } from "./output-thread.mjs";

export interface PlannedFile extends OutputFile {
  /** Whether there is a file of this path. */
  readonly isThere: boolean;
}

/** Files, with their bytes one after the other at the start of the memory. */
export interface Batch {
  readonly files: readonly Omit<PlannedFile, "parts">[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Of each file the length of the existing one, -1 if there was none, undefined if its bytes are the same. */
type Lengths = readonly (number | undefined)[];

type OnSettled = (file: PlannedFile, before: Lengths[number]) => void;

const filesPerBatch = 200;
const bytesPerBatch = 1 << 20;
/** In bytes. A larger batch has a large file, and is not copied. */
const maxInMemory = 2 * bytesPerBatch;
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
  const memory = new Memory();
  let thread: ReturnType<typeof startThread> | undefined;
  let batches = 0;
  try {
    for (const { files: batch, length } of batchesOf(files)) {
      if (++batches === many) thread = startThread(root, staging, memory, onSettled);
      if (length > maxInMemory) {
        for (const file of batch) {
          const before = settle(file, () => file.parts());
          onSettled(file, before);
        }
      } else if (thread !== undefined && thread.backlog() < backlog) {
        thread.post(batch, memory.fill(batch));
      } else {
        const bytes = memory.fill(batch);
        const lengths = settleAll(settle, { files: batch, bytes });
        memory.free(bytes);
        for (const [index, file] of batch.entries()) onSettled(file, lengths[index]);
      }
      // For messages of the thread, and the heartbeat of the lock.
      await nextTurn();
    }
    await thread?.end();
  } finally {
    await thread?.stop();
  }
}

/** Memory for batches, which is used again: neither thread collects its garbage as quickly as new memory would fill. */
class Memory {
  readonly #spare: Batch["bytes"][] = [];

  /** The bytes of files. */
  fill(files: readonly PlannedFile[]): Batch["bytes"] {
    const bytes = this.#spare.pop() ?? new Uint8Array(maxInMemory);
    let start = 0;
    for (const planned of files) {
      const { file, length } = planned;
      const end = start + length;
      for (const part of planned.parts()) {
        if (start + part.length <= end) bytes.set(part, start);
        start += part.length;
      }
      if (start !== end) throw new Error(`${file} does not have the length that was planned, ${length}.`);
    }
    return bytes;
  }

  /** Takes memory that `fill` has returned and that nobody reads any more. */
  free(bytes: Batch["bytes"]): void {
    this.#spare.push(bytes);
  }
}

function* batchesOf(files: Iterable<PlannedFile>) {
  let batch: PlannedFile[] = [];
  let length = 0;
  for (const file of files) {
    batch.push(file);
    length += file.length;
    if (batch.length < filesPerBatch && length <= bytesPerBatch) continue;
    yield { files: batch, length };
    batch = [];
    length = 0;
  }
  yield { files: batch, length };
}

function startThread(root: string, staging: string, memory: Memory, onSettled: OnSettled) {
  const file = new URL("output/output-thread.mjs", modulesFolder);
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const worker = new Worker(file, { workerData: { isOutputThread: true, root, staging }, execArgv: [] });
  const posted: (readonly PlannedFile[])[] = [];
  let failure: unknown;
  worker.on("message", ({ lengths, bytes }: { readonly lengths: Lengths; readonly bytes: Batch["bytes"] }) => {
    memory.free(bytes);
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
    post(batch: readonly PlannedFile[], bytes: Batch["bytes"]): void {
      throwIfFailed();
      posted.push(batch);
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
