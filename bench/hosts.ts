// Counts the requests that servers answer: each host's program with the API's rules, and the same program with the bare file.
// They take turns with the same page. What the rules cost is told by the CPU time of the server, because the program that
// asks shares the machine.
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { markdownTable } from "markdown-table";
import { findProgram, startProgram } from "../build/cli/preview/program.ts";
import type { HostProgram } from "../build/hosts/host.ts";
import { configurationFolder } from "../build/output/location.ts";
import { ask } from "../test/ask.ts";
import { contractOf } from "../test/check/expected.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { countOption, execute, median, processStat, temporaryFolder } from "./execute.ts";
import { servers } from "./servers.ts";
import { makeSubject, page, request, type Subject } from "./subject.ts";

const wrk: HostProgram = {
  command: "wrk",
  install: "apt-get install wrk, brew install wrk, or https://github.com/wg/wrk",
  run: () => ({ files: [], args: [] }),
};

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Open connections. Each sends the next request as soon as it has an answer. */
  readonly connections: number;
  readonly only: readonly string[];
}

interface Contender {
  readonly name: string;
  readonly bare?: string | undefined;
  readonly program: HostProgram;
  readonly configuration: string;
  readonly request: typeof request;
  /** The headers that the answer must have. */
  readonly headers: Readonly<Record<string, string>>;
}

const { stdout, stderr } = process;

async function run({ rounds, seconds, connections, only }: Options, command: Command): Promise<void> {
  if (findProgram(wrk) === undefined) command.error(`wrk is not installed. To get it: ${wrk.install}.`);
  const folder = temporaryFolder();
  // If root starts Apache, it reads the folder as another user.
  chmodSync(folder, 0o755);
  const subject = await makeSubject(folder);
  const bytes = readFileSync(path.join(subject.dist, page), "utf8");
  const running = [];
  for (const contender of contenders(subject, only)) {
    const { program, configuration } = contender;
    const { path: target, query } = contender.request;
    const { origin, group, stop } = await startProgram(program, {
      base: edgeNetwork.base,
      publishRoot: subject.dist,
      configuration,
      port: 0,
    });
    process.once("exit", () => void stop());
    await verify(contender, origin, bytes);
    const address = `${origin}${target}${query && `?${query}`}`;
    running.push({ ...contender, address, group, stop, rates: [] as number[], perCpu: [] as number[] });
  }
  for (let round = 0; round <= rounds; round++) {
    stderr.write(round === 0 ? "Warming up\n" : `Round ${round} of ${rounds}\n`);
    for (const { address, group, rates, perCpu } of running) {
      const cpu = cpuOf(group);
      const { count, rate } = await answered(address, { seconds, connections });
      if (round === 0) continue;
      rates.push(rate);
      perCpu.push((1_000 * count) / (cpuOf(group) - cpu));
    }
  }
  for (const { stop } of running) await stop();
  stdout.write(`${ratesTable(running)}\n`);
}

/** The CPU time in milliseconds of the processes of a group that run. */
function cpuOf(group: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const running = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const times = running.map((pid) => {
    try {
      return processStat(pid);
    } catch {
      // It has ended since it was listed.
      return undefined;
    }
  });
  return times.reduce((sum, stat) => (stat?.group === group ? sum + stat.cpu : sum), 0);
}

/** The answered requests of an address. Throws if requests failed: a server that refuses is fast. */
async function answered(address: string, { seconds, connections }: Pick<Options, "seconds" | "connections">) {
  const args = ["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`, address];
  const printed = await execute({ file: wrk.command, args });
  const failed = /^ *(?:Non-2xx or 3xx responses|Socket errors): .*$/m.exec(printed)?.[0];
  if (failed !== undefined) throw new Error(`Requests failed under load. ${failed.trim()}.`);
  return {
    count: Number(/^ *(\d+) requests in /m.exec(printed)?.[1]),
    rate: Number(/^Requests\/sec: +([0-9.]+)$/m.exec(printed)?.[1]),
  };
}

interface Measurement extends Pick<Contender, "name" | "bare"> {
  /** Requests per second, one number per round. */
  readonly rates: readonly number[];
  /** Requests per CPU second of the server. */
  readonly perCpu: readonly number[];
}

/** The medians, and the medians of the rounds' ratios to the bare file. */
function ratesTable(measurements: readonly Measurement[]): string {
  const ratio = (of: "rates" | "perCpu", { [of]: values, bare }: Measurement): string => {
    const others = measurements.find(({ name }) => name === bare)?.[of];
    return others ? median(values.map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2) : "";
  };
  const rounded = (values: readonly number[]) => Math.round(median(values)).toLocaleString("en-US");
  const body = measurements.map((measurement) => [
    measurement.name,
    rounded(measurement.perCpu),
    ratio("perCpu", measurement),
    rounded(measurement.rates),
    ratio("rates", measurement),
  ]);
  const heads = ["", "requests/CPU s", "of the bare file", "requests/s", "of the bare file"];
  return markdownTable([heads, ...body], { align: ["l", "r", "r", "r", "r"] });
}

/** The contenders with installed programs; reports how to install the others. */
function contenders({ dist, dataset }: Subject, only: readonly string[]): readonly Contender[] {
  const { headers } = contractOf(dataset)(request);
  const bareFile = { request: { ...request, path: `/${page}`, query: "" }, headers: {} };
  const skip = (name: string, why: string) => stderr.write(`${name} is skipped: ${why}\n`);
  const found: Contender[] = [];
  for (const { name, host, bare, program } of servers) {
    if (!only.includes(host.name)) continue;
    const { command, install } = program;
    const configuration = path.join(configurationFolder(dist), host.name);
    if (findProgram(program) === undefined) skip(name, `${command} is not installed. To get it: ${install}.`);
    else found.push({ name, bare, program, configuration, ...(bare === undefined ? bareFile : { request, headers }) });
  }
  return found;
}

/** Throws if the answer is wrong: counting wrong answers is pointless. */
async function verify({ name, request, headers }: Contender, origin: string, bytes: string): Promise<void> {
  const answer = await ask(origin, request);
  const right = answer.status === 200 && answer.body === bytes;
  if (!right) throw new Error(`${name} answers with status ${answer.status} and other bytes than ${page}.`);
  const wrong = Object.entries(headers).find(([header, value]) => answer.headers[header] !== value)?.[0];
  if (wrong !== undefined) throw new Error(`${name} sends ${wrong}: ${answer.headers[wrong] ?? "nothing"}.`);
}

const names = [...new Set(servers.map(({ host }) => host.name))];

await new Command("bench:hosts")
  .description("Compares the rates of the API through each host's rules and of the bare file.")
  .addOption(countOption("--rounds <number>", "how often each server is asked, after a round to warm up", 7))
  .addOption(countOption("--seconds <number>", "how long each server is asked in a round", 3))
  .addOption(countOption("--connections <number>", "how many connections ask at a time", 32))
  .addOption(new Option("--only <host...>", "the hosts to compare").choices(names).default(names))
  .action((options: Options, command: Command) => run(options, command))
  .parseAsync();
