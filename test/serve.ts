// Servers of tests, on any free port of this machine.
import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as TcpServer } from "node:net";
import { onTestFinished } from "vitest";

export interface Listening {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

export async function listen(server: Server | TcpServer): Promise<Listening> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  const stop = () =>
    new Promise<void>((stopped) => {
      server.close(() => stopped());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${address.port}`, stop };
}

/** Starts a server that is stopped after the test, and returns its address. A buffer is the whole answer, head included. */
export async function serve(answer: RequestListener | Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (Buffer.isBuffer(answer)) response.socket?.end(answer);
    else answer(request, response);
  });
  const { origin, stop } = await listen(server);
  onTestFinished(stop);
  return origin;
}
