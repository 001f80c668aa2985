// The second thread of writer.ts, as plain JavaScript: it starts in a fraction of the time that a TypeScript loader
// takes. It writes batches of files, and tells how many batches it has done through a counter in shared memory; at the
// end it sends the inode and the ctime of each file.
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/** @type {Int32Array} The weight of the batches done; −1 after a failure. */
const progress = workerData;
/** @type {number[]} */
const stamps = [];
/** Parts that are longer are written by themselves. */
const scratch = Buffer.alloc(1 << 20);
let failed = false;

parentPort?.on("message", (batch) => {
  if (batch === undefined) {
    parentPort?.postMessage({ stamps: Float64Array.from(stamps) });
    parentPort?.close();
  } else if (!failed) {
    try {
      write(batch);
      Atomics.add(progress, 0, batch.weight);
    } catch (error) {
      failed = true;
      Atomics.store(progress, 0, -1);
      // An error loses its code where it is cloned.
      parentPort?.postMessage({ failure: { message: error.message, ...error } });
    }
  }
});

/** @param {import("./writer.ts").Batch} batch */
function write({ folder, names, spans, own, shared }) {
  const sources = [own, ...shared];
  const paths = names.split("\0");
  for (let [index, next] = [0, 0]; next < spans.length; index++) {
    const descriptor = openSync(`${folder}/${paths[index]}`, "w");
    try {
      let length = 0;
      for (let parts = spans[next++]; parts > 0; parts--) {
        const [source, start, end] = [spans[next++], spans[next++], spans[next++]];
        const part = sources[source].subarray(start, end);
        if (length + part.length > scratch.length) {
          writeAll(descriptor, scratch, length);
          length = 0;
        }
        if (part.length > scratch.length) writeAll(descriptor, part, part.length);
        else {
          scratch.set(part, length);
          length += part.length;
        }
      }
      writeAll(descriptor, scratch, length);
      const { ino, ctimeMs } = fstatSync(descriptor);
      stamps.push(ino, ctimeMs);
    } finally {
      closeSync(descriptor);
    }
  }
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} bytes
 * @param {number} length
 */
function writeAll(descriptor, bytes, length) {
  for (let done = 0; done < length; ) done += writeSync(descriptor, bytes, done, length - done);
}
