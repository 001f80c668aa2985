// Runs the program of a host on a built API, and ends it with all of its child processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import getPort from "get-port";
import which from "which";
import { bytesOf } from "../../files/file.ts";
import { MachineError } from "../../files/machine-error.ts";
import type { HostProgram, ProgramSite } from "../../hosts/host.ts";

export interface RunningProgram {
  readonly origin: string;
  /** The number of the process group of the program and its child processes. */
  readonly group: number;
  /** Resolves with the output of the program when the program ends. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The program's path, or undefined if it is not installed. */
export function findProgram({ command }: Pick<HostProgram, "command">): string | undefined {
  const folders = [path.resolve("node_modules/.bin"), ...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  return which.sync(command, { nothrow: true, path: folders.join(path.delimiter) }) ?? undefined;
}

interface Place extends Pick<ProgramSite, "base" | "others"> {
  readonly publishRoot: string;
  readonly configuration: string;
  /** 0: any free port. */
  readonly port: number;
}

/** How long a program may take to listen, and to end, in milliseconds. */
const patience = 60_000;
const grace = 5_000;

/** Rejects if the program is missing, ends, or does not listen within a minute, or if the port is in use. */
export async function startProgram(
  program: HostProgram,
  { base, others = [], publishRoot, configuration, port }: Place,
): Promise<RunningProgram> {
  const command = findProgram(program);
  if (command === undefined) {
    throw new MachineError(`${program.command} is not installed.`, `To install it: ${program.install}`);
  }
  const free = await getPort({ host: "127.0.0.1", ...(port !== 0 && { port }) });
  // Otherwise the answer of another program would be taken for one of this program.
  if (port !== 0 && free !== port) throw portTaken(port);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "stillapi-")));
  const site = {
    base,
    others,
    publishRoot: quotable(realpathSync(publishRoot), path.join(folder, "publish-root")),
    configuration: quotable(path.resolve(configuration), path.join(folder, "configuration")),
  };
  const { files, args, env } = program.run({ ...site, folder, port: free });
  for (const file of files) {
    const full = path.join(folder, file.file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, bytesOf(file));
  }
  // In a process group, so that its child processes are ended with it.
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const ended = once(child, "close").then(() => printed);
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, name);
  };
  const stop = async () => {
    signal("SIGTERM");
    const insist = setTimeout(() => signal("SIGKILL"), grace);
    await ended;
    clearTimeout(insist);
    rmSync(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${free}`;
  const failure = await Promise.race([
    listening(origin),
    ended.then((text) => `${program.command} ended: ${text.trim()}`),
  ]);
  if (failure === undefined && child.pid !== undefined) return { origin, group: child.pid, ended, stop };
  await stop();
  throw new MachineError(failure ?? `${program.command} does not start.`);
}

/**
 * The path, or a link to it if a configuration could not hold the path: nginx reads a dollar sign as a variable even
 * if it is quoted, and expands patterns in the path of an include.
 */
function quotable(full: string, link: string): string {
  if (/^[\p{L}\p{N}/._ ~+@,=-]*$/u.test(full)) return full;
  symlinkSync(full, link);
  return link;
}

/** Undefined once something answers. */
async function listening(origin: string): Promise<string | undefined> {
  for (const since = Date.now(); Date.now() - since < patience; await sleep(50)) {
    const isAnswered = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (isAnswered) return undefined;
  }
  return `No server answers at ${origin}.`;
}

export const portTaken = (port: number): MachineError =>
  new MachineError(
    `Port ${port} is in use.`,
    "Stop the program that listens there, or choose another port with --port.",
  );
