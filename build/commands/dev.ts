import { Command } from "commander";
import { outcomeText, type Summariser, stopwatch, summarise } from "../report/summary.ts";
import { announceWait } from "./build.ts";
import { printWarnings, supportEditors } from "./editors.ts";
import { explain } from "./explain.ts";
import { reportFaults } from "./faults.ts";
import {
  adapters,
  cache,
  chosenDeployment,
  contentOption,
  deploymentOption,
  hostsOption,
  outOption,
  portOption,
  usualHosts,
} from "./options.ts";
import { announce } from "./preview.ts";
import { onEnd, out } from "./terminal.ts";

export const devCommand = () =>
  new Command("dev")
    .description("build, serve, and build again whenever the content changes")
    .addOption(contentOption())
    .addOption(outOption("the folder to write and serve"))
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to write configuration for").default(usualHosts))
    .addOption(portOption())
    .action(run);

interface Arguments {
  readonly content: string;
  readonly out: string;
  readonly deployment?: string;
  readonly host: readonly string[];
  readonly port: number;
}

/** Returns while the server goes on. */
async function run({ content, out: folder, host, port, ...rest }: Arguments): Promise<void> {
  const { startDev } = await import("../preview/dev.ts");
  const history = { kind: "kept", folder } as const;
  let times = stopwatch();
  let summary: Summariser | undefined;
  const { onContent, warnings } = supportEditors(content);
  const deployment = chosenDeployment(rest);
  const options = { content, out: folder, deployment, hosts: adapters(host), cache, history, onContent };
  const dev = await startDev(options, port, {
    onStart() {
      times = stopwatch();
    },
    onWait: () => announceWait(folder),
    onPlan(plan) {
      times.endContent();
      summary = summarise(plan);
    },
    onChange(change) {
      times.endPages();
      summary?.add(change);
    },
    onBuilt: () => {
      if (summary !== undefined) process.stdout.write(`${outcomeText(summary, times.now(), out)}\n`);
      printWarnings(warnings);
    },
    onFaults: (...faults) => {
      printWarnings(warnings);
      return reportFaults(content, faults, "text");
    },
    onError: (error) => explain(error),
    onServing: ({ origin, paths }) => announce(folder, "", origin, paths),
  });
  process.stdout.write(`Watching ${content}.\n`);
  onEnd(() => dev.stop().catch((error) => explain(error)));
}
