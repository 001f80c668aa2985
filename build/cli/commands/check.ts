import { Option } from "commander";
import type { Api } from "../../../src/model/api.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import { counted, plural } from "../../text/words.ts";
import { warningsOf } from "../../warnings.ts";
import { type ContentOptions, chosenHosts, command, options, withApi } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import type { ExitCode } from "../explain.ts";
import { budgetText } from "../report/built.ts";
import { err, out, printWarnings, widthOf } from "../terminal.ts";

const { stdout, stderr } = process;
const { content, config, deployment, host, all, format } = options;

export const checkCommand = command(
  "check",
  "validate the declaration and the content and report the faults that build would report; write only schemas for editors",
  [
    content,
    config,
    deployment,
    host,
    new Option("--fail-on-warnings", "exit with 1 on warnings, as on faults").default(false),
    all,
    format,
  ],
  withApi(run),
);

interface CheckOptions extends ContentOptions {
  readonly failOnWarnings: boolean;
}

async function run(options: CheckOptions, api: Api): Promise<ExitCode> {
  const { content, format } = options;
  const deployment = options.deployment || undefined;
  const { planBuild } = await import("../../build.ts");
  const { onContent, warnings: editorWarnings } = await supportEditors(content);
  const { hosts, isNamed } = await chosenHosts(options, api);
  const [plan, ...faults] = await planBuild({ api, content, onContent, deployment, hosts });
  if (plan === undefined) {
    printWarnings(editorWarnings);
    const { reportFaults } = await import("../report/faults.ts");
    return reportFaults(content, faults, options);
  }
  const { catalog, budget } = plan;
  const warnings = [...warningsOf(plan, dayOf(secondsNow())), ...editorWarnings];
  const isRefused = options.failOnWarnings && warnings.length > 0;
  printWarnings(warnings);
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: [], warnings, ...(isNamed && { budget }) })}\n`);
    return isRefused ? 1 : 0;
  }
  const counts = catalog.api.lists.map((each) => counted(catalog.items.get(each.name)?.count ?? 0, each));
  const { size } = catalog.deployments;
  const found = [...counts, ...(size < 2 ? [] : [plural(size, "deployment")])].join(", ");
  stdout.write(`${out.green("✓")} ${content} is valid: ${found}.\n`);
  const limits = isNamed ? budgetText(budget, out, widthOf(stdout)) : "";
  if (limits !== "") stdout.write(`\n${limits}\n`);
  if (!isRefused) return 0;
  stderr.write(`${err.red("✗")} ${plural(warnings.length, "warning")}, which --fail-on-warnings does not accept.\n`);
  return 1;
}
