// The second thread of inspection.ts, as plain JavaScript, which starts quicker. It looks at the files of a manifest in
// order, ahead of the build. Where the build has overtaken it and looks itself, it leaps forward.
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { decodeManifest } from "./manifest-file.mjs";
import { isUntouched } from "./untouched.mjs";

/** @type {import("./inspection.ts").Inspection} */
const { manifestFile, root, time, states, position } = workerData;

const manifest = decodeManifest(readFileSync(manifestFile));
const { files, lengths, stamps } = manifest?.time === time ? manifest : { files: [], lengths: [], stamps: [] };
const leap = 100;
const after = (/** @type {number} */ index) => {
  const overtaken = Atomics.load(position, 0);
  return overtaken > index ? overtaken + leap : index + 1;
};

for (let index = 0; index < files.length; index = after(index)) {
  const isSame = isUntouched(`${root}/${files[index]}`, lengths[index], stamps[2 * index], stamps[2 * index + 1]);
  Atomics.store(states, index, isSame ? 1 : 2);
}
