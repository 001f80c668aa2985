import { describe, expect, it } from "vitest";
import { parseRate } from "./wrk.ts";

const printed = `Running 3s test @ http://127.0.0.1:3000/api/v1/nodes?limit=5
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.14ms  234.31us   5.12ms   89.10%
    Req/Sec    28.01k     1.21k   29.95k    73.33%
  84012 requests in 3.00s, 1.00GB read
Requests/sec:  27987.25
Transfer/sec:    341.20MB
`;

describe("parseRate", () => {
  it("reads the requests in a second", () => {
    expect(parseRate(printed)).toBe(27_987.25);
  });

  it.each(["  Non-2xx or 3xx responses: 12", "  Socket errors: connect 0, read 3, write 0, timeout 0"])(
    "refuses a run with%s",
    (line) => {
      expect(() => parseRate(printed.replace("Requests/sec", `${line}\nRequests/sec`))).toThrow(
        `Requests failed under load. ${line.trim()}.`,
      );
    },
  );

  it("rejects output of another program", () => {
    expect(() => parseRate("unable to connect to 127.0.0.1:3000\n")).toThrow("wrk gave no rate: unable to connect");
  });
});
