import { describe, expect, it } from "vitest";
import { compare, comparisonText, isSlower, reportText } from "./report.ts";

const timing = (name: string, ...times: readonly number[]) => ({ name, times, median: times[1] ?? 0 });
const builds = (name: string, ...times: readonly number[]) => ({ ...timing(name, ...times), cpu: 2 * (times[1] ?? 0) });

it("compares other programs with a fresh build, and another checkout with the same row of this one", () => {
  const rows = [
    builds("fresh", 95, 100, 104.6),
    builds("before, fresh", 120, 125, 130),
    builds("cp -r", 40, 50, 60),
    builds("again, unchanged", 18, 20, 22),
    builds("before, again, unchanged", 15, 16, 17),
    timing("dev, a save", 29, 30, 31),
    timing("before, dev, a save", 59, 60, 61),
  ];
  expect(reportText({ name: "10k", files: 213, peaksKiB: [102_400, 204_800], rows })).toBe(
    `
10k: 213 files, 100 MiB, before 200 MiB at most
  fresh                       100 ms  95–105        cpu    200 ms
  before, fresh               125 ms  120–130       cpu    250 ms  fresh is 0.80 × this
  cp -r                        50 ms  40–60         cpu    100 ms  fresh is 2.00 × this
  again, unchanged             20 ms  18–22         cpu     40 ms  0.20 × fresh
  before, again, unchanged     16 ms  15–17         cpu     32 ms  again, unchanged is 1.25 × this
  dev, a save                  30 ms  29–31                        until it is served
  before, dev, a save          60 ms  59–61                        dev, a save is 0.50 × this
`,
  );
});

describe("the comparison with another checkout", () => {
  const rows = [
    builds("fresh", 90, 100, 110),
    builds("before, fresh", 40, 50, 60),
    builds("again, edited", 20, 22, 24),
    builds("before, again, edited", 19, 20, 21),
    timing("dev, a save", 29, 30, 31),
    timing("before, dev, a save", 59, 60, 61),
  ];
  const comparisons = compare({ name: "10k", files: 213, peaksKiB: [], rows });

  it("has the ratios of time and CPU, and marks what is slower than the limit", () => {
    expect(comparisonText(comparisons, 1.1)).toBe(
      [
        "| workload | build         | time × before | CPU × before |                  |",
        "| -------- | ------------- | ------------: | -----------: | ---------------- |",
        "| 10k      | fresh         |          2.00 |         2.00 | slower than 1.10 |",
        "| 10k      | again, edited |          1.10 |         1.10 |                  |",
        "| 10k      | dev, a save   |          0.50 |              |                  |",
      ].join("\n"),
    );
  });

  it.each([
    { time: 1.2, cpu: 1, slower: true },
    { time: 1, cpu: 1.2, slower: true },
    { time: 1.1, cpu: 1.1, slower: false },
    { time: 0.5, cpu: undefined, slower: false },
  ])("takes $time of the time and $cpu of the CPU as slower: $slower", ({ slower, ...ratios }) => {
    expect(isSlower({ workload: "10k", row: "fresh", ...ratios }, 1.1)).toBe(slower);
  });
});
