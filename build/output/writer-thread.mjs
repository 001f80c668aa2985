// The second thread of writer.ts. It writes batches of files, counts them in shared memory, and sends the inode and the
// ctime of each file at the end.
import { parentPort, workerData } from "node:worker_threads";
import { writeFile } from "./write-file.mjs";

/** @type {Int32Array} The number of batches done; −1 after a failure. */
const progress = workerData;
/** @type {number[]} */
const stamps = [];
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
      // An error loses its code when it is cloned.
      parentPort?.postMessage({ failure: { message: error.message, ...error } });
    }
  }
});

/** @param {import("./writer.ts").Batch} batch */
function write({ folder, names, lengths, bytes }) {
  let start = 0;
  for (const [index, name] of names.entries()) {
    const end = start + lengths[index];
    stamps.push(...writeFile(`${folder}/${name}`, [bytes.subarray(start, end)]));
    start = end;
  }
}
