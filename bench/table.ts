// Makes a table from rates. Servers take turns, and rates are compared only within a round, so that other load slows
// both sides of a ratio.
import { markdownTable } from "markdown-table";

export interface Measurement {
  readonly name: string;
  /** Requests per second, one number per round. */
  readonly rates: readonly number[];
  /** The name of the same program without rules; absent if it has none. */
  readonly bare?: string | undefined;
}

export interface Row {
  readonly name: string;
  /** The median of the rounds. */
  readonly requestsPerSecond: number;
  /** The median of the rounds' ratios to the rate of the bare file. */
  readonly ofBare: number | undefined;
  /** The median of the rounds' ratios to the rate of the peer. Undefined for the peer, or if the peer did not run. */
  readonly ofPeer: number | undefined;
}

export function rows(measurements: readonly Measurement[], peer: string): readonly Row[] {
  const ratio = (rates: readonly number[], to: string | undefined): number | undefined => {
    const other = measurements.find(({ name }) => name === to);
    return other && median(rates.map((rate, round) => rate / (other.rates[round] ?? Number.NaN)));
  };
  return measurements.map(({ name, rates, bare }) => ({
    name,
    requestsPerSecond: Math.round(median(rates)),
    ofBare: ratio(rates, bare),
    ofPeer: name === peer ? undefined : ratio(rates, peer),
  }));
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(upper) : (at(upper - 1) + at(upper)) / 2;
}

/** The table in Markdown. */
export function tableText(list: readonly Row[], peer: string): string {
  const ratio = (value: number | undefined) => value?.toFixed(2) ?? "";
  const head = ["", "requests/s", "of the bare file", `of ${peer}`];
  const body = list.map(({ name, requestsPerSecond, ofBare, ofPeer }) => [
    name,
    requestsPerSecond.toLocaleString("en-US"),
    ratio(ofBare),
    ratio(ofPeer),
  ]);
  return markdownTable([head, ...body], { align: head.map((_, column) => (column === 0 ? null : "right")) });
}
