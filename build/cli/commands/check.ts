import { Command } from "commander";
import type { Api } from "../../../src/api.ts";
import { counted, integer, listed, plural } from "../../text/words.ts";
import { configOption, sunsetWarnings, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import {
  allOption,
  type ContentArguments,
  chosenDeployment,
  contentOption,
  deploymentOption,
  type End,
  type ExitCode,
  formatOption,
  hostsOption,
  namedHosts,
  usualHost,
} from "../options.ts";
import { budgetText } from "../report/built.ts";
import { out, widthOf } from "../terminal.ts";
import { printWarnings, supportEditors } from "./editors.ts";

const { stdout } = process;

export const checkCommand = (end: End) =>
  new Command("check")
    .description(
      "validate the declaration and the content and report the faults that build would report; write only schemas for editors",
    )
    .addOption(contentOption())
    .addOption(configOption())
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts to check for, with the use of their limits"))
    .addOption(allOption())
    .addOption(formatOption())
    .action(async (options: ContentArguments) => end(await withApi(options, (api) => run(api, options))));

async function run(api: Api, options: ContentArguments): Promise<ExitCode> {
  const { content, format, all } = options;
  const { planBuild } = await import("../../build.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const named = await namedHosts(options.host, content, api);
  const hosts = adapters(named ?? [usualHost]);
  const [plan, ...faults] = await planBuild({ api, content, onContent, deployment: chosenDeployment(options), hosts });
  printWarnings(warnings);
  if (plan === undefined) return reportFaults(content, faults, format, { all });
  const { undescribedFields } = await import("../../documents/fields.ts");
  printWarnings([...sunsetWarnings(api), ...undescribedText(undescribedFields(api))]);
  const { catalog, budget } = plan;
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: [], ...(named !== undefined && { budget }) })}\n`);
    return 0;
  }
  const counts = catalog.api.lists.map((each) => counted(catalog.items.get(each.name)?.count ?? 0, each));
  const { size } = catalog.deployments;
  const found = [...counts, ...(size < 2 ? [] : [plural(size, "deployment")])].join(", ");
  stdout.write(`${out.green("✓")} ${content} is valid: ${found}.\n`);
  const limits = named === undefined ? "" : budgetText(budget, out, widthOf(stdout));
  if (limits !== "") stdout.write(`\n${limits}\n`);
  return 0;
}

function undescribedText(fields: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  const [noun, them] = fields.length === 1 ? ["1 field has", "it"] : [`${integer(fields.length)} fields have`, "them"];
  return [`${noun} no .describe(), by which the reference explains ${them} to consumers: ${listed(fields)}.`];
}
