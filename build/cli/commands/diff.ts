import path from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import type { BuildDifference } from "../../diff/difference.ts";
import { type BreakingKind, breakingKinds, chosenKinds } from "../../diff/kinds.ts";
import { type Messages, openLog } from "../../messages.ts";
import { type ContentOptions, chosenTarget, command, openApis, options, someText } from "../command.ts";
import type { DiffOutput } from "../report/json-output.ts";
import { envelopeOf, printMessages, reportErrors } from "../report/print-messages.ts";
import type { ExitCode } from "../report-error.ts";
import { out, widthOf } from "../terminal.ts";

const { stdout } = process;

export const diffCommand = command(
  "diff",
  "report how a change of the data changes the API",
  [
    options.content,
    options.config,
    new Option(
      "--against <state>",
      "the state to compare with: a folder of a build, the address of the published API, a commit, branch or tag of git, or a folder of content",
    )
      .argParser(someText)
      .default("HEAD"),
    options.deployment,
    options.host,
    new Option(
      "--format <format>",
      "the format of the report: text for a terminal, markdown for a pull request, json for programs",
    )
      .choices(["text", "markdown", "json"])
      .default("text"),
    new Option(
      "--fail-on <kinds>",
      `exit with 1 on breaking changes of these kinds: ${breakingKinds.join(", ")}; breaking means all of them, and a hyphen excludes a kind, as in breaking,-item-removed`,
    ).argParser(kindsOf),
    options.all,
  ],
  run,
);

interface Arguments extends Omit<ContentOptions, "format"> {
  readonly against: string;
  readonly format: "text" | "markdown" | "json";
  readonly failOn?: ReadonlySet<BreakingKind>;
}

async function run({ against, format, failOn, ...options }: Arguments): Promise<ExitCode> {
  const { readVersions } = await import("../../diff/read.ts");
  const { differencesOf } = await import("../../diff/difference.ts");
  const log = openLog();
  const { apis } = await openApis(options, log);
  if (apis === undefined) return report(log.messages(), format, options.all);
  const config = path.resolve(options.config ?? "api.config.ts");
  const { deployment, hosts } = await chosenTarget(options);
  const today = dayOf(secondsNow());
  const versions = await readVersions({
    apis,
    declaration: { folder: path.dirname(config), ...(options.config && { config: path.basename(config) }) },
    content: options.content,
    against,
    deployment,
    hosts,
    today,
  });
  if ("shown" in versions) return report(versions, format, options.all);
  const differences = differencesOf(versions.before, versions.after, today);
  for (const part of await printed(differences, format)) stdout.write(part);
  if (format === "text") printMessages({ shown: differences.warnings, omitted: [] }, options);
  const breaking = [differences, ...differences.apis].flatMap((changes) => changes.breaking);
  return breaking.some(({ code }) => failOn?.has(code)) ? 1 : 0;
}

function kindsOf(text: string): ReadonlySet<BreakingKind> {
  const chosen = chosenKinds(text);
  if ("wrong" in chosen) throw new InvalidArgumentError(chosen.wrong);
  return chosen;
}

/** In parts. */
async function printed(differences: BuildDifference, format: Arguments["format"]): Promise<Iterable<string>> {
  switch (format) {
    case "json": {
      const { jsonParts } = await import("../../values/json.ts");
      return [...jsonParts(asData(differences)), "\n"];
    }
    case "markdown": {
      const { differencesMarkdown } = await import("../report/diff/markdown.ts");
      return [differencesMarkdown(differences)];
    }
    case "text": {
      const { differencesText } = await import("../report/diff/text.ts");
      return [differencesText(differences, out, widthOf(stdout)), "\n"];
    }
  }
}

const asData = ({ warnings, ...differences }: BuildDifference): DiffOutput => ({
  ...envelopeOf({ shown: warnings, omitted: [] }),
  ...differences,
});

/** The paths of the files name their sides. Markdown reports errors too, because it replaces an earlier comment. */
async function report(messages: Messages, format: Arguments["format"], all: boolean): Promise<ExitCode> {
  if (format === "markdown") {
    const { errorsMarkdown } = await import("../report/diff/markdown.ts");
    stdout.write(errorsMarkdown(messages));
  }
  return reportErrors(messages, { format: format === "json" ? "json" : "text", all });
}
