import { Option } from "commander";
import type { Apis } from "../../../src/model/api.ts";
import type { Content } from "../../content/content.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import type { Log } from "../../messages.ts";
import { counted, plural } from "../../text/words.ts";
import { type ContentOptions, chosenTarget, command, options, withApis } from "../command.ts";
import { supportEditors } from "../editors/write.ts";
import { budgetText } from "../report/built.ts";
import type { CheckOutput } from "../report/json-output.ts";
import { printJson, printMessages, reportErrors } from "../report/print-messages.ts";
import type { ExitCode } from "../report-error.ts";
import { err, out, widthOf } from "../terminal.ts";

const { stdout, stderr } = process;
const { content, config, deployment, host, all, format } = options;

export const checkCommand = command(
  "check",
  "validate the declaration and the content, and write only schemas for editors",
  [
    content,
    config,
    deployment,
    host,
    new Option("--fail-on-warnings", "exit with 1 if there are warnings").default(false),
    all,
    format,
  ],
  withApis(run),
);

interface CheckOptions extends ContentOptions {
  readonly failOnWarnings: boolean;
}

async function run(options: CheckOptions, apis: Apis, log: Log): Promise<ExitCode> {
  const { content: folder, format } = options;
  const { planContents } = await import("../../build.ts");
  const { readContents } = await import("../../content/content.ts");
  const { deployment, hosts } = await chosenTarget(options);
  const read = await readContents(folder, apis, log);
  await supportEditors(folder, read, log);
  const plan = await planContents(read, { content: folder, deployment, hosts, today: dayOf(secondsNow()) }, log);
  const messages = log.messages();
  if (plan === undefined) return reportErrors(messages, options);
  const { budget } = plan;
  const [{ settings, deployments }] = read;
  const isRefused = options.failOnWarnings && messages.shown.length > 0;
  // The limits of the usual host do not matter to users who publish elsewhere.
  const isNamed = (hosts ?? settings.hosts) !== undefined;
  if (format === "json") {
    printJson<CheckOutput>(isNamed ? { budget } : {}, messages);
    return isRefused ? 1 : 0;
  }
  printMessages(messages, options);
  const further = deployments.size < 2 ? [] : [plural(deployments.size, "deployment")];
  if (read.length === 1) {
    stdout.write(`${out.green("✓")} ${folder} is valid: ${[...countsOf(read[0]), ...further].join(", ")}.\n`);
  } else {
    const bases = [...read.map(({ api }) => api.base), ...further].join(", ");
    stdout.write(`${out.green("✓")} ${folder} is valid for ${bases}.\n`);
    for (const content of read) stdout.write(`  ${content.api.base}: ${countsOf(content).join(", ")}\n`);
  }
  const limits = isNamed ? budgetText(budget, out, widthOf(stdout)) : "";
  if (limits !== "") stdout.write(`\n${limits}\n`);
  if (!isRefused) return 0;
  const count = plural(messages.shown.length, "warning");
  stderr.write(`${err.red("✗")} ${count}, which --fail-on-warnings does not accept.\n`);
  return 1;
}

/** How many items each collection has. */
const countsOf = ({ api, items }: Content): readonly string[] =>
  api.collections.map((list) => counted(items.get(list.name)?.count ?? 0, list));
