// What the tests of commands share: a run of the command line in this process, and contents to run it on.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { listOperations } from "../../src/operations.ts";
import { writeSample } from "../conformance/sample.ts";
import { main } from "./main.ts";

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line with these arguments. cli.test.ts shows that a process of its own does the same. */
export async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  for (const [name, value] of Object.entries({ DEPLOYMENT: undefined, ...env })) vi.stubEnv(name, value);
  try {
    return { status: await main(args), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Two operations and their deployments, neither of which is the default one. */
export const [one, other] = listOperations.filter(({ paged }) => paged).map(({ name }) => name);

/** Writes a sample with a deployment of each of the two operations, called as it is. */
export function writeContent(folder: string): void {
  writeSample(folder, { count: 30, pageSizes: [10] });
  const status = { status: "operational", region: "London", components: [], updated_at: "2026-01-01T00:00:00Z" };
  for (const name of [one, other]) {
    writeFileSync(path.join(folder, `deployments/${name}.json`), JSON.stringify({ operations: [name], status }));
  }
}

/** Writes a content with six faults in two files. */
export function writeBroken(folder: string): void {
  mkdirSync(path.join(folder, "nodes"), { recursive: true });
  writeFileSync(path.join(folder, "nodes/a.yaml"), "- id: nod_1\n  pop: lhr9\n");
  writeFileSync(path.join(folder, "regions.json"), '[{"code":"lhr1","name":"London","zone":"eu","country":"GB"}]');
}
