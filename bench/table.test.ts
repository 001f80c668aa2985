import { describe, expect, it } from "vitest";
import { median, rows, tableText } from "./table.ts";

const measured = [
  { name: "nginx, bare file", rates: [20_000, 10_000, 30_000] },
  { name: "nginx", rates: [19_000, 9_000, 30_000], bare: "nginx, bare file" },
  { name: "Peer", rates: [10_000, 5_000, 10_000] },
];

describe("median", () => {
  it.each([
    { values: [3, 1, 2], middle: 2 },
    { values: [4, 1, 3, 2], middle: 2.5 },
    { values: [100, 20, 3], middle: 20 },
    { values: [7], middle: 7 },
  ])("of $values is $middle", ({ values, middle }) => {
    expect(median(values)).toBe(middle);
  });
});

describe("rows", () => {
  it("compares servers within a round, and takes the median of the rounds", () => {
    expect(rows(measured, "Peer")).toEqual([
      { name: "nginx, bare file", requestsPerSecond: 20_000, ofBare: undefined, ofPeer: 2 },
      { name: "nginx", requestsPerSecond: 19_000, ofBare: 0.95, ofPeer: 1.9 },
      { name: "Peer", requestsPerSecond: 10_000, ofBare: undefined, ofPeer: undefined },
    ]);
  });

  it("leave out the ratio to a peer that did not run", () => {
    expect(rows(measured.slice(0, 2), "Peer").map(({ ofPeer }) => ofPeer)).toEqual([undefined, undefined]);
  });
});

describe("tableText", () => {
  it("is a table in Markdown", () => {
    expect(tableText(rows(measured, "Peer"), "Peer")).toBe(
      [
        "|                  | requests/s | of the bare file | of Peer |",
        "| ---------------- | ---------: | ---------------: | ------: |",
        "| nginx, bare file |     20,000 |                  |    2.00 |",
        "| nginx            |     19,000 |             0.95 |    1.90 |",
        "| Peer             |     10,000 |                  |         |",
      ].join("\n"),
    );
  });
});
