import { describe, expect, it } from "vitest";
import { parseRate, ratesTable } from "./rates.ts";
import { median } from "./rounds.ts";

const printed = `Running 3s test @ http://127.0.0.1:3000/api/v1/nodes?limit=5
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.14ms  234.31us   5.12ms   89.10%
    Req/Sec    28.01k     1.21k   29.95k    73.33%
  84012 requests in 3.00s, 1.00GB read
Requests/sec:  27987.25
Transfer/sec:    341.20MB
`;

describe("wrk's output", () => {
  it("has the requests in a second", () => {
    expect(parseRate(printed)).toBe(27_987.25);
  });

  it.each(["  Non-2xx or 3xx responses: 12", "  Socket errors: connect 0, read 3, write 0, timeout 0"])(
    "is refused with%s",
    (line) => {
      expect(() => parseRate(printed.replace("Requests/sec", `${line}\nRequests/sec`))).toThrow(
        `Requests failed under load. ${line.trim()}.`,
      );
    },
  );
});

it.each([
  { values: [3, 1, 2], middle: 2 },
  { values: [4, 1, 3, 2], middle: 2.5 },
  { values: [100, 20, 3], middle: 20 },
])("the median of $values is $middle", ({ values, middle }) => {
  expect(median(values)).toBe(middle);
});

it("the table compares servers within a round, and leaves out a peer that did not run", () => {
  const measured = [
    { name: "nginx, bare file", rates: [20_000, 10_000, 30_000] },
    { name: "nginx", rates: [19_000, 9_000, 30_000], bare: "nginx, bare file" },
    { name: "Peer", rates: [10_000, 5_000, 10_000] },
  ];
  expect(ratesTable(measured, "Peer")).toBe(
    [
      "|                  | requests/s | of the bare file | of Peer |",
      "| ---------------- | ---------: | ---------------: | ------: |",
      "| nginx, bare file |     20,000 |                  |    2.00 |",
      "| nginx            |     19,000 |             0.95 |    1.90 |",
      "| Peer             |     10,000 |                  |         |",
    ].join("\n"),
  );
  expect(ratesTable(measured.slice(0, 1), "Peer")).toMatch(/^\| nginx, bare file \| +20,000 \| +\| +\|$/m);
});
