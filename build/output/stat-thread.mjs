// The second thread of ledger.ts, as plain JavaScript, which starts quicker: it looks at the files of a ledger from the
// last one on, while the build comes from the first, and ends where they meet.
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { isUntouched } from "./untouched.mjs";

/** @type {import("./ledger.ts").Lookout} */
const { ledger, root, time, states, position } = workerData;

const [, ...lines] = readFileSync(ledger, "utf8").split("\n");
for (let index = lines.length - 1; index > Atomics.load(position, 0); index--) {
  const [, length, file] = /^\d+ (\d+) (.*)$/.exec(lines[index]) ?? [];
  const untouched = file !== undefined && isUntouched(`${root}/${file}`, Number(length), time);
  Atomics.store(states, index, untouched ? 1 : 2);
}
