import { createServer, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";

/** Starts a server that is stopped after the test, and returns its address. A buffer is the whole answer, head included. */
export async function serve(answer: RequestListener | Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (Buffer.isBuffer(answer)) response.socket?.end(answer);
    else answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
