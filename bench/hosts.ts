// Counts the requests per second of servers: each host's program with the API's rules, the same program with the bare
// file, and a server with application code. They take turns with the same page.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command, Option } from "commander";
import { findProgram, startProgram } from "../build/cli/preview/program.ts";
import type { HostProgram } from "../build/hosts/host.ts";
import { MachineError } from "../build/machine-error.ts";
import { besideFolder } from "../build/output/location.ts";
import { ask } from "../test/ask.ts";
import { contractOf } from "../test/check/expected.ts";
import { countOption, runProgram } from "./command-line.ts";
import { bound, chooseCores, onCore } from "./cores.ts";
import { fastify, installPeers } from "./peer.ts";
import { servers } from "./servers.ts";
import { listingsInMemory, makeSubject, page, request, type Subject } from "./subject.ts";
import { rows, tableText } from "./table.ts";
import { type Load, requestsPerSecond, wrk } from "./wrk.ts";

const peer = "Fastify";

interface Options extends Load {
  readonly rounds: number;
  readonly only: readonly string[];
  readonly json?: string;
}

interface Contender {
  readonly name: string;
  readonly bare?: string | undefined;
  readonly program: HostProgram;
  readonly beside: string;
  readonly request: typeof request;
  /** The headers that the answer must have. */
  readonly headers: Readonly<Record<string, string>>;
}

const { stdout, stderr } = process;

async function run({ rounds, seconds, connections, only, json }: Options): Promise<void> {
  if (findProgram(wrk) === undefined) throw new MachineError("wrk is not installed.", `To get it: ${wrk.install}.`);
  const cores = chooseCores();
  if (cores === undefined)
    stderr.write("Servers and wrk share all cores, because there is no taskset or no second core.\n");
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-bench-"));
  // If root starts Apache, it reads the folder as another user.
  chmodSync(folder, 0o755);
  const stops: (() => Promise<void>)[] = [];
  const cleanUp = async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => cleanUp().finally(() => process.exit(2)));
  }
  try {
    const subject = await makeSubject(folder);
    const running: (Contender & { readonly address: string; readonly rates: number[] })[] = [];
    for (const contender of await contenders(subject, only)) {
      const { beside } = contender;
      const program = cores === undefined ? contender.program : bound(contender.program, cores.servers);
      const { origin, stop } = await startProgram(program, { publishRoot: subject.dist, beside, port: 0 });
      stops.push(stop);
      await verify(contender, origin, readFileSync(path.join(subject.dist, page), "utf8"));
      const { path: target, query } = contender.request;
      running.push({ ...contender, address: `${origin}${target}${query && `?${query}`}`, rates: [] });
    }
    const command = [...(cores === undefined ? [] : onCore(cores.load)), wrk.command];
    for (let round = 0; round <= rounds; round++) {
      stderr.write(round === 0 ? "Warming up\n" : `Round ${round} of ${rounds}\n`);
      for (const { address, rates } of running) {
        const rate = await requestsPerSecond(command, address, { seconds, connections });
        if (round > 0) rates.push(rate);
      }
    }
    const measurements = running.map(({ name, bare, rates }) => ({ name, bare, rates }));
    const table = rows(measurements, peer);
    stdout.write(`${tableText(table, peer)}\n`);
    if (json !== undefined) {
      const report = { request, seconds, connections, bound: cores !== undefined, measurements, table };
      writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
    }
  } finally {
    await cleanUp();
  }
}

/** The contenders with installed programs; reports how to install the others. */
async function contenders({ dist, dataset }: Subject, only: readonly string[]): Promise<readonly Contender[]> {
  const wanted = servers.filter(({ host }) => only.includes(host.name));
  const skip = (name: string, why: string) => stderr.write(`${name} is skipped: ${why}\n`);
  const missing = new Map(
    wanted.flatMap(({ host, program }) => (findProgram(program) === undefined ? [[host.name, program]] : [])),
  );
  for (const [name, { command, install }] of missing) skip(name, `${command} is not installed. To get it: ${install}.`);
  const { headers } = contractOf(dataset)(request);
  const found = wanted
    .filter(({ host }) => !missing.has(host.name))
    .map(({ name, host, bare, program }) => ({
      ...{ name, bare, program, beside: path.join(besideFolder(dist), host.name) },
      ...(bare === undefined
        ? { request: { ...request, path: `/${page}`, query: "" }, headers: {} }
        : { request, headers }),
    }));
  const failure = await installPeers(["fastify"]);
  if (failure !== undefined) {
    skip(peer, failure);
    return found;
  }
  // The server sets the type itself, always with a charset.
  const { "content-type": _, ...others } = headers;
  const program = fastify({ headers: others, listings: listingsInMemory(dataset) });
  return [...found, { name: peer, program, beside: dist, request, headers: others }];
}

/** Throws if the answer is wrong: counting wrong answers is pointless. */
async function verify({ name, request, headers }: Contender, origin: string, bytes: string): Promise<void> {
  const answer = await ask(origin, request);
  const right = answer.status === 200 && answer.body === bytes;
  if (!right) throw new MachineError(`${name} answers with status ${answer.status} and other bytes than ${page}.`);
  const wrong = Object.entries(headers).find(([header, value]) => answer.headers[header] !== value)?.[0];
  if (wrong !== undefined) throw new MachineError(`${name} sends ${wrong}: ${answer.headers[wrong] ?? "nothing"}.`);
}

const names = [...new Set(servers.map(({ host }) => host.name))];

await runProgram(
  new Command("bench:hosts")
    .description("Compares the rates of the API through each host's rules, of the bare file, and of a server.")
    .addOption(countOption("--rounds <number>", "how often each server is asked, after a round to warm up", 7))
    .addOption(countOption("--seconds <number>", "how long each server is asked in a round", 3))
    .addOption(countOption("--connections <number>", "how many connections ask at a time", 32))
    .addOption(new Option("--only <host...>", "the hosts to compare").choices(names).default(names))
    .option("--json <file>", "write every rate and the table into a file")
    .action(run),
);
