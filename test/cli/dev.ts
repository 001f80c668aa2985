// The command `dev` in the process of a test, with content that the test changes.
import { readFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { startDev } from "../../build/cli/commands/dev.ts";
import { ask } from "../ask.ts";
import { writeSample } from "../check/sample.ts";

export const until = (expectation: () => unknown): Promise<unknown> =>
  vi.waitFor(expectation, { timeout: 120_000, interval: 20 });

export interface Started {
  readonly origin: () => string;
  /** What dev has printed so far. */
  readonly printed: () => string;
  /** The body of the answer to a path below the base. */
  readonly get: (path: string) => Promise<string>;
}

/** Starts dev until the test ends. */
export async function start(content: string, config?: string, port = 0): Promise<Started> {
  let printed = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
  const { stop } = await startDev({ content, port, all: false, ...(config && { config }) });
  onTestFinished(stop);
  const origin = () => / on (http:\S+) /.exec(printed)?.[1] ?? "";
  return {
    origin,
    printed: () => printed,
    async get(path) {
      return (await ask(origin(), { method: "GET", path, query: "" })).body;
    },
  };
}

/** Writes a sample, and returns its folder and a file of it. */
export function sampleIn(folder: string, name: string) {
  const content = path.join(folder, name);
  writeSample(content, { count: 3, pageSizes: [5] });
  const regions = path.join(content, "regions.json");
  const right: readonly { readonly name: string; readonly code: string }[] = JSON.parse(readFileSync(regions, "utf8"));
  /** The regions, the first of which has another name. */
  const named = (name: string) => JSON.stringify(right.map((item, index) => (index === 0 ? { ...item, name } : item)));
  return { content, regions, right, named };
}
