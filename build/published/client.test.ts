import { Agent } from "node:http";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { pauseOf } from "./client.ts";
import { ask } from "./request.ts";

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

it.each([
  ["5", 5],
  ["30", 30],
  ["7200", 30],
  ["-1", 30],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 30],
  ["", 2],
  [undefined, 2],
])("waits no longer than half a minute, whatever the server asks for: %s", (retryAfter, seconds) => {
  expect(pauseOf(retryAfter, 2_000)).toBe(1_000 * seconds);
});
