import type { Api } from "../../../src/api.ts";
import { counted, integer, listed, plural } from "../../text/words.ts";
import { type ContentOptions, chosenHosts, command, options, sunsetWarnings, withApi } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import type { ExitCode } from "../explain.ts";
import { budgetText } from "../report/built.ts";
import { out, printWarnings, widthOf } from "../terminal.ts";

const { stdout } = process;
const { content, config, deployment, host, all, format } = options;

export const checkCommand = command(
  "check",
  "validate the declaration and the content and report the faults that build would report; write only schemas for editors",
  [content, config, deployment, host, all, format],
  withApi(run),
);

async function run(options: ContentOptions, api: Api): Promise<ExitCode> {
  const { content, format } = options;
  const deployment = options.deployment || undefined;
  const { planBuild } = await import("../../build.ts");
  const { onContent, warnings } = await supportEditors(content);
  const { hosts, isNamed } = await chosenHosts(options, api);
  const [plan, ...faults] = await planBuild({ api, content, onContent, deployment, hosts });
  printWarnings(warnings);
  if (plan === undefined) {
    const { reportFaults } = await import("../report/faults.ts");
    return reportFaults(content, faults, options);
  }
  const { undescribedFields } = await import("../../documents/fields.ts");
  printWarnings([...sunsetWarnings(api), ...undescribedText(undescribedFields(api))]);
  const { catalog, budget } = plan;
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: [], ...(isNamed && { budget }) })}\n`);
    return 0;
  }
  const counts = catalog.api.lists.map((each) => counted(catalog.items.get(each.name)?.count ?? 0, each));
  const { size } = catalog.deployments;
  const found = [...counts, ...(size < 2 ? [] : [plural(size, "deployment")])].join(", ");
  stdout.write(`${out.green("✓")} ${content} is valid: ${found}.\n`);
  const limits = isNamed ? budgetText(budget, out, widthOf(stdout)) : "";
  if (limits !== "") stdout.write(`\n${limits}\n`);
  return 0;
}

function undescribedText(fields: readonly string[]): readonly string[] {
  if (fields.length === 0) return [];
  const [noun, them] = fields.length === 1 ? ["1 field has", "it"] : [`${integer(fields.length)} fields have`, "them"];
  return [`${noun} no .describe(), by which the reference explains ${them} to consumers: ${listed(fields)}.`];
}
