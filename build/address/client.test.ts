import { Agent } from "node:http";
import { createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { ask, openClient } from "./client.ts";

vi.mock("node:timers/promises", { spy: true });

it("sends a request again if the server closes the kept connection at that moment", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let count = 0;
    socket.on("data", () => {
      if (++count === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
      else socket.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  const request = { method: "GET", path: "/", query: "" };
  const answers = [];
  for (let count = 0; count < 2; count++) {
    answers.push(String((await ask(`http://127.0.0.1:${address.port}`, request, {}, { agent })).body));
    // The connection is kept from the next turn of the event loop on.
    await new Promise(setImmediate);
  }
  expect({ answers, connections: sockets.length }).toEqual({ answers: ["x", "x"], connections: 2 });
});

/** A client of a server that answers each request with a text. */
async function clientOf(answer: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", () => socket.write(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  const options = { purpose: "test", most: 1_000, time: 60_000, patience: 10_000, waits: [1] };
  const client = openClient(new URL(`http://127.0.0.1:${address.port}`), "/api/v1", options);
  onTestFinished(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return client;
}

it.each([
  ["7200", 30],
  ["-1", 30],
  ["soon", 30],
  ["5", 5],
])("waits no longer than half a minute, whatever the server asks for: %s", async (asked, seconds) => {
  const client = await clientOf(`HTTP/1.1 503 Busy\r\nRetry-After: ${asked}\r\nContent-Length: 0\r\n\r\n`);
  const sleep = vi.mocked(setTimeout).mockReset().mockResolvedValue(undefined);
  await client.send({ method: "GET", path: "/", query: "" }, 1_000);
  expect(sleep.mock.calls.map(([time]) => time)).toEqual([1_000 * seconds]);
});
