// npm run bench: how long builds take, in proportion to copying their output and to other generators.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { timeSaves } from "./dev.ts";
import { type GeneratorName, generatorContender, isGenerator, present } from "./generators.ts";
import { type Command, type Contender, median, type Timing, takeTurns } from "./rounds.ts";
import { type BenchRecord, recordsOf, type Shape, shuffled, writeContent, writeRecords } from "./workload.ts";

interface Workload extends Shape {
  /** What our build is compared with, and what becomes of an older output. */
  readonly contenders: readonly ("copy" | GeneratorName | "unchanged" | "edited" | "appended")[];
  /** Whether to time saves under `npm run dev`, too. */
  readonly dev?: boolean;
}

const workloads: Readonly<Record<string, Workload>> = {
  "10k-every": {
    records: 10_000,
    pageSizes: "every",
    contenders: ["copy", "unchanged", "edited", "appended"],
    dev: true,
  },
  "10k-100": { records: 10_000, pageSizes: [100], contenders: ["copy", "hugo", "eleventy", "astro"] },
  "100k-100": { records: 100_000, pageSizes: [100], contenders: ["copy", "hugo", "eleventy", "astro"] },
  "100k-10": { records: 100_000, pageSizes: [10], contenders: ["copy", "hugo", "eleventy"] },
  "1m-100": { records: 1_000_000, pageSizes: [100], contenders: ["copy"] },
};

/** Shows in seconds that every kind of contender still does what it has to. */
const smoke: Workload = {
  records: 300,
  pageSizes: [10, 100],
  contenders: ["copy", "hugo", "unchanged", "edited", "appended"],
  dev: true,
};

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    workload: { type: "string", multiple: true, default: Object.keys(workloads) },
    json: { type: "string" },
    /** A content folder to build as well. */
    content: { type: "string" },
    /** Another checkout of this program, to be compared with. */
    against: { type: "string" },
    /** Instead of the workloads, one that takes seconds, for what is made and not for the times. */
    smoke: { type: "boolean", default: false },
  },
});

const chosen = (options.smoke ? ["smoke"] : options.workload).map((name) => {
  const workload = options.smoke ? smoke : workloads[name];
  if (workload === undefined) throw new Error(`There is no workload ${name}; there are ${Object.keys(workloads)}.`);
  return { name, workload };
});
const generators = await present(new Set(chosen.flatMap(({ workload }) => workload.contenders.filter(isGenerator))));

