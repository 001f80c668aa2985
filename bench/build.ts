// npm run bench: the time of builds, in proportion to copying their output and to other generators.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { contendersFor, type Scene, type Workload } from "./contenders.ts";
import { timeSaves } from "./dev.ts";
import { countOption, execute, temporaryFolder } from "./execute.ts";
import { isGenerator, present } from "./generators.ts";
import { filesIn } from "./output.ts";
import { checkedOut, command, packed, peakOf } from "./program.ts";
import { type Report, reportText, takeTurns } from "./rounds.ts";
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
  readonly json?: string;
  readonly packed: boolean;
  readonly smoke: boolean;
}

async function run({ rounds, workload: names, content: own, json, packed: asPackage, smoke: isSmoke }: Options) {
  const folder = temporaryFolder();
  // A first build notes its time, and each output is compared with another.
  process.env["SOURCE_DATE_EPOCH"] ??= String(Math.floor(Date.now() / 1_000));
  const program = asPackage ? await packed(path.join(folder, "package")) : checkedOut;
  const named = Object.entries(workloads).filter(([name]) => names.includes(name));
  const chosen = isSmoke ? [["smoke", smoke] as const] : named;
  const generators = await present(new Set(chosen.flatMap(([, { contenders }]) => contenders.filter(isGenerator))));

  async function measure(name: string, parent: string, content: string, workload?: Workload): Promise<Report> {
    const scene: Scene = { parent, content, finished: path.join(parent, "finished"), program };
    await execute(command(program, "build", content, "--out", scene.finished));
    const files = filesIn(scene.finished).length;
    const peakKiB = await peakOf(program, content, parent);
    const rows = [...(await takeTurns(await contendersFor(scene, workload, generators), isSmoke ? 0 : rounds))];
    if (workload?.dev) rows.push(await timeSaves(scene, recordsOf(workload.records), isSmoke ? 1 : rounds));
    return { name, files, peakKiB, rows };
  }

  const reports: Report[] = [];
  function add(report: Report): void {
    reports.push(report);
    const made = `Each made what it has to: ${report.rows.map(({ name }) => name).join("; ")}.\n`;
    process.stdout.write(isSmoke ? made : reportText(report));
  }
  const folderOf = (name: string): string => {
    const parent = path.join(folder, name);
    mkdirSync(parent);
    return parent;
  };
  for (const [name, workload] of chosen) {
    const parent = folderOf(name);
    const content = path.join(parent, "content");
    writeContent(content, workload);
    add(await measure(name, parent, content, workload));
  }
  if (own !== undefined) add(await measure(own, folderOf("own"), own));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, undefined, 2)}\n`);
}

const names = Object.keys(workloads);

await new Command("bench")
  .description("Times builds, in proportion to copying their output and to other generators.")
  .addOption(new Option("--workload <name...>", "what to build").choices(names).default(names))
  .option("--content <folder>", "a content folder to build as well")
  .addOption(countOption("--rounds <number>", "how often each is run, after a round to warm up", 5))
  .option("--packed", "measure the package, as a project has it that installed it", false)
  .option("--json <file>", "write every time into a file")
  .option("--smoke", "a tiny workload that takes seconds: its output counts, not the times", false)
  .action(run)
  .parseAsync();
