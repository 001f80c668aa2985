// What a command is, the options that commands share, and how a command gets the API: from the declaration in the working
// folder.
import { type Argument, Command, InvalidArgumentError, Option } from "commander";
import type { Api } from "../../src/model/api.ts";
import type { Declaration } from "../declaration/declaration.ts";
import type { Checked } from "../diagnostics.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type HostName, hostNames } from "../hosts/names.ts";
import type { ExitCode, ReportFormat } from "./explain.ts";

/** Makes a command. `end` is called once, with its exit code. `run` gets the arguments, then the options. */
export const command =
  <Values extends readonly unknown[]>(
    name: string,
    description: string,
    options: readonly (Argument | Option)[],
    run: (...values: Values) => Promise<ExitCode>,
  ) =>
  (end: (code: ExitCode) => void): Command => {
    const made = new Command(name)
      .description(description)
      .action(async (...values: Values) => end(await run(...values)));
    for (const each of options) {
      if (each instanceof Option) made.addOption(each);
      else made.addArgument(each);
    }
    return made;
  };

/** The host of content that names none. */
export const usualHost: HostName = "netlify";

export const options = {
  content: new Option("--content <folder>", "the folder with the data").argParser(someText).default("content"),
  config: new Option("--config <file>", "the declaration of the API (default: api.config.ts)").argParser(someText),
  out: new Option("--out <folder>", "the folder of the build").argParser(someText).default("dist"),
  deployment: new Option(
    "--deployment <name>",
    "the deployment of the API (default: default_deployment of api.yaml, else edge)",
  )
    .argParser(noOption)
    .env("DEPLOYMENT"),
  host: new Option(
    "--host <name...>",
    `the hosts to publish to, whose limits count (default: hosts of api.yaml, else ${usualHost})`,
  ).choices(hostNames),
  all: new Option("--all", "report each fault separately").default(false),
  format: new Option("--format <format>", "how to report: for people or for programs")
    .choices(["text", "json"])
    .default("text"),
  port: new Option("--port <number>", "the port to listen on; 0 selects any free port")
    .argParser(portNumber)
    .default(3000),
};

/** The options of commands that read content. */
export interface ContentOptions {
  readonly content: string;
  readonly config?: string;
  /** The build settings of a host may set the variable to an empty text. */
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly all: boolean;
  readonly format: ReportFormat;
}

/** Refuses what the shell makes of a variable that is not set: an empty text or, without quotes, the next option. */
export function someText(text: string): string {
  if (text !== "") return noOption(text);
  throw new InvalidArgumentError("It is empty. Set the variable that it comes from, or leave the option out.");
}

/** Like `someText`, for an option that an empty text leaves out. */
export function noOption(text: string): string {
  if (!text.startsWith("--")) return text;
  throw new InvalidArgumentError(
    "It is the next option, since the value before it is missing. Set the variable that it comes from, and quote it.",
  );
}

/** An option for one of the hosts. `hint` says why there is no second one, and what to do. */
export function oneHost(description: string, names: readonly string[], hint: string): Option {
  const option = new Option("--host <name>", description).choices(names);
  const { parseArg } = option;
  return option.argParser((name, before: string | undefined) => {
    if (before !== undefined) throw new InvalidArgumentError(`${before} is named too. ${hint}`);
    return parseArg?.(name, before);
  });
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("A port is an integer from 0 to 65535.");
  }
  return Number(text);
}

export async function openApi({ config }: Pick<ContentOptions, "config">): Promise<Checked<Declaration>> {
  const { openDeclaration } = await import("../declaration/declaration.ts");
  return openDeclaration({ folder: process.cwd(), config });
}

/** Runs a command with the API. Reports the faults of its declaration instead if there are any. */
export const withApi =
  <Options extends ContentOptions>(run: (options: Options, api: Api) => Promise<ExitCode>) =>
  async (options: Options): Promise<ExitCode> => {
    const [{ api }, faults] = await openApi(options);
    if (api !== undefined) return run(options, api);
    const { reportFaults } = await import("./report/faults.ts");
    return reportFaults("", [faults, []], { ...options, effect: "; the content was not read" });
  };

/** The hosts that the user or api.yaml names, else the usual one. */
export async function chosenHosts(
  { host, content }: Pick<ContentOptions, "host" | "content">,
  api: Api,
): Promise<{ readonly hosts: readonly HostAdapter[]; readonly isNamed: boolean }> {
  const [{ hostsIn }, { adapters }] = await Promise.all([import("../content/content.ts"), import("../hosts/hosts.ts")]);
  const named = host ?? (await hostsIn(content, api));
  return { hosts: adapters(named ?? [usualHost]), isNamed: named !== undefined };
}
