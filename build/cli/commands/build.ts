import { Command } from "commander";
import type { Api } from "../../../src/api.ts";
import { reloadsOf } from "../../hosts/configuration.ts";
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
import { builtAsData, builtText, lastLine, type Outcome } from "../report/built.ts";
import { progressLine } from "../report/progress.ts";
import { type Summary, summarise } from "../report/summary.ts";
import { sunsetWarnings } from "../sunsets.ts";
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
  const startedAt = performance.now();
  const { content, out: folder, format, all } = asked;
  const { build } = await import("../../build.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const history = chosenHistory(asked.previous, folder, asked.previousRequired);
  const [deployment, hosts] = [chosenDeployment(asked), adapters(await chosenHosts(asked.host, content, api))];
  const progress = progressLine(stderr, isLive && format === "text");
  progress.announce("Reading the content");
  let summary: Summary | undefined;
  try {
    const [built, ...faults] = await build(
      { api, content, out: folder, history, deployment, hosts, onContent },
      {
        onWait: () => announceWait(folder),
        onPlan(plan) {
          summary = summarise(plan);
          progress.start(plan.count);
        },
        onChange(change) {
          summary?.add(change);
          if (change.kind !== "removed") progress.step();
        },
      },
    );
    progress.stop();
    if (built === undefined || summary === undefined) {
      printWarnings(warnings);
      return await reportFaults(content, faults, format, { all, effect: "; nothing was written" });
    }
    const { plan, replacedBeside } = built;
    const reloads = reloadsOf(hosts, (file) => replacedBeside.has(file));
    const milliseconds = performance.now() - startedAt;
    const notes = [...plan.warnings, ...sunsetWarnings(api), ...warnings];
    report({ plan, summary, reloads, warnings: notes, milliseconds }, asked);
    return 0;
  } finally {
    progress.stop();
  }
}

function report(outcome: Outcome, { content, out: folder, format }: Arguments): void {
  if (format === "json") stdout.write(`${JSON.stringify(builtAsData(outcome))}\n`);
  else stdout.write(builtText(outcome, { from: content, to: folder }, out, widthOf(stdout)));
  printWarnings(outcome.warnings);
  if (format === "text") stdout.write(`${lastLine(outcome, out)}\n`);
}

export const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
