import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { dayOf } from "../../deprecations.ts";
import type { Difference } from "../../diff/difference.ts";
import { type BreakingKind, breakingKinds, chosenKinds } from "../../diff/kinds.ts";
import { secondsNow } from "../../seconds-now.ts";
import { configOption, openApi } from "../declared.ts";
import { type Faults, reportFaults } from "../faults.ts";
import {
  type ContentArguments,
  chosenDeployment,
  chosenHosts,
  contentOption,
  deploymentOption,
  type End,
  type ExitCode,
  hostsOption,
} from "../options.ts";
import { out, widthOf } from "../terminal.ts";

const { stdout } = process;

export const diffCommand = (end: End) =>
  new Command("diff")
    .description("report how a change of the data changes the API, and write nothing")
    .addOption(contentOption())
    .addOption(configOption())
    .option(
      "--against <build|address|reference|folder>",
      "what to compare with: a folder of a build, the address of the published API, a commit, branch or tag of git, or a folder of content",
      "HEAD",
    )
    .addOption(deploymentOption())
    .addOption(hostsOption("the hosts whose limits are shown"))
    .addOption(
      new Option("--format <format>", "how to report: for a terminal, a pull request or programs")
        .choices(["text", "markdown", "json"])
        .default("text"),
    )
    .addOption(
      new Option(
        "--fail-on <kinds>",
        `exit with 1 on breaking changes of these kinds: ${breakingKinds.join(", ")}; breaking means all of them, and a hyphen excludes a kind, as in breaking,-item-removed`,
      ).argParser(kindsOf),
    )
    .action(async (options: Arguments) => end(await run(options)));

interface Arguments extends Omit<ContentArguments, "all" | "format"> {
  readonly against: string;
  readonly format: "text" | "markdown" | "json";
  readonly failOn?: ReadonlySet<BreakingKind>;
}

async function run({ content, against, host, format, failOn, ...options }: Arguments): Promise<ExitCode> {
  const { openSides } = await import("../../diff/sides.ts");
  const { differenceOf } = await import("../../diff/difference.ts");
  const { adapters: hostAdapters } = await import("../../hosts/hosts.ts");
  const [{ api }, mistakes] = await openApi(options);
  if (api === undefined) return report([mistakes, []], format);
  const config = path.resolve(options.config ?? "api.config.ts");
  const adapters = hostAdapters(await chosenHosts(host, content, api));
  const [sides, ...faults] = await openSides({
    api,
    declaration: { folder: path.dirname(config), ...(options.config && { config: path.basename(config) }) },
    content,
    against,
    deployment: chosenDeployment(options),
    hosts: adapters,
  });
  if (sides === undefined) return report(faults, format);
  const difference = differenceOf(sides, adapters, dayOf(secondsNow()));
  stdout.write(await printed(difference, format));
  return difference.breaking.some(({ code }) => failOn?.has(code)) ? 1 : 0;
}

function kindsOf(text: string): ReadonlySet<BreakingKind> {
  const chosen = chosenKinds(text);
  if ("wrong" in chosen) throw new InvalidArgumentError(chosen.wrong);
  return chosen;
}

async function printed(difference: Difference, format: Arguments["format"]): Promise<string> {
  switch (format) {
    case "json":
      return `${JSON.stringify({ faults: [], ...difference })}\n`;
    case "markdown": {
      const { differenceMarkdown } = await import("../report/diff/markdown.ts");
      return differenceMarkdown(difference);
    }
    case "text": {
      const { differenceText } = await import("../report/diff/text.ts");
      return `${differenceText(difference, out, widthOf(stdout))}\n`;
    }
  }
}

/** The paths of the faults name their sides. Markdown reports faults too, because it replaces an earlier comment. */
async function report(faults: Faults, format: Arguments["format"]): Promise<ExitCode> {
  if (format === "markdown") {
    const { faultsMarkdown } = await import("../report/diff/markdown.ts");
    const { countText } = await import("../report/faults.ts");
    stdout.write(faultsMarkdown(faults[0], countText(...faults)));
  }
  return reportFaults("", faults, format === "json" ? "json" : "text");
}
