// Reading an earlier build from an address, with retries after temporary faults of its server.

import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { serve } from "../../test/serve.ts";
import { findPrevious } from "./previous.ts";

const find = (from: string) => findPrevious(from, "/api/v1", [10, 10]);

const readDumps = expect.any(Function);
const state = { kind: "state", bytes: Buffer.from("state"), isInterrupted: false, readDumps };

describe("a fault of the server is unusable after three attempts, and forgotten if the second one succeeds:", () => {
  it.each<[string, RequestListener, RegExp]>([
    ...[400, 403, 429, 500, 502, 503].map(
      (status) =>
        [
          `the status ${status}`,
          (_, response) => response.writeHead(status).end("busy"),
          new RegExp(`^the status of the answer is ${status}$`),
        ] satisfies [string, RequestListener, RegExp],
    ),
    ["a closed connection", (_, response) => response.socket?.destroy(), /^the connection was closed$/],
    [
      "an answer that breaks off",
      (_, response) => {
        response.writeHead(200, { "content-length": 1_000 }).write("{");
        setTimeout(() => response.destroy(), 20);
      },
      /^the connection was closed$/,
    ],
    [
      "a server that asks to wait",
      (_, response) => response.writeHead(503, { "retry-after": "0" }).end(),
      /^the status of the answer is 503$/,
    ],
  ])("%s", async (_, answer, reason) => {
    let count = 0;
    const failing = await serve((request, response) => {
      count++;
      answer(request, response);
    });
    expect(await find(failing)).toEqual({ kind: "unusable", reason: expect.stringMatching(reason) });
    expect(count).toBe(3);
    let isFirst = true;
    const recovering = await serve((request, response) => {
      if (isFirst) answer(request, response);
      else response.end("state");
      isFirst = false;
    });
    expect(await find(recovering)).toEqual(state);
  });
});

it.each<[string, RequestListener, string]>([
  [
    "a redirect",
    (_, response) => response.writeHead(302, { location: "http://127.0.0.2:9/" }).end(),
    "the status of the answer is 302, to http://127.0.0.2:9/",
  ],
])("cannot use %s, and asks once", async (_, answer, reason) => {
  expect(await find(await serve(answer))).toEqual({ kind: "unusable", reason });
});

it.each([404, 410])("takes the status %i for no earlier build, at once", async (status) => {
  let count = 0;
  const origin = await serve((_, response) => {
    count++;
    response.writeHead(status).end();
  });
  expect(await find(origin)).toEqual({ kind: "none" });
  expect(count).toBe(1);
});

it("gives up on a server that does not exist", async () => {
  const origin = await serve((_, response) => response.end());
  const closed = origin.replace(/\d+$/, (port) => String(Number(port) === 65_535 ? 65_534 : 65_535));
  expect(await find(closed)).toEqual({
    kind: "unusable",
    reason: `the server at ${new URL(closed).host} refuses connections`,
  });
  expect(await find("http://nothing.invalid")).toEqual({
    kind: "unusable",
    reason: "there is no host nothing.invalid",
  });
});

it("sends the name and the password of the address", async () => {
  const origin = await serve(({ headers }, response) => {
    const expected = `Basic ${Buffer.from("user:s e%cret").toString("base64")}`;
    response.writeHead(headers.authorization === expected ? 200 : 401).end("state");
  });
  expect(await find(origin.replace("//", "//user:s%20e%25cret@"))).toEqual(state);
  expect(await find(origin.replace("//", "//user:wrong%zz@"))).toMatchObject({ kind: "unusable" });
});
