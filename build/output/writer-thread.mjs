// The second thread of writer.ts, as plain JavaScript: it starts in a fraction of the time that a TypeScript loader
// takes. It writes batches of files, and tells how many batches it has done through a counter in shared memory; at the
// end it sends the inode and the ctime of each file.
import { parentPort, workerData } from "node:worker_threads";
import { scratchLength, writeParts } from "./write-parts.mjs";

/** @type {Int32Array} The weight of the batches done; −1 after a failure. */
const progress = workerData;
/** @type {number[]} */
const stamps = [];
const scratch = new Uint8Array(scratchLength);
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
    const parts = [];
    for (let left = spans[next++]; left > 0; left--) {
      const [source, start, end] = [spans[next++], spans[next++], spans[next++]];
      parts.push(sources[source].subarray(start, end));
    }
    stamps.push(...writeParts(`${folder}/${paths[index]}`, parts, scratch));
  }
}
