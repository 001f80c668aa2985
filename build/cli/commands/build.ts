import { Command } from "commander";
import type { Api } from "../../../src/api.ts";
import type { Built } from "../../build.ts";
import { type Reload, reloadsOf } from "../../hosts/configuration.ts";
import { configOption, type DeclarationChoice, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import type { ReportFormat } from "../format.ts";
import {
  allOption,
  chosenDeployment,
  chosenHistory,
  chosenHosts,
  contentOption,
  deploymentOption,
  type ExitCode,
  formatOption,
  hostsOption,
  outOption,
  previousOption,
  previousRequiredOption,
} from "../options.ts";
import { builtAsData, builtText } from "../report/built.ts";
import { progressLine } from "../report/progress.ts";
import { outcomeText, type Summariser, type Summary, stopwatch, summarise, type Times } from "../report/summary.ts";
import { isLive, out, widthOf } from "../terminal.ts";
import { printWarnings, supportEditors } from "./editors.ts";

const { stdout, stderr } = process;

export const buildCommand = (end: (code: ExitCode) => void) =>
  new Command("build")
    .description("validate the content and write the API with the configuration of its hosts")
    .addOption(contentOption())
    .addOption(configOption())
    .addOption(outOption("the folder to publish"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for"))
    .addOption(previousOption())
    .addOption(previousRequiredOption())
    .addOption(allOption())
    .addOption(formatOption())
    .action(async (options: Arguments) => end(await withApi(options, (api) => run(api, options))));

interface Arguments extends DeclarationChoice {
  readonly content: string;
  readonly out: string;
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly previous?: string;
  readonly previousRequired: boolean;
  readonly all: boolean;
  readonly format: ReportFormat;
}

async function run(api: Api, asked: Arguments): Promise<ExitCode> {
  const times = stopwatch();
  const { content, out: folder, format } = asked;
  const { build } = await import("../../build.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const progress = progressLine(stderr, isLive && format === "text");
  const history = chosenHistory(asked.previous, folder, asked.previousRequired);
  const [deployment, hosts] = [chosenDeployment(asked), adapters(await chosenHosts(asked.host, content, api))];
  let summary: Summariser | undefined;
  progress.announce("Reading the content");
  try {
    const [built, ...faults] = await build(
      {
        api,
        content,
        out: folder,
        history,
        deployment,
        hosts,
        onContent,
      },
      {
        onWait: () => announceWait(folder),
        onPlan(plan) {
          times.endContent();
          summary = summarise(plan);
          progress.start(plan.count);
        },
        onChange(change) {
          summary?.add(change);
          if (change.kind === "removed") return;
          if (summary?.isComplete() === true) times.endPages();
          progress.step();
        },
      },
    );
    progress.stop();
    if (built === undefined || summary === undefined) {
      printWarnings(warnings);
      return await reportFaults(content, faults, format, {
        all: asked.all,
        effect: "; nothing was written",
      });
    }
    const reloads = reloadsOf(hosts, (file) => built.replacedBeside.has(file));
    const warned = [...built.plan.warnings, ...warnings];
    report(built, { summary, reloads, warnings: warned, times: times.now() }, asked);
    return 0;
  } finally {
    progress.stop();
  }
}

interface Outcome {
  readonly summary: Summary;
  readonly reloads: readonly Reload[];
  readonly warnings: readonly string[];
  readonly times: Times;
}

function report(
  { plan }: Built,
  { summary, reloads, warnings, times }: Outcome,
  { content, out: folder, format }: Arguments,
): void {
  if (format === "json") {
    stdout.write(`${JSON.stringify(builtAsData(plan, summary, reloads, warnings, times.all))}\n`);
    printWarnings(warnings);
    return;
  }
  stdout.write(builtText(plan, summary, reloads, { from: content, to: folder }, out, widthOf(stdout)));
  printWarnings(warnings);
  stdout.write(`${outcomeText(summary, times, out)}\n`);
}

export const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
