// Finds out which files differ and writes them into the staging folder. A large build spends most of its time in the
// system, opening files. A second thread saves a third of a build of 10,000 records with every page size, 124,000 files,
// whether it writes all of them or finds nothing changed. Synchronous calls are several times quicker than promises for
// many small files.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { OutputFile } from "../file.ts";
import { settler } from "./output-thread.mjs";

export interface Planned extends Pick<OutputFile, "file" | "length"> {
  /** Whether there is a file of this path. */
  readonly isThere: boolean;
}

/** Planned files with their bytes, one after the other. */
export interface Batch {
  readonly files: readonly Planned[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `before` is the length of the file that was there, -1 if there was none, undefined if its bytes are the same. */
export type OnSettled = (file: Planned, before: number | undefined) => void;

const filesPerBatch = 200;
const bytesPerBatch = 1 << 20;
/** From this many batches on, a thread is worth its start. */
const many = 20;
/** While the thread has this many batches to do, this one does them itself. */
const backlog = 3;

export function openWriter(root: string, staging: string, onSettled: OnSettled) {
  mkdirSync(staging);
  const { settle, settleAll } = settler(root, staging);
  let batch = startBatch();
  let batches = 0;
  let thread: ReturnType<typeof startThread> | undefined;
  return {
    /** Returns whether a batch is complete, and has to be flushed. */
    add(file: OutputFile, isThere: boolean): boolean {
      const planned = { file: file.file, length: file.length, isThere };
      if (planned.length <= bytesPerBatch) return batch.add(planned, file.parts());
      onSettled(planned, settle(planned, file.parts()));
      return false;
    },
    async flush(): Promise<void> {
      const full = batch.done();
      batch = startBatch();
      batches++;
      if (batches === many) thread = startThread(root, staging, onSettled);
      if (thread !== undefined && thread.backlog() < backlog) thread.post(full);
      else report(full.files, settleAll(full), onSettled);
      // For messages of the thread, and the heartbeat of the lock.
      await nextTurn();
    },
    async done(): Promise<void> {
      await this.flush();
      await thread?.end();
    },
    /** Ends the thread, whatever it is at. */
    stop: async () => thread?.stop(),
  };
}

function startBatch() {
  const files: Planned[] = [];
  const bytes = new Uint8Array(2 * bytesPerBatch);
  let end = 0;
  return {
    add(file: Planned, parts: readonly Uint8Array[]): boolean {
      files.push(file);
      for (const part of parts) {
        bytes.set(part, end);
        end += part.length;
      }
      return files.length === filesPerBatch || end > bytesPerBatch;
    },
    done: (): Batch => ({ files, bytes }),
  };
}

function report(files: readonly Planned[], lengths: readonly (number | undefined)[], onSettled: OnSettled): void {
  for (const [index, file] of files.entries()) onSettled(file, lengths[index]);
}

function startThread(root: string, staging: string, onSettled: OnSettled) {
  const file = new URL("output/output-thread.mjs", modulesFolder);
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const worker = new Worker(file, { workerData: { isOutputThread: true, root, staging }, execArgv: [] });
  const waiting: (readonly Planned[])[] = [];
  let failure: unknown;
  worker.on("message", (lengths: readonly (number | undefined)[]) => report(waiting.shift() ?? [], lengths, onSettled));
  worker.on("error", (error) => {
    failure = error;
  });
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    backlog: () => waiting.length,
    post(batch: Batch): void {
      throwIfFailed();
      waiting.push(batch.files);
      worker.postMessage(batch, [batch.bytes.buffer]);
    },
    async end(): Promise<void> {
      while (waiting.length > 0) {
        throwIfFailed();
        await once(worker, "message");
      }
    },
    stop: () => worker.terminate(),
  };
}
