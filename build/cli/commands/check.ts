import { Command } from "commander";
import type { Api } from "../../../src/api.ts";
import { counted, integer, listed, plural } from "../../text/words.ts";
import { configOption, type DeclarationChoice, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import type { ReportFormat } from "../format.ts";
import {
  allOption,
  chosenDeployment,
  contentOption,
  deploymentOption,
  type ExitCode,
  formatOption,
  hostsOption,
  namedHosts,
  usualHost,
} from "../options.ts";
import { budgetText } from "../report/budget.ts";
import { sunsetWarnings } from "../sunsets.ts";
import { out, widthOf } from "../terminal.ts";
import { printWarnings, supportEditors } from "./editors.ts";

export const checkCommand = (end: (code: ExitCode) => void) =>
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
    .action(async (options: Arguments) => end(await withApi(options, (api) => run(api, options))));

interface Arguments extends DeclarationChoice {
  readonly content: string;
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly all: boolean;
  readonly format: ReportFormat;
}

async function run(api: Api, { content, host, format, all, ...options }: Arguments): Promise<ExitCode> {
  const { planBuild } = await import("../../build.ts");
  const { adapters } = await import("../../hosts/hosts.ts");
  const { onContent, warnings } = await supportEditors(content);
  const named = await namedHosts(host, content, api);
  const [plan, ...faults] = await planBuild({
    api,
    content,
    onContent,
    deployment: chosenDeployment(options),
    hosts: adapters(named ?? [usualHost]),
  });
  printWarnings(warnings);
  if (plan === undefined) return reportFaults(content, faults, format, { all });
  const { undescribedFields } = await import("../../documents/fields.ts");
  printWarnings(sunsetWarnings(api));
  printWarnings(undescribedText(undescribedFields(api)));
  const { catalog, budget } = plan;
  if (format === "json") {
    process.stdout.write(`${JSON.stringify({ faults: [], ...(named === undefined ? {} : { budget }) })}\n`);
    return 0;
  }
  const counts = catalog.api.lists.map(({ name, resource }) => counted(catalog.items.get(name)?.count ?? 0, resource));
  const deployments = catalog.deployments.size < 2 ? [] : [plural(catalog.deployments.size, "deployment")];
  const found = [...counts, ...deployments].join(", ");
  process.stdout.write(`${out.green("✓")} ${content} is valid: ${found}.\n`);
  if (named !== undefined && budget.length > 0)
    process.stdout.write(`\n${budgetText(budget, out, widthOf(process.stdout))}\n`);
  return 0;
}

function undescribedText(fields: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  const [noun, them] = fields.length === 1 ? ["1 field has", "it"] : [`${integer(fields.length)} fields have`, "them"];
  return [`${noun} no .describe(), by which the reference explains ${them} to consumers: ${listed(fields)}.`];
}
