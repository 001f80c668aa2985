// npm run bench: the time of builds, in proportion to copying their output, to builds over it and to other generators. They
// take turns within each round, so that other load of the machine slows all of them, and only ratios of medians are compared.
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Command as Cli, Option } from "commander";
import { buildSync } from "esbuild";
import { type Command, type Contender, countOption, execute, median, processStat, temporaryFolder } from "./execute.ts";
import { type GeneratorName, generatorContender, isGenerator, present } from "./generators.ts";
import { type BenchRecord, type Layout, type PageSizes, recordsOf, writeContent, writeRecords } from "./workload.ts";

interface Workload {
  readonly records: number;
  readonly pageSizes: PageSizes;
  readonly layout?: Layout;
  /** What a build into a new folder is compared with. */
  readonly others: readonly ("copy" | "floor" | "unchanged" | "edited" | GeneratorName)[];
}

const workloads: Readonly<Record<string, Workload>> = {
  "10-100": { records: 10, pageSizes: [100], others: ["floor"] },
  "10k-every": { records: 10_000, pageSizes: "every", others: ["copy", "unchanged", "edited"] },
  "10k-files": { records: 10_000, pageSizes: [100], layout: "files", others: ["copy", "floor"] },
  "10k-100": { records: 10_000, pageSizes: [100], others: ["copy", "floor", "hugo", "eleventy", "astro"] },
  "100k-100": { records: 100_000, pageSizes: [100], others: ["copy", "floor", "hugo", "eleventy", "astro"] },
  "1m-100": { records: 1_000_000, pageSizes: [100], others: ["copy", "floor"] },
};

/** Checks in seconds that every kind of contender still writes the right output. */
const smoke: readonly Workload[] = [
  { records: 300, pageSizes: [10, 100], others: ["copy", "hugo", "unchanged", "edited"] },
  { records: 300, pageSizes: [100], others: ["floor"] },
  { records: 300, pageSizes: [100], layout: "files", others: ["floor"] },
];

/** The folder in which a workload is measured. */
interface Scene {
  readonly parent: string;
  readonly content: string;
  /** A finished build of the content. */
  readonly finished: string;
  readonly sorted: readonly BenchRecord[];
  readonly build: (content: string, out: string, ...more: readonly string[]) => Command;
}

interface Options {
  readonly rounds: number;
  readonly workload: readonly string[];
  readonly program: string;
  readonly smoke: boolean;
}

async function run({ rounds, workload: names, program, smoke: isSmoke }: Options): Promise<void> {
  const folder = temporaryFolder();
  // A first build notes its time, and each output is compared with another.
  process.env["SOURCE_DATE_EPOCH"] ??= String(Math.floor(Date.now() / 1_000));
  const chosen = Object.entries(isSmoke ? smoke : workloads).filter(([name]) => isSmoke || names.includes(name));
  const generators = await present(new Set(chosen.flatMap(([, { others }]) => others.filter(isGenerator))));
  const [file = "", ...args] = program.split(" ");
  for (const [name, { records, pageSizes, layout, others }] of chosen) {
    const parent = path.join(folder, name);
    const scene: Scene = {
      parent,
      content: path.join(parent, "content"),
      finished: path.join(parent, "finished"),
      sorted: recordsOf(records),
      build: (content, out, ...more) => ({
        file,
        args: [...args, "build", "--content", content, "--out", out, ...more],
      }),
    };
    mkdirSync(parent);
    writeContent(scene.content, scene.sorted, pageSizes, layout);
    await execute(scene.build(scene.content, scene.finished));
    checkFirstPage(scene);
    const contenders = [fresh(scene)];
    for (const other of others) {
      if (other === "copy") contenders.push(copy(scene));
      else if (other === "floor") contenders.push(floor(scene));
      else if (!isGenerator(other)) contenders.push(await again(other, scene));
      else if (generators.has(other))
        contenders.push(generatorContender(other, parent, scene.sorted, Number(pageSizes[0])));
    }
    const timings = await takeTurns([...contenders, nodeAlone], isSmoke ? 0 : rounds);
    const verified = `The output of all is right: ${timings.map((timing) => timing.name).join("; ")}.\n`;
    process.stdout.write(isSmoke ? verified : `\n${name}\n${reportText(timings)}`);
  }
}

/** Throws unless the first page lists the first records. */
function checkFirstPage({ finished, sorted }: Scene): void {
  const { data } = JSON.parse(readFileSync(path.join(finished, "api/v1/records.json"), "utf8"));
  const isFirst =
    data.length === Math.min(sorted.length, 100) &&
    sorted.slice(0, 100).every(({ id }, index) => data[index].id === id);
  if (!isFirst) throw new Error(`${finished} has another first page.`);
}

const expectSame = (out: string, expected: string) =>
  execute({ file: "diff", args: ["--recursive", "--brief", out, expected] });

function fresh({ parent, content, finished, build }: Scene): Contender {
  const out = (round: number) => path.join(parent, `fresh-${round}`);
  return {
    name: "fresh",
    run: (round) => build(content, out(round)),
    verify: (round) => expectSame(out(round), finished),
  };
}