const tsx = path.resolve("node_modules/.bin/tsx");
const ours = (command: string, content: string, out: string, checkout = "."): Command => ({
  file: tsx,
  args: [path.join(checkout, "build/cli.ts"), command, "--content", path.resolve(content), "--out", out],
});
const ourBuild = (content: string, out: string, checkout?: string) => ours("build", content, out, checkout);

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-bench-"));
try {
  const results: Awaited<ReturnType<typeof report>>[] = [];
  for (const { name, workload } of chosen) {
    const [parent, content] = [path.join(folder, name), path.join(folder, name, "content")];
    writeContent(content, workload);
    if (options.smoke) await tryOut(parent, content, workload);
    else results.push(await report(name, parent, content, workload));
  }
  if (options.content !== undefined) {
    const own = path.join(folder, "own");
    mkdirSync(own);
    results.push(await report(options.content, own, options.content, undefined));
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  // Only now: ext4 is slow to give out the inodes of files that were removed a moment ago.
  rmSync(folder, { recursive: true });
}

/** One round, none of it timed. */
async function tryOut(parent: string, content: string, workload: Workload): Promise<void> {
  buildOnce(content, path.join(parent, "finished"));
  const names = takeTurns(contendersFor(parent, content, workload), 0).map(({ name }) => name);
  const saves = await timeDev(parent, content, workload, 1);
  process.stdout.write(`Each made what it has to: ${[...names, ...saves.map(({ name }) => name)].join("; ")}.\n`);
}

async function report(name: string, parent: string, content: string, workload: Workload | undefined) {
  const files = filesIn(buildOnce(content, path.join(parent, "finished")));
  const peak = peakOf(ourBuild(content, path.join(parent, "peak")));
  const timings = takeTurns(contendersFor(parent, content, workload), Number(options.rounds));
  const [fresh] = timings;
  process.stdout.write(`\n${name}: ${files.size} files, ${Math.round(peak / 1024)} MiB at most\n`);
  const rows = timings.map(({ name, median, times }) => {
    const ratio = (fresh?.median ?? 0) / median;
    const spread = `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))}`;
    const text = name.startsWith("again") ? `${(1 / ratio).toFixed(2)} × fresh` : `fresh is ${ratio.toFixed(2)} × this`;
    process.stdout.write(
      `  ${name.padEnd(18)}${String(Math.round(median)).padStart(7)} ms  ${spread.padEnd(14)}${text}\n`,
    );
    return { name, median, times };
  });
  for (const save of await timeDev(parent, content, workload, Number(options.rounds))) {
    const { name, median } = save;
    process.stdout.write(`  ${name.padEnd(18)}${String(Math.round(median)).padStart(7)} ms until it is served\n`);
    rows.push(save);
  }
  return { workload: name, files: files.size, peakKiB: peak, rows };
}

function contendersFor(parent: string, content: string, workload: Workload | undefined): readonly Contender[] {
  const finished = path.join(parent, "finished");
  const expected = hashOf(finished);
  const at = (kind: string, round: number) => path.join(parent, `${kind}-${round}`);
  const expect = (out: string, hash: string) => {
    if (hashOf(out) !== hash) throw new Error(`${out} is not what it has to be.`);
  };
  const fresh: Contender = {
    name: "fresh",
    run: (round) => ourBuild(content, at("fresh", round)),
    verify: (round) => expect(at("fresh", round), expected),
  };
  const copy: Contender = {
    name: "cp -r",
    run: (round) => ({ file: "cp", args: ["-r", finished, at("copy", round)] }),
    verify: (round) => expect(at("copy", round), expected),
  };
  const { against } = options;
  const before: Contender = {
    name: "before",
    run: (round) => ourBuild(content, at("before", round), against),
    verify: (round) => expect(at("before", round), expected),
  };
  const always = against === undefined ? [fresh] : [fresh, before];
  if (workload === undefined) return [...always, copy];
  const { records, pageSizes, contenders } = workload;
  const sorted = recordsOf(records);
  spotCheck(finished, sorted);
  const made: Contender[] = [...always];
  for (const each of contenders) {
    if (each === "copy") made.push(copy);
    else if (!isGenerator(each)) made.push(again(each, parent, content, sorted));
    else if (generators.has(each) && pageSizes !== "every")
      made.push(generatorContender(each, parent, sorted, pageSizes[0] ?? 100));
  }
  return made;
}

/** On a copy of the content. */
async function timeDev(
  parent: string,
  content: string,
  workload: Workload | undefined,
  rounds: number,
): Promise<readonly Timing[]> {
  if (workload?.dev !== true) return [];
  const own = path.join(parent, "dev-content");
  cpSync(content, own, { recursive: true });
  const { file, args } = ours("dev", own, path.join(parent, "dev"));
  const command = { file, args: [...args, "--port", "0"] };
  const times = await timeSaves(command, own, recordsOf(workload.records), rounds);
  return [{ name: "dev, a save", times, median: median(times) }];
}

/** A build over an older one; each round is held against a build into a new folder. */
function again(
  kind: "unchanged" | "edited" | "appended",
  parent: string,
  content: string,
  sorted: readonly BenchRecord[],
): Contender {
  const own = path.join(parent, `${kind}-content`);
  const out = path.join(parent, kind);
  cpSync(content, own, { recursive: true });
  buildOnce(own, out);
  const run = (round: number) => {
    if (kind === "edited") writeRecords(own, edited(sorted, round));
    if (kind === "appended") writeRecords(own, [...shuffled(sorted), ...after(sorted, round)]);
    return ourBuild(own, out);
  };
  const verify = (round: number) => {
    if (kind !== "unchanged" && round > 0) return;
    const clean = buildOnce(own, path.join(parent, `${kind}-clean-${round}`));
    if (hashOf(out) !== hashOf(clean)) throw new Error(`The ${kind} content gave another output than a clean build.`);
  };
  return { name: `again, ${kind}`, run, verify };
}

function edited(sorted: readonly BenchRecord[], round: number): readonly BenchRecord[] {
  const at = 4321 % sorted.length;
  return shuffled(sorted).map((record, index) => (index === at ? { ...record, revision: 100_000 + round } : record));
}

/** As many records at the end of the last collection as there have been rounds. */
function after(sorted: readonly BenchRecord[], round: number): readonly BenchRecord[] {
  return Array.from({ length: round + 1 }, (_, index) => ({
    ...(sorted.at(-1) ?? { collection: "", revision: 0 }),
    id: `rec_appended${index}`,
    created_at: `2030-01-01T00:00:0${index % 10}Z`,
    updated_at: "2030-01-02T00:00:00Z",
  }));
}

function buildOnce(content: string, out: string): string {
  const { file, args } = ourBuild(content, out);
  const { status, stderr } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${content} cannot be built: ${stderr}`);
  return out;
}

/** The most memory that one of the command's processes takes, in KiB. */
function peakOf({ file, args }: Command): number {
  const [notes, hook] = [path.join(folder, "peak.txt"), path.join(folder, "peak.cjs")];
  writeFileSync(notes, "");
  const note = `require("node:fs").appendFileSync(${JSON.stringify(notes)}, process.resourceUsage().maxRSS + "\\n")`;
  writeFileSync(hook, `process.once("exit", () => ${note});\n`);
  spawnSync(file, args, { env: { ...process.env, NODE_OPTIONS: `--require=${hook}` } });
  return Math.max(...readFileSync(notes, "utf8").split("\n").map(Number));
}

function spotCheck(out: string, sorted: readonly BenchRecord[]): void {
  const { data, pagination } = JSON.parse(readFileSync(path.join(out, "api/v1/records.json"), "utf8"));
  const first = sorted.slice(0, 100).map(({ id }) => id);
  const isFirst = data.length === first.length && first.every((id, index) => data[index].id === id);
  if (!isFirst || pagination.has_more !== sorted.length > 100) throw new Error(`${out} does not start as it should.`);
}

function filesIn(out: string): ReadonlyMap<string, string> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((full) => [path.relative(out, full), full]),
  );
}

function hashOf(out: string): string {
  const hash = createHash("sha1");
  for (const [name, full] of [...filesIn(out)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\n`).update(readFileSync(full));
  }
  return hash.digest("hex");
}
