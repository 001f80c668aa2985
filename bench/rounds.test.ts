import { expect, it } from "vitest";
import { reportText } from "./rounds.ts";

it("reports other programs in proportion to a fresh build", () => {
  const row = (name: string, low: number, median: number, high: number) => ({
    name,
    times: [high, low, median],
    median,
  });
  const rows = [
    { ...row("fresh", 95, 100, 104.6), cpu: 200 },
    { ...row("cp -r", 40, 50, 60), cpu: 100 },
    { ...row("again, unchanged", 18, 20, 22), cpu: 40 },
    row("dev, a save", 29, 30, 31),
  ];
  expect(reportText({ name: "10k", files: 213, peakKiB: 102_400, rows })).toBe(
    `
10k: 213 files, 100 MiB at most
  fresh               100 ms  95–105        cpu    200 ms
  cp -r                50 ms  40–60         cpu    100 ms  fresh is 2.00 × this
  again, unchanged     20 ms  18–22         cpu     40 ms  0.20 × fresh
  dev, a save          30 ms  29–31                        until it is served
`,
  );
});
