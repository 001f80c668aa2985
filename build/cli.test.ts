// The command line as a process. What each command does is tested beside it, in commands/.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { writeBroken, writeContent } from "./commands/content-fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function start(...args: readonly string[]) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "build/cli.ts", ...args], { env: { PATH, HOME } });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}

it("ends with the code of its command, and prints to the streams of its own", async () => {
  const [content, broken] = [path.join(folder, "content"), path.join(folder, "broken")];
  const [written, never] = [path.join(folder, "written"), path.join(folder, "never")];
  writeContent(content);
  writeBroken(broken);
  const [done, faulty, missing, help] = await Promise.all([
    start("build", "--content", content, "--out", written),
    start("build", "--content", broken, "--out", never),
    start("build", "--content", "nowhere"),
    start("build", "--help"),
  ]);
  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining("files written"), stderr: "" });
  expect(faulty).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("✗ 6 faults in 2 files") });
  expect(missing).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("✗ There is no folder") });
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: edge-api build"), stderr: "" });
  expect([written, never].map((out) => existsSync(out))).toEqual([true, false]);
});
