import { Agent } from "node:http";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../test/serve.ts";
import { Client, pauseOf } from "./client.ts";
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

it("takes a body after HEAD, which is forbidden, for no other answer", async () => {
  const answerOf = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const server = createServer((socket) => {
    let late = "";
    socket.on("data", (request) => {
      if (String(request).startsWith("HEAD")) {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
        late = answerOf("forbidden");
      } else socket.write(late + answerOf("right"));
    });
    socket.on("error", () => socket.destroy());
  });
  const { origin, stop } = await listen(server);
  const client = new Client(new URL(origin), "/api", {
    purpose: "test",
    maxBytes: 100,
    time: 60_000,
    patience: 0,
    waits: [],
  });
  onTestFinished(() => {
    client.close();
    return stop();
  });
  const request = { path: "/", query: "" };
  await client.send({ method: "HEAD", ...request }, 100);
  // The connection is kept from the next turn of the event loop on.
  await new Promise(setImmediate);
  const answer = await client.send({ method: "GET", ...request }, 100);
  expect(typeof answer === "string" ? answer : String(answer.body)).toBe("right");
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
