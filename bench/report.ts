// Times as a table. Only the ratios matter.
import { markdownTable } from "markdown-table";
import type { Timing } from "./rounds.ts";

export interface Report {
  readonly name: string;
  readonly files: number;
  /** The peak of this program, then of the program to compare with. */
  readonly peaksKiB: readonly number[];
  /** The first row is a fresh build. The rows of another checkout have our titles with the prefix "before, ". */
  readonly rows: readonly Timing[];
}

const prefix = "before, ";

export function reportText({ name, files, peaksKiB, rows }: Report): string {
  const width = Math.max(...rows.map((row) => row.name.length));
  const peaks = peaksKiB.map((peak) => `${Math.round(peak / 1024)} MiB`).join(", before ");
  const lines = rows.map((row) => {
    const { times } = row;
    const spread = `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))}`;
    const middle = `${String(Math.round(row.median)).padStart(7)} ms  ${spread.padEnd(14)}`;
    const cpu = row.cpu === undefined ? "" : `cpu ${String(Math.round(row.cpu)).padStart(6)} ms`;
    return `  ${row.name.padEnd(width)}${middle}${cpu.padEnd(15)}${ratioText(row, rows)}`.trimEnd();
  });
  return `\n${name}: ${files} files, ${peaks} at most\n${lines.join("\n")}\n`;
}

function ratioText({ name, median }: Timing, rows: readonly Timing[]): string {
  const ours = name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  const other = rows.find((row) => row.name === ours);
  if (other !== undefined) return `${other.name} is ${(other.median / median).toFixed(2)} × this`;
  const [fresh] = rows;
  if (fresh === undefined || fresh.name === name) return "";
  if (name.startsWith("again")) return `${(median / fresh.median).toFixed(2)} × fresh`;
  return name.startsWith("dev") ? "until it is served" : `fresh is ${(fresh.median / median).toFixed(2)} × this`;
}

/** A row of this program in proportion to the same row of another checkout. */
export interface Comparison {
  readonly workload: string;
  readonly row: string;
  readonly time: number;
  /** Undefined for rows without CPU time. */
  readonly cpu: number | undefined;
}

export const compare = ({ name: workload, rows }: Report): readonly Comparison[] =>
  rows.flatMap(({ name, median, cpu }) => {
    const before = rows.find((row) => row.name === `${prefix}${name}`);
    if (before === undefined) return [];
    const ofCpu = cpu === undefined || before.cpu === undefined ? undefined : cpu / before.cpu;
    return [{ workload, row: name, time: median / before.median, cpu: ofCpu }];
  });

export const isSlower = ({ time, cpu = 0 }: Comparison, limit: number): boolean => Math.max(time, cpu) > limit;

export function comparisonText(comparisons: readonly Comparison[], limit: number): string {
  const body = comparisons.map((each) => [
    each.workload,
    each.row,
    each.time.toFixed(2),
    each.cpu?.toFixed(2) ?? "",
    isSlower(each, limit) ? `slower than ${limit.toFixed(2)}` : "",
  ]);
  const head = ["workload", "build", "time × before", "CPU × before", ""];
  return markdownTable([head, ...body], { align: [null, null, "right", "right", null] });
}
