// Content folders on which tests run commands.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeSample } from "../check/sample.ts";
import { edgeNetwork } from "../edge-network.ts";

/** Two operations and their deployments, neither of which is the default one. */
export const [one, other] = edgeNetwork.lists.filter(({ paged }) => paged).map(({ name }) => name);

/** Writes a sample with a deployment of each of the two operations, named after it. */
export function writeContent(folder: string): void {
  writeSample(folder, { count: 30, pageSizes: [10] });
  const deployment = JSON.parse(readFileSync(path.join(folder, "deployments/edge.json"), "utf8"));
  for (const name of [one, other]) {
    const single = { ...deployment, operations: [name] };
    writeFileSync(path.join(folder, `deployments/${name}.json`), JSON.stringify(single));
  }
}

/** Writes content with six faults in two files. */
export function writeBroken(folder: string): void {
  mkdirSync(path.join(folder, "nodes"), { recursive: true });
  writeFileSync(path.join(folder, "nodes/a.yaml"), "- id: nod_1\n  pop: lhr9\n");
  writeFileSync(path.join(folder, "regions.json"), '[{"code":"lhr1","name":"London","zone":"eu","country":"GB"}]');
}
