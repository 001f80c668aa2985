import { Command } from "commander";
import type { BuildPlan } from "../build-plan.ts";
import { budgetText } from "../report/budget.ts";
import { listed } from "../report/columns.ts";
import { progressBar } from "../report/progress.ts";
import { outcomeText, type Summariser, stopwatch, summarise, summaryText } from "../report/summary.ts";
import { isSidecar } from "../routing/sidecar.ts";
import { printWarnings, supportEditors } from "./editors.ts";
import { reportFaults } from "./faults.ts";
import type { Format } from "./format.mjs";
import {
  adapters,
  allOption,
  cache,
  chosenDeployment,
  chosenHistory,
  contentOption,
  deploymentOption,
  type ExitCode,
  formatOption,
  hostsOption,
  outOption,
  previousOption,
  usualHosts,
} from "./options.ts";
import { isLive, out } from "./terminal.ts";

const { stdout, stderr } = process;

export const buildCommand = (end: (code: ExitCode) => void) =>
  new Command("build")
    .description("validate the content and write the API with its host's configuration")
    .addOption(contentOption())
    .addOption(outOption("the folder to publish"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for").default(usualHosts))
    .addOption(previousOption())
    .option("--precompress", "write compressed copies of the pages too, for hosts that send them", false)
    .option("--clean", "write every file again, whatever is there already", false)
    .addOption(allOption())
    .addOption(formatOption())
    .action(async (options: Arguments) => end(await run(options)));

interface Arguments {
  readonly content: string;
  readonly out: string;
  readonly deployment?: string;
  readonly host: readonly string[];
  readonly previous?: string;
  readonly precompress: boolean;
  readonly clean: boolean;
  readonly all: boolean;
  readonly format: Format;
}

async function run({ host, format, previous, all, ...options }: Arguments): Promise<ExitCode> {
  const { content, out: folder } = options;
  const { build } = await import("../build.ts");
  const history = chosenHistory(previous, folder);
  const { onContent, warnings } = supportEditors(content);
  let summary: Summariser | undefined;
  const bar = await progressBar(stderr, isLive && format === "text");
  const times = stopwatch();
  bar.announce("Reading the content");
  try {
    const [built, ...faults] = await build(
      { ...options, deployment: chosenDeployment(options), hosts: adapters(host), cache, history, onContent },
      {
        onWait: () => announceWait(folder),
        onPlan(plan) {
          times.endContent();
          summary = summarise(plan);
          bar.start(plan.count);
        },
        onChange(change) {
          summary?.add(change);
          if (change.kind === "removed") return;
          if (summary?.isComplete() === true) times.endPages();
          if (!isSidecar(change.file)) bar.step();
        },
      },
    );
    bar.stop();
    if (built === undefined || summary === undefined) {
      printWarnings(warnings);
      return await reportFaults(content, faults, format, all);
    }
    const plan = { ...built.plan, warnings: [...built.plan.warnings, ...warnings] };
    stdout.write(format === "json" ? asJson(plan, summary, times.now().all) : asText(plan, summary));
    printWarnings(plan.warnings);
    if (format === "json") return 0;
    stdout.write(`${outcomeText(summary, times.now(), out)}\n`);
    const { foreign } = built;
    if (foreign.length > 0) {
      stdout.write(`${folder} also holds files that this program did not write, and left alone: ${listed(foreign)}.\n`);
    }
    return 0;
  } finally {
    bar.stop();
  }

  function asText({ catalog, deployment, budget }: BuildPlan, made: Summariser): string {
    const title = catalog.settings.title ?? "The API";
    const head = `${out.bold(title)}, deployment ${deployment.name}: ${content} → ${folder}`;
    const limits = budget.length > 0 ? [budgetText(budget, out)] : [];
    return [head, summaryText(made, out), ...limits].map((part) => `${part}\n\n`).join("");
  }
}

function asJson(
  { deployment, budget, retired, warnings }: BuildPlan,
  { rows, counts, compressed }: Summariser,
  time: number,
): string {
  const operations = Object.fromEntries(rows);
  const built = {
    deployment: deployment.name,
    ...counts,
    compressed,
    retired: retired.length,
    operations,
    budget,
    warnings,
    seconds: time / 1000,
  };
  return `${JSON.stringify({ faults: [], ...built })}\n`;
}

export const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
