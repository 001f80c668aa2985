import { Argument, Option } from "commander";
import { MachineError } from "../../files/machine-error.ts";
import { hosts } from "../../hosts/hosts.ts";
import type { PublishOptions } from "../../publish/publication.ts";
import { publishToServer } from "../../publish/server.ts";
import { command, noOption, options, someText } from "../command.ts";
import type { ExitCode } from "../explain.ts";
import type { PublishOutput } from "../report/json-output.ts";
import { envelopeOf } from "../report/messages.ts";
import type { ReportFormat } from "../report-format.ts";

const { stdout } = process;

const published = [...hosts.values()].filter(({ publishing }) => publishing?.server !== undefined);

export const publishCommand = command(
  "publish",
  "send a build to a server",
  [
    new Argument("<host>", "the host that the build is for").choices(published.map(({ name }) => name)),
    new Argument("<target>", "a folder, or host:folder for a folder over ssh").argParser(someText),
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

interface Options extends PublishOptions {
  readonly format: ReportFormat;
}

async function run(name: string, target: string, { format, ...chosen }: Options): Promise<ExitCode> {
  const host = hosts.get(name);
  const server = host?.publishing?.server;
  if (host === undefined || server === undefined) throw new MachineError(`The program does not publish to ${name}.`);
  const { outcome, notes } = publishToServer(host, server, target, chosen);
  if (format === "json") {
    const output: PublishOutput = { ...envelopeOf({ shown: [], omitted: [] }), host: name, target, outcome, notes };
    stdout.write(`${JSON.stringify(output)}\n`);
  } else stdout.write(notes.map((note) => `${note}\n`).join(""));
  return 0;
}
