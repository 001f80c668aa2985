import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./fixture.ts";

it.each([[[]], [["--host", "nginx"]]])("names a port that is taken: %j", async (more) => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  expect(await run(["preview", "--port", `${port}`, ...more])).toEqual({
    status: 2,
    stdout: "",
    stderr: `✗ Port ${port} is taken. Stop what listens there, or choose another port with --port.\n`,
  });
});
