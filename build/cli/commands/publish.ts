import { Argument, Option } from "commander";
import { MachineError } from "../../files/machine-error.ts";
import { hosts } from "../../hosts/hosts.ts";
import { publishToBucket } from "../../publish/bucket.ts";
import { publishToServer, type ServerOptions } from "../../publish/server.ts";
import { command, noOption, options, someText } from "../command.ts";
import type { PublishOutput } from "../report/json-output.ts";
import { printJson } from "../report/print-messages.ts";
import type { ExitCode } from "../report-error.ts";
import type { ReportFormat } from "../report-format.ts";

const { stdout } = process;

const published = [...hosts.values()].filter(({ publishing }) => publishing?.server ?? publishing?.bucket);

export const publishCommand = command(
  "publish",
  "send a build to a server or a bucket",
  [
    new Argument("<host>", "the host that the build is for").choices(published.map(({ name }) => name)),
    new Argument(
      "<target>",
      "a folder, or server:folder for a folder over ssh; for cloudfront, the name of the stack",
    ).argParser(someText),
    options.out,
    new Option("--reload", "check and reload the server if its configuration has changed").default(false),
    new Option("--check-command <command>", "the command that checks the configuration there").argParser(noOption),
    new Option("--reload-command <command>", "the command that reloads the server").argParser(noOption),
    new Option("--back", "go back to the release before the present one").default(false),
    new Option("--replace", "remove an API with another base that is published there").default(false),
    options.format,
  ],
  run,
);

async function run(
  name: string,
  target: string,
  { format, ...chosen }: ServerOptions & { readonly format: ReportFormat },
): Promise<ExitCode> {
  const notes: string[] = [];
  const tell = (sentence: string) => {
    notes.push(sentence);
    if (format === "text") stdout.write(`${sentence}\n`);
  };
  const outcome = publishTo(name, target, chosen, tell);
  if (format === "json") printJson<PublishOutput>({ host: name, target, outcome, notes });
  return 0;
}

function publishTo(name: string, target: string, chosen: ServerOptions, tell: (sentence: string) => void) {
  const host = hosts.get(name);
  const { server, bucket } = host?.publishing ?? {};
  if (host !== undefined && server !== undefined) return publishToServer(host, server, target, chosen, tell);
  if (host === undefined || bucket === undefined) throw new Error(`${name} is no choice.`);
  const { reload, checkCommand, reloadCommand, back } = chosen;
  if (reload || checkCommand || reloadCommand || back) {
    throw new MachineError(
      "--reload, --check-command, --reload-command and --back are for servers.",
      "A bucket gets a new configuration in any case. To go back, build an older commit and publish it.",
    );
  }
  return publishToBucket(host, bucket, target, chosen, tell);
}
