// npm run bench: the time of builds, relative to copying their output, to other generators and to another checkout of
// this program.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command, Option } from "commander";
import { countOption, runProgram } from "./command-line.ts";
import { contendersFor, measuredIn, type Scene, type Workload } from "./contenders.ts";
import { timeSaves } from "./dev.ts";
import { isGenerator, present } from "./generators.ts";
import { filesIn } from "./output.ts";
import { before, buildOnce, now, packed, peakOf } from "./program.ts";
import { reportText } from "./report.ts";
import { takeTurns } from "./rounds.ts";
import { recordsOf, writeContent } from "./workload.ts";

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
  "100k-items": { records: 100_000, pageSizes: [100], items: true, contenders: ["copy", "edited"] },
  "1m-100": { records: 1_000_000, pageSizes: [100], contenders: ["copy"] },
};

/** Checks in seconds that every kind of contender still writes the right output. */
const smoke: Workload = {
  records: 300,
  pageSizes: [10, 100],
  contenders: ["copy", "hugo", "unchanged", "edited", "appended"],
  dev: true,
};

interface Options {
  readonly rounds: number;
  readonly workload: readonly string[];
  readonly content?: string;
  readonly against?: string;
  readonly json?: string;
  readonly packed: boolean;
  readonly smoke: boolean;
}

async function run(options: Options): Promise<void> {
  const { rounds, workload: names, content: own, against, json, smoke: isSmoke } = options;
  const chosen = isSmoke ? { smoke } : Object.fromEntries(names.flatMap((name) => pick(name)));
  const wanted = Object.values(chosen).flatMap(({ contenders }) => contenders.filter(isGenerator));
  const generators = await present(new Set(wanted));
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-bench-"));
  try {
    const measured = options.packed ? packed(path.join(folder, "package")) : now;
    const programs: Scene["programs"] = against === undefined ? [measured] : [measured, before(against)];
    const reports: object[] = [];
    for (const [name, workload] of Object.entries(chosen)) {
      const parent = path.join(folder, name);
      const scene: Scene = { parent, content: path.join(parent, "content"), programs, generators };
      writeContent(scene.content, workload);
      if (isSmoke) await tryOut(scene, workload);
      else reports.push(await report(name, scene, workload, rounds));
    }
    if (own !== undefined) {
      const parent = path.join(folder, "own");
      mkdirSync(parent);
      reports.push(await report(own, { parent, content: own, programs, generators }, undefined, rounds));
    }
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, undefined, 2)}\n`);
  } finally {
    // Removed last: ext4 is slow to reuse the inodes of recently removed files.
    rmSync(folder, { recursive: true });
  }
}

const pick = (name: string): [string, Workload][] => {
  const workload = workloads[name];
  return workload === undefined ? [] : [[name, workload]];
};

/** One round without timing. */
async function tryOut(scene: Scene, workload: Workload): Promise<void> {
  buildOnce(measuredIn(scene), scene.content, path.join(scene.parent, "finished"));
  const timings = takeTurns(contendersFor(scene, workload), 0);
  const saves = await timeSaves(scene, recordsOf(workload.records), 1);
  process.stdout.write(`Each made what it has to: ${[...timings, ...saves].map(({ name }) => name).join("; ")}.\n`);
}

async function report(name: string, scene: Scene, workload: Workload | undefined, rounds: number): Promise<object> {
  const { parent, content, programs } = scene;
  const files = filesIn(buildOnce(measuredIn(scene), content, path.join(parent, "finished"))).size;
  const peaksKiB = programs.map((program) => peakOf(program, content, parent));
  const builds = takeTurns(contendersFor(scene, workload), rounds);
  const saves = workload?.dev ? await timeSaves(scene, recordsOf(workload.records), rounds) : [];
  const rows = [...builds, ...saves];
  process.stdout.write(reportText({ name, files, peaksKiB, rows }));
  return { workload: name, files, peaksKiB, rows };
}

const names = Object.keys(workloads);

await runProgram(
  new Command("bench")
    .description("Times builds, in proportion to copying their output, to other generators and to another checkout.")
    .addOption(new Option("--workload <name...>", "what to build").choices(names).default(names))
    .option("--content <folder>", "a content folder to build as well")
    .option("--against <checkout>", "another checkout of this program to compare with; needs its node_modules")
    .addOption(countOption("--rounds <number>", "how often each is run, after a round to warm up", 5))
    .option("--packed", "measure the package, as a project has it that installed it", false)
    .option("--json <file>", "write every time into a file")
    .option("--smoke", "one round of a tiny workload that takes seconds: what is made counts, not the times", false)
    .action(run),
);
