// npm run bench: the time of builds, relative to copying their output, to other generators and to another checkout of
// this program.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { MachineError } from "../build/machine-error.ts";
import { withCheckout } from "./checkout.ts";
import { countOption, runProgram } from "./command-line.ts";
import { contendersFor, measuredIn, type Scene, type Workload } from "./contenders.ts";
import { timeSaves } from "./dev.ts";
import { isGenerator, present } from "./generators.ts";
import { filesIn } from "./output.ts";
import { before, buildOnce, now, packed, peakOf, root } from "./program.ts";
import { type Comparison, compare, comparisonText, isSlower, type Report, reportText } from "./report.ts";
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

/** The example of this repository, or of the checkout that is compared with. */
const example = "example";

/** Two checkouts are compared with these, if none is named. */
const compared = [example, "10k-every", "100k-100"];

interface Options {
  readonly rounds: number;
  readonly workload?: readonly string[];
  readonly content?: string;
  readonly against?: string;
  readonly limit: number;
  readonly json?: string;
  readonly packed: boolean;
  readonly smoke: boolean;
}

const interruption = new AbortController();
const { signal } = interruption;

async function run(options: Options): Promise<void> {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => interruption.abort(new MachineError("Interrupted.")));
  }
  const { against } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-bench-"));
  try {
    const measured = options.packed ? await packed(path.join(folder, "package"), signal) : now;
    if (against === undefined) await measure(folder, options, [measured], root);
    else {
      await withCheckout(root, against, path.join(folder, "before"), signal, (checkout) =>
        measure(folder, options, [measured, before(checkout)], checkout),
      );
    }
  } finally {
    // Removed last: ext4 is slow to reuse the inodes of recently removed files.
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, options: Options, programs: Scene["programs"], checkout: string): Promise<void> {
  const { rounds, content: own, against, limit, json, smoke: isSmoke } = options;
  const names = isSmoke ? [] : (options.workload ?? (against === undefined ? Object.keys(workloads) : compared));
  const chosen = isSmoke ? { smoke } : Object.fromEntries(names.flatMap((name) => pick(name)));
  const wanted = Object.values(chosen).flatMap(({ contenders }) => contenders.filter(isGenerator));
  const generators = await present(new Set(against === undefined ? wanted : []));
  const reports: Report[] = [];
  const sceneOf = (name: string, content?: string): Scene => {
    const parent = path.join(folder, name);
    mkdirSync(parent);
    return { parent, content: content ?? path.join(parent, "content"), programs, generators, signal };
  };
  if (names.includes(example)) {
    reports.push(await report(example, sceneOf(example, path.join(checkout, "content")), undefined, rounds));
  }
  for (const [name, workload] of Object.entries(chosen)) {
    const scene = sceneOf(name);
    writeContent(scene.content, workload);
    if (isSmoke && against === undefined) await tryOut(scene, workload);
    else reports.push(await report(name, scene, workload, rounds));
  }
  if (own !== undefined) reports.push(await report(own, sceneOf("own", own), undefined, rounds));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, undefined, 2)}\n`);
  if (against !== undefined) conclude(reports.flatMap(compare), limit);
}

const pick = (name: string): [string, Workload][] => {
  const workload = workloads[name];
  return workload === undefined ? [] : [[name, workload]];
};

function conclude(comparisons: readonly Comparison[], limit: number): void {
  process.stdout.write(`\n${comparisonText(comparisons, limit)}\n`);
  if (comparisons.some((each) => isSlower(each, limit))) process.exitCode = 1;
}

/** One round without timing. */
async function tryOut(scene: Scene, workload: Workload): Promise<void> {
  await buildOnce(measuredIn(scene), signal, scene.content, path.join(scene.parent, "finished"));
  const timings = await takeTurns(await contendersFor(scene, workload), 0, signal);
  const saves = await timeSaves(scene, recordsOf(workload.records), 1);
  process.stdout.write(`Each made what it has to: ${[...timings, ...saves].map(({ name }) => name).join("; ")}.\n`);
}

async function report(name: string, scene: Scene, workload: Workload | undefined, rounds: number): Promise<Report> {
  const { parent, content, programs } = scene;
  const files = filesIn(await buildOnce(measuredIn(scene), signal, content, path.join(parent, "finished"))).size;
  const peaksKiB: number[] = [];
  for (const program of programs) peaksKiB.push(await peakOf(program, signal, content, parent));
  const builds = await takeTurns(await contendersFor(scene, workload), rounds, signal);
  const saves = workload?.dev ? await timeSaves(scene, recordsOf(workload.records), rounds) : [];
  const made = { name, files, peaksKiB, rows: [...builds, ...saves] };
  process.stdout.write(reportText(made));
  return made;
}

function factor(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It is a number such as 1.1.");
  return Number(text);
}

const names = [example, ...Object.keys(workloads)];

await runProgram(
  new Command("bench")
    .description("Times builds, in proportion to copying their output, to other generators or to an older version.")
    .addOption(new Option("--workload <name...>", "what to build, by default all but the example").choices(names))
    .option("--content <folder>", "a content folder to build as well")
    .option(
      "--against <revision>",
      `a revision of this repository, or a folder with a checkout and its packages, to
compare with instead; by default with the workloads ${compared.join(", ")}`,
    )
    .option(
      "--limit <factor>",
      "with --against: exit with 1 if a build is slower by more than this factor",
      factor,
      1.1,
    )
    .addOption(countOption("--rounds <number>", "how often each is run, after a round to warm up", 5))
    .option("--packed", "measure the package, as a project has it that installed it", false)
    .option("--json <file>", "write every time into a file")
    .option("--smoke", "a tiny workload that takes seconds; without --against, its output counts, not the times", false)
    .action(run),
);
