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
function write({ folder, names, counts, spans, own, shared }) {
  const sources = [own, ...shared];
  let span = 0;
  for (const [index, name] of names.entries()) {
    let length = 0;
    for (let part = 0; part < counts[index]; part++, span += 3) {
      const [source, start, end] = [spans[span], spans[span + 1], spans[span + 2]];
      if (length + end - start > scratch.length) scratch = Buffer.concat([scratch], 2 * (length + end - start));
      scratch.set(sources[source].subarray(start, end), length);
      length += end - start;
    }
    const descriptor = openSync(`${folder}/${name}`, "w");
    try {
      for (let done = 0; done < length; ) done += writeSync(descriptor, scratch, done, length - done);
      const { ino, ctimeMs } = fstatSync(descriptor);
      stamps.push(ino, ctimeMs);
    } finally {
      closeSync(descriptor);
    }
  }
}
