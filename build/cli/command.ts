// What a command is, the options that commands share, and how a command gets the APIs: from the declaration in the working
// folder.
import { type Argument, Command, InvalidArgumentError, Option } from "commander";
import type { Apis } from "../../src/model/api.ts";
import type { Declaration } from "../declaration/declaration.ts";
import { MachineError } from "../files/machine-error.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { hostNames, usualHost } from "../hosts/names.ts";
import { type Log, openLog } from "../messages.ts";
import type { ExitCode } from "./report-error.ts";
import type { ReportFormat } from "./report-format.ts";

/** Makes a command. `end` is called once, with its exit code. `run` gets the arguments, then the options. */
export const command =
  <Values extends readonly unknown[]>(
    name: string,
    description: string,
    options: readonly (Argument | Option)[],
    run: (...values: Values) => Promise<ExitCode>,
  ) =>
  (end: (code: ExitCode) => void): Command => {
    const subcommand = new Command(name)
      .description(description)
      .configureHelp({ optionDescription: described, argumentDescription: described })
      .action(async (...values: Values) => end(await run(...values)));
    for (const option of options) {
      if (option instanceof Option) subcommand.addOption(option);
      else subcommand.addArgument(option);
    }
    return subcommand;
  };

/** The description for `--help`, with the choices and the default as one types them. The default of a switch says nothing. */
function described(option: Pick<Option, "description" | "argChoices" | "defaultValue"> & { readonly envVar?: string }) {
  const { description, argChoices, defaultValue, envVar } = option;
  const hasDefault = typeof defaultValue === "string" || typeof defaultValue === "number";
  const notes = [
    ...(argChoices === undefined ? [] : [`choices: ${argChoices.join(", ")}`]),
    ...(hasDefault ? [`default: ${defaultValue}`] : []),
    ...(envVar === undefined ? [] : [`env: ${envVar}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

export const options = {
  content: new Option("--content <folder>", "the folder with the content").argParser(someText).default("content"),
  config: new Option("--config <file>", "the declaration of the API (default: api.config.ts)").argParser(someText),
  out: new Option("--out <folder>", "the folder of the build").argParser(someText).default("dist"),
  deployment: new Option("--deployment <name>", "the deployment (default: default_deployment of api.yaml, or edge)")
    .argParser(noOption)
    .env("DEPLOYMENT"),
  host: new Option(
    "--host <name...>",
    `the hosts to publish to, whose limits apply (default: hosts of api.yaml, or ${usualHost})`,
  ).choices(hostNames),
  all: new Option("--all", "report each fault separately").default(false),
  format: new Option("--format <format>", "the format of the report: text for people, json for programs")
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

/** Refuses the values that an unset variable of the shell leads to: an empty text or, without quotes, the next option. */
export function someText(text: string): string {
  if (text !== "") return noOption(text);
  throw new InvalidArgumentError("It is empty. Set the variable that it comes from, or leave the option out.");
}

/** Like `someText`, but accepts an empty text, which means that the option is left out. */
export function noOption(text: string): string {
  if (!text.startsWith("--")) return text;
  throw new InvalidArgumentError(
    "It is the next option: the value before it is missing. Set the variable that it comes from, and quote it.",
  );
}

/** An option for one of the hosts. `hint` says why there is no second one, and what to do. */
export function oneHost(description: string, names: readonly string[], hint: string): Option {
  const option = new Option("--host <name>", description).choices(names);
  const { parseArg } = option;
  return option.argParser((name, before: string | undefined) => {
    if (before !== undefined) throw new InvalidArgumentError(`${before} is already named. ${hint}`);
    return parseArg?.(name, before);
  });
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("A port is an integer from 0 to 65535.");
  }
  return Number(text);
}

/** The declaration in the working folder. */
export async function openApis({ config }: Pick<ContentOptions, "config">, log: Log): Promise<Declaration> {
  const { openDeclaration } = await import("../declaration/declaration.ts");
  return openDeclaration({ folder: process.cwd(), config }, log);
}

interface Target {
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[] | undefined;
}

/**
 * The deployment and the hosts that the user names. Undefined: those of the content. Throws MachineError if the hosts cannot
 * publish the same folder.
 */
export async function chosenTarget(options: Pick<ContentOptions, "deployment" | "host">): Promise<Target> {
  const deployment = options.deployment || undefined;
  if (options.host === undefined) return { deployment, hosts: undefined };
  const { conflictAmong } = await import("../hosts/configuration.ts");
  const { adapters } = await import("../hosts/hosts.ts");
  const hosts = adapters(options.host);
  const conflict = conflictAmong(hosts);
  if (conflict !== undefined)
    throw new MachineError(conflict, "Name one of them at a time, and build each into a folder of its own with --out.");
  return { deployment, hosts };
}

/** Runs a command with the APIs. Reports the errors of its declaration instead if there are any. */
export const withApis =
  <Options extends ContentOptions>(run: (options: Options, apis: Apis, log: Log) => Promise<ExitCode>) =>
  async (options: Options): Promise<ExitCode> => {
    const log = openLog();
    const { apis } = await openApis(options, log);
    if (apis !== undefined) return run(options, apis, log);
    const { reportErrors } = await import("./report/print-messages.ts");
    return reportErrors(log.messages(), { ...options, effect: "; the content was not read" });
  };
