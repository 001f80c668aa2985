import { Command } from "commander";
import type { Built } from "../build-plan.ts";
import { builtAsData, builtText } from "../report/built.ts";
import { listed } from "../report/columns.ts";
import { progressBar } from "../report/progress.ts";
import { outcomeText, type Summariser, type Summary, stopwatch, summarise, type Times } from "../report/summary.ts";
import { isSidecar } from "../routing/sidecar.ts";
import { printWarnings, supportEditors } from "./editors.ts";
import { reportFaults } from "./faults.ts";
import type { Format } from "./format.ts";
import {
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
import { isLive, out, widthOf } from "./terminal.ts";

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

async function run(asked: Arguments): Promise<ExitCode> {
  const times = stopwatch();
  const { content, out: folder, precompress, clean, format } = asked;
  const { build } = await import("../build.ts");
  const { adapters } = await import("../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const bar = await progressBar(stderr, isLive && format === "text");
  const history = chosenHistory(asked.previous, folder);
  const [deployment, hosts] = [chosenDeployment(asked), adapters(asked.host)];
  let summary: Summariser | undefined;
  bar.announce("Reading the content");
  try {
    const [built, ...faults] = await build(
      { content, out: folder, precompress, clean, cache, history, deployment, hosts, onContent },
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
      return await reportFaults(content, faults, format, asked.all);
    }
    report(built, summary, [...built.plan.warnings, ...warnings], asked, times.now());
    return 0;
  } finally {
    bar.stop();
  }
}

function report(
  { plan, foreign }: Built,
  summary: Summary,
  warnings: readonly string[],
  { content, out: folder, format }: Arguments,
  times: Times,
): void {
  if (format === "json") {
    stdout.write(`${JSON.stringify(builtAsData(plan, summary, warnings, times.all))}\n`);
    printWarnings(warnings);
    return;
  }
  stdout.write(builtText(plan, summary, content, folder, out, widthOf(stdout)));
  printWarnings(warnings);
  stdout.write(`${outcomeText(summary, times, out)}\n`);
  if (foreign.length > 0) {
    stdout.write(`${folder} also holds files that this program did not write, and left alone: ${listed(foreign)}.\n`);
  }
}

export const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
