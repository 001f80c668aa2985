// The published command line as a process; start.package.test.ts starts it through tsx. Each command is tested beside its code in cli/commands/.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { writeBroken, writeContent } from "../test/cli/content-folder.ts";
import { temporaryFolder } from "../test/temporary.ts";

const folder = temporaryFolder();

async function start(...args: readonly string[]) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [inject("program"), ...args], { env: { PATH, HOME } });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}

it("ends with the code of its command, and prints to its streams", async () => {
  const content = path.join(folder, "content");
  const broken = path.join(folder, "broken");
  const written = path.join(folder, "written");
  const never = path.join(folder, "never");
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
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: stillapi build"), stderr: "" });
  expect([written, never].map((out) => existsSync(out))).toEqual([true, false]);
});

it("tells an error that a declaration leaves running from an error of the program", async () => {
  const content = path.join(folder, "late");
  const config = path.join(folder, "api.config.ts");
  writeContent(content);
  const late = 'setTimeout(() => Promise.reject(new Error("Too late.")), 20);';
  writeFileSync(config, `export { default } from "${path.resolve("src/edge-network/index.ts")}";\n${late}\n`);
  const { status, stderr } = await start("check", "--content", content, "--config", config);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^The declaration failed after it was loaded:\n\S*api\.config\.ts:2:\d+ Error: Too late\.\n/);
});

/** Runs the command line in a shell: `{}` is the program. */
function shell(command: string) {
  const program = `"${process.execPath}" "${inject("program")}"`;
  const { PATH, HOME } = process.env;
  const script = `{ ${command.replaceAll("{}", program)}; } 2>&1`;
  return spawnSync("sh", ["-c", script], { encoding: "utf8", env: { PATH, HOME } }).stdout;
}

describe("output that nobody reads", () => {
  const content = path.join(folder, "read");
  const out = path.join(folder, "unread");
  beforeAll(() => writeContent(content));

  it("does not keep a command from its work, and is no error", () => {
    expect(shell(`({} build --content ${content} --out ${out}; echo "exit $?" >&2) | true`)).toBe("exit 0\n");
    expect(existsSync(path.join(out, "api/v1.json"))).toBe(true);
    expect(shell(`({} build --help; echo "exit $?" >&2) | true`)).toBe("exit 0\n");
  });

  it("ends a server that starts", () => {
    const dev = `{} dev --content ${content} --port 0`;
    expect(shell(`(${dev}; echo "exit $?" >&2) | true`)).toBe("exit 0\n");
  });

  it("ends a server that runs, once it has something to print", async () => {
    const dev = spawn(process.execPath, [inject("program"), "dev", "--content", content, "--port", "0"]);
    onTestFinished(() => void dev.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => dev.once("exit", resolve));
    for await (const line of createInterface(dev.stdout)) {
      if (line.startsWith("Watching ")) break;
    }
    dev.stdout.destroy();
    appendFileSync(path.join(content, "regions.json"), "\n");
    expect(await ended).toBe(0);
  });

  it.skipIf(!existsSync("/dev/full"))("is reported where the device is full", () => {
    for (const command of [`build --content ${content} --out ${out}`, "--help"]) {
      expect(shell(`{} ${command} > /dev/full; echo "exit $?"`)).toBe(
        "✗ Standard output cannot be written. No space left on device.\nexit 2\n",
      );
    }
    expect(shell("{} check --content nowhere 2> /dev/full; echo $?")).toBe("2\n");
  });
});
