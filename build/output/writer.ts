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

interface Waiting {
  readonly planned: Planned;
  readonly parts: readonly Uint8Array[];
}

const filesPerBatch = 200;
const bytesPerBatch = 1 << 20;
/** From this many batches on, a thread is worth its start. */
const many = 20;
/** While the thread has this many batches to do, this one does them itself. */
const backlog = 3;

export function openWriter(root: string, staging: string, onSettled: OnSettled) {
  mkdirSync(staging);
  const { settle } = settler(root, staging);
  let waiting: Waiting[] = [];
  let [bytes, batches] = [0, 0];
  let thread: ReturnType<typeof startThread> | undefined;
  return {
    /** Returns whether a batch is complete, and has to be flushed. */
    add(file: OutputFile, isThere: boolean): boolean {
      const planned = { file: file.file, length: file.length, isThere };
      waiting.push({ planned, parts: file.parts() });
      bytes += planned.length;
      return waiting.length === filesPerBatch || bytes > bytesPerBatch;
    },
    async flush(): Promise<void> {
      const [files, length] = [waiting, bytes];
      [waiting, bytes] = [[], 0];
      if (++batches === many) thread = startThread(root, staging, onSettled);
      // A large file is not copied.
      const isSmall = length <= 2 * bytesPerBatch;
      if (isSmall && thread !== undefined && thread.backlog() < backlog) thread.post(batchOf(files, length));
      else for (const { planned, parts } of files) onSettled(planned, settle(planned, parts));
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

function batchOf(files: readonly Waiting[], length: number): Batch {
  // A buffer of its own, which the thread takes over.
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const { parts } of files) {
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
    }
  }
  return { files: files.map(({ planned }) => planned), bytes };
}

function startThread(root: string, staging: string, onSettled: OnSettled) {
  const file = new URL("output/output-thread.mjs", modulesFolder);
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const worker = new Worker(file, { workerData: { isOutputThread: true, root, staging }, execArgv: [] });
  const posted: (readonly Planned[])[] = [];
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
    post(batch: Batch): void {
      throwIfFailed();
      posted.push(batch.files);
      worker.postMessage(batch, [batch.bytes.buffer]);
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
