import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { run } from "../../../test/cli/run-command.ts";
import { hosts } from "../../hosts/hosts.ts";
import { findProgram } from "../preview/program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-preview-"));
const dist = path.join(folder, "dist");
const nginx = hosts.get("nginx");

beforeAll(async () => {
  writeSample(path.join(folder, "content"), { count: 3, pageSizes: [5] });
  await buildForTest(path.join(folder, "content"), dist, nginx === undefined ? [] : [nginx]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const isInstalled = nginx?.program !== undefined && findProgram(nginx.program) !== undefined;

async function takePort(): Promise<number | undefined> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

it.each([[[]], ...(isInstalled ? [[["--host", "nginx"]]] : [])])("names a port that is in use: %j", async (more) => {
  const port = await takePort();
  expect(await run(["preview", "--out", dist, "--port", `${port}`, ...more])).toEqual({
    status: 2,
    stdout: "",
    stderr: `✗ Port ${port} is in use. Stop the program that listens there, or choose another port with --port.\n`,
  });
});

it.each([
  [["--out", "nowhere"], "✗ nowhere holds no built API. Run the build first, or name another folder with --out.\n"],
  [
    ["--out", "nowhere", "--host", "nginx"],
    "✗ nowhere holds no built API. Run the build first, or name another folder with --out.\n",
  ],
  [
    ["--out", dist, "--host", "caddy"],
    `✗ There is no ${dist}.hosts/caddy. First run: npm run build -- --host caddy --out ${dist}\n`,
  ],
])("reports the folder and the configuration before the port: %j", async (args, stderr) => {
  expect(await run(["preview", "--port", `${await takePort()}`, ...args])).toEqual({ status: 2, stdout: "", stderr });
});
