// Writes the files of a staging folder. A large build spends most of its time in the system, making files, and a second
// thread halves that; small builds are done before it has started. Synchronous calls are several times quicker than
// promises for many small files.
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { OutputFile } from "../file.ts";
import { scratchLength, writeParts } from "./write-parts.mjs";

export interface Writer {
  /** `at` is a path in the folder; its parent exists. */
  write(at: string, file: OutputFile): void;
  /** Resolves when all is written, with inode and ctime of each file in turn. Rejects with the system's error. */
  done(): Promise<readonly number[]>;
  /** Ends the thread of a build that fails elsewhere. */
  stop(): Promise<void>;
}

/** From this many files on, a thread is worth its start. */
const many = 2_000;
/** How many batches may wait for the thread. While there are more, this thread writes itself. */
const backlog = 3;

export function openWriter(folder: string): Writer {
  const stamps: number[] = [];
  /** Where the stamps belong that the thread sends. */
  const sent: number[] = [];
  let thread: WriterThread | undefined;
  let batch = startBatch(folder);
  const scratch = new Uint8Array(scratchLength);
  return { write, done, stop };

  function write(at: string, file: OutputFile): void {
    if (stamps.length === 2 * many) thread = startThread();
    if (thread === undefined || thread.backlog() >= backlog) {
      writeHere(at, file);
      return;
    }
    sent.push(stamps.push(Number.NaN, Number.NaN) - 2);
    if (batch.add(at, file)) {
      thread.post(batch.done());
      batch = startBatch(folder);
    }
  }

  function writeHere(at: string, file: OutputFile): void {
    stamps.push(...writeParts(`${folder}/${at}`, file.parts(), scratch));
  }

  async function done(): Promise<readonly number[]> {
    thread?.post(batch.done());
    const numbers = (await thread?.end()) ?? [];
    for (const [order, index] of sent.entries()) {
      stamps[index] = numbers[2 * order] ?? Number.NaN;
      stamps[index + 1] = numbers[2 * order + 1] ?? Number.NaN;
    }
    return stamps;
  }

  async function stop(): Promise<void> {
    await thread?.stop();
  }
}

/** Files for the thread. */
export interface Batch {
  readonly folder: string;
  /** How many usual batches take as long. */
  readonly weight: number;
  /** Their paths in the folder, with NUL between them. One text, and numbers in one array, are quick to send. */
  readonly names: string;
  /**
   * For each file how many parts it has, and for each part three numbers: what it is in (0 for `own`, from 1 on for one
   * of `shared`), its start and its end.
   */
  readonly spans: Float64Array<ArrayBuffer>;
  readonly own: Uint8Array<ArrayBuffer>;
  /** Memory that both threads see. */
  readonly shared: readonly Uint8Array[];
}

const filesPerBatch = 200;
const bytesPerBatch = 1 << 22;

/** `add` says whether that is enough for a batch. */
function startBatch(folder: string): { add(at: string, file: OutputFile): boolean; done(): Batch } {
  const names: string[] = [];
  const spans: number[] = [];
  const shared: Uint8Array[] = [];
  let own = new Uint8Array(1 << 15);
  let used = 0;
  let bytes = 0;
  return {
    add(at, file) {
      const parts = file.parts();
      bytes += file.entry.length;
      names.push(at);
      spans.push(parts.length);
      for (const part of parts) {
        if (part.buffer instanceof SharedArrayBuffer) {
          spans.push(1 + indexOfSource(part.buffer), part.byteOffset, part.byteOffset + part.length);
        } else {
          spans.push(0, used, used + part.length);
          keep(part);
        }
      }
      return names.length === filesPerBatch || bytes >= bytesPerBatch;
    },
    done() {
      const weight = Math.ceil(bytes / bytesPerBatch);
      return { folder, weight, names: names.join("\0"), spans: new Float64Array(spans), own, shared };
    },
  };

  function indexOfSource(buffer: SharedArrayBuffer): number {
    const known = shared.findIndex((source) => source.buffer === buffer);
    return known === -1 ? shared.push(new Uint8Array(buffer)) - 1 : known;
  }

  function keep(part: Uint8Array): void {
    if (used + part.length > own.length) {
      const larger = new Uint8Array(2 * (used + part.length));
      larger.set(own);
      own = larger;
    }
    own.set(part, used);
    used += part.length;
  }
}

interface WriterThread {
  /** How many batches it has not done yet. None once it has failed. */
  backlog(): number;
  post(batch: Batch): void;
  /** Inode and ctime of each file it has written, in their order. */
  end(): Promise<Float64Array>;
  stop(): Promise<void>;
}

function startThread(): WriterThread {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const worker = new Worker(new URL("output/writer-thread.mjs", modulesFolder), { workerData: progress, execArgv: [] });
  const ended = new Promise<Float64Array>((resolve, reject) => {
    worker.once("message", ({ stamps, failure }) => {
      if (failure === undefined) resolve(stamps);
      else reject(Object.assign(new Error(failure.message), failure));
    });
    worker.once("error", reject);
  });
  // `end` awaits it; until then it is not an unhandled rejection.
  ended.catch(() => undefined);
  let posted = 0;
  return {
    backlog() {
      const done = Atomics.load(progress, 0);
      return done < 0 ? 0 : posted - done;
    },
    post(batch) {
      posted += batch.weight;
      worker.postMessage(batch, [batch.own.buffer, batch.spans.buffer]);
    },
    async end() {
      worker.postMessage(undefined);
      return await ended.finally(() => worker.terminate());
    },
    async stop() {
      await worker.terminate();
    },
  };
}
