// The second thread of ledger.ts, as plain JavaScript, which starts quicker: it looks at the files of a ledger in their
// order, ahead of the build. Where that has overtaken it and looks itself, it leaps forward.
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { decodeLedger } from "./manifest-file.mjs";
import { isUntouched } from "./untouched.mjs";

/** @type {import("./manifest.ts").Lookout} */
const { ledger, root, time, states, position } = workerData;

const remains = decodeLedger(readFileSync(ledger));
const { files, lengths } = remains?.time === time ? remains : { files: [], lengths: [] };
const leap = 100;
const after = (/** @type {number} */ index) => {
  const overtaken = Atomics.load(position, 0);
  return overtaken > index ? overtaken + leap : index + 1;
};

for (let index = 0; index < files.length; index = after(index)) {
  const untouched = isUntouched(`${root}/${files[index]}`, lengths[index] ?? 0, time);
  Atomics.store(states, index, untouched ? 1 : 2);
}
