// Requests per second: wrk (https://github.com/wg/wrk), which requests one address repeatedly, and a table of its
// rates. Servers take turns, and rates are compared only within a round, so that other load slows both sides of a ratio.
import { markdownTable } from "markdown-table";
import type { HostProgram } from "../build/hosts/host.ts";
import { execute } from "./execute.ts";
import { median } from "./rounds.ts";

export const wrk: HostProgram = {
  command: "wrk",
  install: "apt-get install wrk, brew install wrk, or https://github.com/wg/wrk",
  run: () => ({ files: [], args: [] }),
};

export interface Load {
  readonly seconds: number;
  /** Open connections. Each sends the next request as soon as it has an answer. */
  readonly connections: number;
}

/** The answered requests per second of an address. */
export async function requestsPerSecond(address: string, { seconds, connections }: Load): Promise<number> {
  const args = ["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`, address];
  return parseRate(await execute({ file: wrk.command, args }));
}

/** Parses wrk's output. Throws if requests failed: a server that refuses is fast. */
export function parseRate(printed: string): number {
  const failed = /^ *(?:Non-2xx or 3xx responses|Socket errors): .*$/m.exec(printed)?.[0];
  if (failed !== undefined) throw new Error(`Requests failed under load. ${failed.trim()}.`);
  const rate = /^Requests\/sec: +([0-9.]+)$/m.exec(printed)?.[1];
  if (rate === undefined) throw new Error(`wrk gave no rate: ${printed.trim()}`);
  return Number(rate);
}

export interface Measurement {
  readonly name: string;
  /** Requests per second, one number per round. */
  readonly rates: readonly number[];
  /** The name of the same program without rules; absent if it has none. */
  readonly bare?: string | undefined;
}

/** A table in Markdown: the median rate, and the medians of the rounds' ratios to the bare file and to the peer. */
export function ratesTable(measurements: readonly Measurement[], peer: string): string {
  const ratio = (rates: readonly number[], to: string | undefined): string => {
    const other = measurements.find(({ name }) => name === to)?.rates;
    return other === undefined
      ? ""
      : median(rates.map((rate, round) => rate / (other[round] ?? Number.NaN))).toFixed(2);
  };
  const head = ["", "requests/s", "of the bare file", `of ${peer}`];
  const body = measurements.map(({ name, rates, bare }) => [
    name,
    Math.round(median(rates)).toLocaleString("en-US"),
    ratio(rates, bare),
    name === peer ? "" : ratio(rates, peer),
  ]);
  return markdownTable([head, ...body], { align: head.map((_, column) => (column === 0 ? null : "right")) });
}