function copy({ parent, finished }: Scene): Contender {
  const out = (round: number) => path.join(parent, `copy-${round}`);
  return {
    name: "cp -r",
    run: (round) => ({ file: "cp", args: ["-r", finished, out(round)] }),
    verify: (round) => expectSame(out(round), finished),
  };
}

/**
 * The smallest program that writes the same pages and the same dump. It is bundled like the package, and Node keeps its
 * compiled code from version 22 on.
 */
function floor({ parent, content, finished }: Scene): Contender {
  const program = path.join(parent, "floor.cjs");
  const banner = { js: 'require("node:module").enableCompileCache?.();' };
  const entryPoints = [path.join(import.meta.dirname, "floor.ts")];
  buildSync({ entryPoints, outfile: program, bundle: true, platform: "node", format: "cjs", banner });
  const out = (round: number) => path.join(parent, `floor-${round}`);
  const isOfRecords = (file: string) => /^(?:records[/.]|dumps\/records).*\./.test(file);
  const filesIn = (folder: string) =>
    readdirSync(path.join(folder, "api/v1"), { recursive: true, encoding: "utf8" }).filter(isOfRecords).sort();
  return {
    name: "floor",
    run: (round) => ({ file: process.execPath, args: [program, content, out(round)] }),
    verify(round) {
      const files = filesIn(out(round));
      const isSame = (file: string) =>
        readFileSync(path.join(out(round), "api/v1", file)).equals(readFileSync(path.join(finished, "api/v1", file)));
      if (String(files) !== String(filesIn(finished)) || !files.every(isSame))
        throw new Error(`The floor wrote other files into ${out(round)}.`);
    },
  };
}

/** A build over an older output, which must equal a build into a new folder with the same known cursors. */
async function again(change: "unchanged" | "edited", scene: Scene): Promise<Contender> {
  const { parent, sorted, build } = scene;
  const out = path.join(parent, change);
  const content = `${out}-content`;
  cpSync(scene.content, content, { recursive: true });
  await execute(build(content, out));
  return {
    name: `again, ${change}`,
    run(round) {
      const [first, ...others] = sorted;
      if (change === "edited" && first) writeRecords(content, [{ ...first, revision: 100_000 + round }, ...others]);
      return build(content, out);
    },
    async verify(round) {
      if (change === "unchanged") return expectSame(out, scene.finished);
      if (round > 0) return;
      await execute(build(content, `${out}-clean`, "--previous", out));
      return expectSame(out, `${out}-clean`);
    },
  };
}

/** The cost of starting Node, which each of our builds includes. */
const nodeAlone: Contender = {
  name: "Node alone",
  run: () => ({ file: process.execPath, args: ["--eval", ""] }),
  verify: () => undefined,
};

interface Timing {
  readonly name: string;
  /** In milliseconds, one per round. */
  readonly times: readonly number[];
  /** CPU times in milliseconds. */
  readonly cpus: readonly number[];
}

/** Runs one additional round first, which is not counted. */
async function takeTurns(contenders: readonly Contender[], rounds: number): Promise<readonly Timing[]> {
  const measured = contenders.map((contender) => ({ ...contender, times: [] as number[], cpus: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { run, verify, times, cpus } of measured) {
      const command = run(round);
      // Flushes pending writes of earlier runs before the clock starts.
      await execute({ file: "sync", args: [] });
      const cpu = cpuOfChildren();
      const started = performance.now();
      await execute(command);
      if (round > 0) {
        times.push(performance.now() - started);
        cpus.push(cpuOfChildren() - cpu);
      }
      await verify(round);
    }
  }
  return measured;
}

/** The CPU time in milliseconds of all processes that this process has started and waited for, and of their children. */
const cpuOfChildren = (): number => (process.platform === "linux" ? processStat("self").cpuOfChildren : Number.NaN);

function reportText(timings: readonly Timing[]): string {
  const width = Math.max(...timings.map(({ name }) => name.length));
  const ofFresh = median(timings[0]?.times ?? []);
  const lines = timings.map(({ name, times, cpus }) => {
    const spread = `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))}`;
    const cpu = String(Math.round(median(cpus))).padStart(7);
    const middle = String(Math.round(median(times))).padStart(8);
    return `  ${name.padEnd(width)}${middle} ms  ${spread.padEnd(14)}cpu${cpu} ms${ratioText(name, median(times), ofFresh)}`;
  });
  return `${lines.join("\n")}\n`;
}

function ratioText(name: string, time: number, fresh: number): string {
  if (name === "fresh") return "";
  return name.startsWith("again")
    ? `  ${(time / fresh).toFixed(2)} × fresh`
    : `  fresh is ${(fresh / time).toFixed(2)} × this`;
}

const root = path.resolve(import.meta.dirname, "..");
const names = Object.keys(workloads);

await new Cli("bench")
  .description("Times builds, in proportion to copying their output and to other generators.")
  .addOption(new Option("--workload <name...>", "what to build").choices(names).default(names))
  .addOption(countOption("--rounds <number>", "how often each is run, after a round to warm up", 5))
  .option("--program <command>", "what to measure", `node --import tsx ${root}/build/cli.ts`)
  .option("--smoke", "a tiny workload that takes seconds: its output counts, not the times", false)
  .action(run)
  .parseAsync();
