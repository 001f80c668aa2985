import path from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import type { Difference } from "../../diff/difference.ts";
import { type BreakingKind, breakingKinds, chosenKinds } from "../../diff/kinds.ts";
import { type ContentOptions, chosenHosts, command, openApi, options, someText } from "../command.ts";
import type { ExitCode } from "../explain.ts";
import type { Faults } from "../report/faults.ts";
import { out, widthOf } from "../terminal.ts";

const { stdout } = process;

export const diffCommand = command(
  "diff",
  "report how a change of the data changes the API, and write nothing",
  [
    options.content,
    options.config,
    new Option(
      "--against <build|address|reference|folder>",
      "what to compare with: a folder of a build, the address of the published API, a commit, branch or tag of git, or a folder of content",
    )
      .argParser(someText)
      .default("HEAD"),
    options.deployment,
    options.host,
    new Option("--format <format>", "how to report: for a terminal, a pull request or programs")
      .choices(["text", "markdown", "json"])
      .default("text"),
    new Option(
      "--fail-on <kinds>",
      `exit with 1 on breaking changes of these kinds: ${breakingKinds.join(", ")}; breaking means all of them, and a hyphen excludes a kind, as in breaking,-item-removed`,
    ).argParser(kindsOf),
  ],
  run,
);

interface Arguments extends Omit<ContentOptions, "all" | "format"> {
  readonly against: string;
  readonly format: "text" | "markdown" | "json";
  readonly failOn?: ReadonlySet<BreakingKind>;
}

async function run({ against, format, failOn, ...options }: Arguments): Promise<ExitCode> {
  const { openSides } = await import("../../diff/sides.ts");
  const { differenceOf } = await import("../../diff/difference.ts");
  const [{ api }, mistakes] = await openApi(options);
  if (api === undefined) return report([mistakes, []], format);
  const config = path.resolve(options.config ?? "api.config.ts");
  const { hosts } = await chosenHosts(options, api);
  const [sides, ...faults] = await openSides({
    api,
    declaration: { folder: path.dirname(config), ...(options.config && { config: path.basename(config) }) },
    content: options.content,
    against,
    deployment: options.deployment || undefined,
    hosts,
  });
  if (sides === undefined) return report(faults, format);
  const difference = differenceOf(sides, hosts, dayOf(secondsNow()));
  for (const part of await printed(difference, format)) stdout.write(part);
  return difference.breaking.some(({ code }) => failOn?.has(code)) ? 1 : 0;
}

function kindsOf(text: string): ReadonlySet<BreakingKind> {
  const chosen = chosenKinds(text);
  if ("wrong" in chosen) throw new InvalidArgumentError(chosen.wrong);
  return chosen;
}

/** In parts. */
async function printed(difference: Difference, format: Arguments["format"]): Promise<Iterable<string>> {
  switch (format) {
    case "json": {
      const { jsonParts } = await import("../../values/json.ts");
      return [...jsonParts({ faults: [], ...difference }), "\n"];
    }
    case "markdown": {
      const { differenceMarkdown } = await import("../report/diff/markdown.ts");
      return [differenceMarkdown(difference)];
    }
    case "text": {
      const { differenceText } = await import("../report/diff/text.ts");
      return [differenceText(difference, out, widthOf(stdout)), "\n"];
    }
  }
}

/** The paths of the faults name their sides. Markdown reports faults too, because it replaces an earlier comment. */
async function report(faults: Faults, format: Arguments["format"]): Promise<ExitCode> {
  const { countText, reportFaults } = await import("../report/faults.ts");
  if (format === "markdown") {
    const { faultsMarkdown } = await import("../report/diff/markdown.ts");
    stdout.write(faultsMarkdown(faults[0], countText(...faults)));
  }
  return reportFaults("", faults, { format: format === "json" ? "json" : "text" });
}
