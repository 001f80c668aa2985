import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { ask } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import type { HostProgram } from "../../hosts/host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { findProgram, startProgram } from "./program.ts";

const folder = temporaryFolder();
const dist = path.join(folder, "dist");
const temporary = path.join(folder, "tmp");

const servers = ["nginx", "caddy", "apache"].flatMap((name) => hosts.get(name) ?? []);

beforeAll(async () => {
  mkdirSync(temporary);
  writeSample(path.join(folder, "content"), { count: 12, pageSizes: [5] });
  await buildForTest(path.join(folder, "content"), dist, servers);
});

const cli = (...args: readonly string[]) => [inject("program"), "preview", "--out", dist, ...args];

/** A program made of a few lines of JavaScript, instead of a host's. */
const script = (text: string): HostProgram => ({
  command: process.execPath,
  install: "it is there",
  run: () => ({ files: [], args: ["-e", text] }),
});
const site = { base: edgeNetwork.base, publishRoot: dist, configuration: dist, port: 0 };

for (const { name, program } of servers) {
  if (program === undefined) throw new Error(`${name} has no program.`);
  if (findProgram(program) === undefined) {
    it.skip(`preview --host ${name} is skipped, because ${name} is not installed. To install it: ${program.install}`);
    continue;
  }
  it(`preview --host ${name} serves until it is interrupted, and leaves nothing behind`, async () => {
    const child = spawn(process.execPath, cli("--host", name, "--port", "0"), {
      env: { ...process.env, TMPDIR: temporary },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    }
    const ended = new Promise<number | null>((over) => child.once("close", over));
    let origin = "";
    try {
      await vi.waitFor(
        () => {
          origin = / on (http:\/\/127\.0\.0\.1:\d+) /.exec(printed)?.[1] ?? "";
          expect(origin, printed).not.toBe("");
        },
        { timeout: 120_000 },
      );
      const { status } = await ask(origin, { method: "GET", path: "/api/v1/nodes", query: "limit=5" });
      expect(status).toBe(200);
    } finally {
      child.kill("SIGINT");
    }
    expect(await ended).toBe(0);
    await expect(ask(origin, { method: "GET", path: "/", query: "" })).rejects.toThrow("ECONNREFUSED");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it(`preview --host ${name} serves a folder whose path no configuration could quote`, async () => {
    const odd = path.join(folder, `${name} "$HOME" \\ {x} [y] * ? '\`\n#%{z}`);
    await buildForTest(path.join(folder, "content"), odd, servers);
    const running = await startProgram(program, { ...site, publishRoot: odd, configuration: `${odd}.hosts/${name}` });
    onTestFinished(running.stop);
    const request = { method: "GET", path: "/api/v1/nodes", query: "limit=5" };
    expect(await ask(running.origin, request)).toMatchObject({ status: 200, body: expect.stringContaining("data") });
    expect((await ask(running.origin, { ...request, query: "limit=0" })).status).toBe(400);
  });
}

it("says how to get a program that is missing", () => {
  const run = spawnSync(process.execPath, cli("--host", "caddy"), { encoding: "utf8", env: { PATH: "" } });
  expect(run.stderr).toMatch(/^✗ caddy is not installed\. To install it: .*caddy.*\n$/);
  expect(run.status).toBe(2);
});

it("says that a host's configuration has not been built", () => {
  rmSync(`${dist}.hosts/nginx`, { recursive: true });
  const run = spawnSync(process.execPath, cli("--host", "nginx"), { encoding: "utf8" });
  expect(run.stderr).toMatch(/^✗ There is no .*nginx\. First run: npm run build -- --host nginx --out .*dist\n$/);
  expect(run.status).toBe(2);
});

it("reports the output of a program that does not start", async () => {
  await expect(startProgram(script("console.error('no such option'); process.exit(1)"), site)).rejects.toThrow(
    / ended: no such option$/,
  );
});
