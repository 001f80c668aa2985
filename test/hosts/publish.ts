// Shared by the tests of `publish`: builds of changing content, and runs of the command.
import { spawn } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { findProgram } from "../../build/cli/preview/program.ts";
import type { HostAdapter } from "../../build/hosts/host.ts";
import type { Api } from "../../src/model/api.ts";
import { type Sample, writeSample } from "../check/sample.ts";
import { run as runCommand } from "../cli/run-command.ts";
import { edgeNetwork } from "../edge-network.ts";
import { built } from "../plan.ts";

/** The reason why publishing to a server cannot be tested on this machine, if there is one. */
export const missing =
  findProgram({ command: "rsync" }) === undefined ? "rsync is not installed (apt-get install rsync)" : undefined;

/** Writes a sample without the items at some positions of the long listings. */
export function writeEdited(folder: string, sample: Sample, gone: readonly number[]): void {
  writeSample(folder, sample);
  for (const { name, paged } of edgeNetwork.lists) {
    const file = path.join(folder, `${name}.json`);
    const items: unknown[] = JSON.parse(readFileSync(file, "utf8"));
    if (!paged || items.length < sample.count) continue;
    writeFileSync(file, JSON.stringify(items.filter((_, index) => !gone.includes(index))));
  }
}

interface BuildAt {
  readonly hosts: readonly HostAdapter[];
  /** The folder of the previous build. */
  readonly previous?: string;
  /** In seconds since 1970. */
  readonly now?: number;
  readonly api?: Api;
}

/** Builds into a folder that need not exist. */
export async function buildAt(content: string, out: string, of: BuildAt): Promise<void> {
  const { hosts, previous, now = 1_700_000_000, api = edgeNetwork } = of;
  const history = { from: previous ?? out, now } as const;
  await built({ api, content, out, hosts, history });
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs the command line in the process of the test. */
export async function runHere(words: readonly string[], env: RunOptions["env"] = {}): Promise<Run> {
  const { status, ...printed } = await runCommand(words, env);
  return { code: status, ...printed };
}

/** Publishes a build with these further arguments. */
export const publish = (
  dist: string,
  { name }: HostAdapter,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run> => run(process.execPath, [inject("program"), "publish", name, ...args, "--out", dist], options);

/** Runs a program in a new process group and waits for its end. */
export function run(program: string, words: readonly string[], { env, cwd }: RunOptions = {}): Promise<Run> {
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  });
  return new Promise((over, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      const [stdout = "", stderr = ""] = texts.map((chunks) => Buffer.concat(chunks).toString());
      over({ code, stdout, stderr });
    });
  });
}

/** The text of every file below a folder. */
export const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pathsOf(folder).map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));

/** For each entry below a folder, the properties that any change of the entry would change. */
export function stampsOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const full = path.join(entry.parentPath, entry.name);
      const { ino, mtimeMs, size } = lstatSync(full);
      const link = entry.isSymbolicLink() ? readlinkSync(full) : "";
      return [path.relative(folder, full), `${ino} ${mtimeMs} ${size} ${link}`];
    }),
  );
}

export const pathsOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

/** A replacement for ssh that runs the command in a local shell. */
export const remoteShell = '[ "$1" != -l ] || shift 2\nshift\nexec sh -c "$*"';

/** Writes a shell command and returns its path. */
export function writeCommand(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}
