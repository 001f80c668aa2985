import { Command } from "commander";
import type { Api } from "../../../src/api.ts";
import { reloadsOf } from "../../hosts/configuration.ts";
import { configOption, sunsetWarnings, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import {
  allOption,
  type ContentArguments,
  chosenDeployment,
  chosenHistory,
  chosenHosts,
  contentOption,
  deploymentOption,
  type End,
  type ExitCode,
  formatOption,
  hostsOption,
  outOption,
  previousOption,
  previousRequiredOption,
} from "../options.ts";
import { builtAsData, builtText, lastLine, type Summary, summarise } from "../report/built.ts";
import { isLive, out, progressLine, widthOf } from "../terminal.ts";
import { printWarnings, supportEditors } from "./editors.ts";

const { stdout, stderr } = process;

export const buildCommand = (end: End) =>
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

interface Arguments extends ContentArguments {
  readonly out: string;
  readonly previous?: string;
  readonly previousRequired: boolean;
}

async function run(api: Api, options: Arguments): Promise<ExitCode> {
  const startedAt = performance.now();
  const { content, out: folder, format, all } = options;
  const { build } = await import("../../build.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const history = chosenHistory(options.previous, folder, options.previousRequired);
  const hosts = adapters(await chosenHosts(options.host, content, api));
  const asked = { api, content, out: folder, history, deployment: chosenDeployment(options), hosts, onContent };
  const progress = progressLine(isLive && format === "text");
  progress.announce("Reading the content");
  let summary: Summary | undefined;
  try {
    const [built, ...faults] = await build(asked, {
      onWait: () => stderr.write(`Another build is writing ${folder}; waiting for it.\n`),
      onPlan(plan) {
        summary = summarise(plan);
        progress.start(plan.count);
      },
      onChange(change) {
        summary?.add(change);
        if (change.kind !== "removed") progress.step();
      },
    });
    progress.stop();
    if (built === undefined || summary === undefined) {
      printWarnings(warnings);
      return await reportFaults(content, faults, format, { all, effect: "; nothing was written" });
    }
    const { plan, replacedBeside } = built;
    const outcome = {
      plan,
      summary,
      reloads: reloadsOf(hosts, (file) => replacedBeside.has(file)),
      warnings: [...plan.warnings, ...sunsetWarnings(api), ...warnings],
      milliseconds: performance.now() - startedAt,
    };
    if (format === "json") stdout.write(`${JSON.stringify(builtAsData(outcome))}\n`);
    else stdout.write(builtText(outcome, { from: content, to: folder }, out, widthOf(stdout)));
    printWarnings(outcome.warnings);
    if (format === "text") stdout.write(`${lastLine(outcome, out)}\n`);
    return 0;
  } finally {
    progress.stop();
  }
}
