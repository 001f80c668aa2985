// The second thread of writer.ts, as plain JavaScript: it starts in a fraction of the time that a TypeScript loader
// takes. It writes batches of files, and tells how many batches it has done through a counter in shared memory; at the
// end it sends the inode and the ctime of each file.
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/** @type {Int32Array} The batches done; −1 after a failure. */
const progress = workerData;
/** @type {number[]} */
const stamps = [];
let scratch = Buffer.alloc(1 << 16);
let failed = false;

parentPort?.on("message", (batch) => {
  if (batch === undefined) {
    parentPort?.postMessage({ stamps: Float64Array.from(stamps) });
    parentPort?.close();
  } else if (!failed) {
    try {
      write(batch);
      Atomics.add(progress, 0, 1);
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
    let length = 0;
    for (let parts = spans[next++]; parts > 0; parts--) {
      const [source, start, end] = [spans[next++], spans[next++], spans[next++]];
      if (length + end - start > scratch.length) scratch = Buffer.concat([scratch], 2 * (length + end - start));
      scratch.set(sources[source].subarray(start, end), length);
      length += end - start;
    }
    const descriptor = openSync(`${folder}/${paths[index]}`, "w");
    try {
      for (let done = 0; done < length; ) done += writeSync(descriptor, scratch, done, length - done);
      const { ino, ctimeMs } = fstatSync(descriptor);
      stamps.push(ino, ctimeMs);
    } finally {
      closeSync(descriptor);
    }
  }
}
