// Writes files into the staging folder. Runs in the main thread and in a second one, which loads this file: plain
// JavaScript, because a thread has no loader for TypeScript.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";

/** @typedef {import("./writer.ts").Batch} Batch */

/**
 * Returns functions for a single file and for a batch.
 * @param {string} staging
 */
export function stager(staging) {
  const known = new Set([".", ""]);

  /**
   * Not { recursive: true }, which would make again what vanished with the lock. The other thread may make the same folder.
   * @param {string} folder
   */
  function addFolder(folder) {
    if (known.has(folder)) return;
    addFolder(path.posix.dirname(folder));
    try {
      mkdirSync(`${staging}/${folder}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    known.add(folder);
  }

  /**
   * @param {string} file
   * @param {readonly Uint8Array[]} parts
   */
  function write(file, parts) {
    addFolder(path.posix.dirname(file));
    const descriptor = openSync(`${staging}/${file}`, "w");
    try {
      for (const part of parts) {
        for (let done = 0; done < part.length; ) done += writeSync(descriptor, part, done);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** @param {Batch} batch */
  function writeAll({ files, ends, bytes }) {
    let start = 0;
    for (const [index, file] of files.entries()) {
      write(file, [bytes.subarray(start, ends[index])]);
      start = ends[index] ?? start;
    }
  }

  return { write, writeAll };
}

if (workerData?.isOutputThread === true) {
  const { writeAll } = stager(workerData.staging);
  parentPort?.on("message", (/** @type {Batch} */ batch) => {
    writeAll(batch);
    parentPort?.postMessage(undefined);
  });
}
