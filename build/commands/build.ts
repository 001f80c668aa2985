import path from "node:path";
import { Command } from "commander";
import type { Discovery } from "../content/discover.ts";
import type { HistoryOptions } from "../history/recall.ts";
import { builtAsData, builtText, type Outcome, outcomeOf, unchanged } from "../report/built.ts";
import { listed } from "../report/columns.ts";
import { progressBar } from "../report/progress.ts";
import { outcomeText, type Stopwatch, type Summariser, stopwatch, summarise } from "../report/summary.ts";
import { isSidecar } from "../routing/sidecar.ts";
import { inputsOf } from "../unchanged/inputs.ts";
import { openReceipts, type Receipts } from "../unchanged/receipts.ts";
import { printWarnings, supportEditors } from "./editors.ts";
import { reportFaults } from "./faults.ts";
import type { Format } from "./format.ts";
import {
  allOption,
  cache,
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
} from "./options.ts";
import { isLive, out, widthOf } from "./terminal.ts";

const { stdout, stderr } = process;

/** `program` tells this program from every other one; without it nothing is taken for unchanged before it is built. */
export const buildCommand = (end: (code: ExitCode) => void, program: string | undefined) =>
  new Command("build")
    .description("validate the content and write the API with its host's configuration")
    .addOption(contentOption())
    .addOption(outOption("the folder to publish"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for"))
    .addOption(previousOption())
    .addOption(previousRequiredOption())
    .option("--precompress", "also write compressed copies of the pages, for hosts that send them", false)
    .option("--clean", "write every file again, even if it has not changed", false)
    .addOption(allOption())
    .addOption(formatOption())
    .action(async (options: Arguments) => end(await run(options, program)));

interface Arguments {
  readonly content: string;
  readonly out: string;
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly previous?: string;
  readonly previousRequired: boolean;
  readonly precompress: boolean;
  readonly clean: boolean;
  readonly all: boolean;
  readonly format: Format;
}

async function run(asked: Arguments, program: string | undefined): Promise<ExitCode> {
  const times = stopwatch();
  const history = chosenHistory(asked.previous, asked.out, asked.previousRequired);
  const receipts = program === undefined ? undefined : receiptsOf(asked, program, history);
  const known = asked.clean ? undefined : await receipts?.recall(history?.kind === "previous" ? history.now : 0);
  if (known === undefined) return make(asked, history, receipts, times);
  tell(known, [], asked, times);
  return 0;
}

/** Undefined where an earlier build elsewhere counts, which may change at any time. */
function receiptsOf(asked: Arguments, program: string, history: HistoryOptions | undefined) {
  const { content, out: folder, host, precompress } = asked;
  if (history?.kind === "previous" && path.resolve(history.from) !== path.resolve(folder)) return undefined;
  const options = { deployment: chosenDeployment(asked), host, precompress, history: history !== undefined };
  return openReceipts<Outcome>(cache, { program, content, out: folder, options });
}

async function make(
  asked: Arguments,
  history: HistoryOptions | undefined,
  receipts: Receipts<Outcome> | undefined,
  times: Stopwatch,
): Promise<ExitCode> {
  const { content, out: folder, precompress, clean, format } = asked;
  const { build } = await import("../build.ts");
  const { adapters } = await import("../hosts/hosts.ts");
  const { onContent, schemas, warnings } = await supportEditors(content);
  const bar = await progressBar(stderr, isLive && format === "text");
  const [deployment, hosts] = [chosenDeployment(asked), adapters(await chosenHosts(asked.host, content))];
  let inputs: string | undefined;
  const onDiscovery = (found: Discovery) => {
    if (receipts !== undefined) inputs = inputsOf(found);
  };
  let summary: Summariser | undefined;
  bar.announce("Reading the content");
  try {
    const [built, ...faults] = await build(
      { content, out: folder, precompress, clean, cache, history, deployment, hosts, onContent, onDiscovery },
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
      return await reportFaults(content, faults, format, {
        all: asked.all,
        effect: "; nothing was written",
      });
    }
    const outcome = outcomeOf(built, hosts, summary);
    const told = [...built.plan.warnings, ...warnings];
    tell(outcome, told, asked, times);
    if (format === "text" && built.foreign.length > 0) {
      const names = listed(built.foreign);
      stdout.write(`${folder} also holds files that edge-api did not write. They were kept: ${names}.\n`);
    }
    // A warning may be one of this build alone.
    if (inputs !== undefined && told.length === 0) receipts?.keep(built, inputs, schemas, unchanged(outcome));
    return 0;
  } finally {
    bar.stop();
  }
}

function tell(
  outcome: Outcome,
  warnings: readonly string[],
  { content, out: folder, format }: Arguments,
  times: Stopwatch,
): void {
  const now = times.now();
  if (format === "json") stdout.write(`${JSON.stringify(builtAsData(outcome, warnings, now.all))}\n`);
  else stdout.write(builtText(outcome, content, folder, out, widthOf(stdout)));
  printWarnings(warnings);
  if (format === "text") stdout.write(`${outcomeText(outcome, now, out)}\n`);
}

export const announceWait = (folder: string) => stderr.write(`Another build is writing ${folder}; waiting for it.\n`);
