import { existsSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../../files/machine-error.ts";
import type { HostAdapter } from "../../hosts/host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { commandThatBuilds, configurationFolder } from "../../output/location.ts";
import { openBuild } from "../../published/build.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import { command, oneHost, options } from "../command.ts";
import { pathsOf, servingText, startPreview } from "../preview/preview.ts";
import { portTaken, startProgram } from "../preview/program.ts";
import { type ExitCode, reportError } from "../report-error.ts";
import { onEnd } from "../terminal.ts";

const { stdout } = process;

const withProgram = [...hosts.values()].filter(({ program }) => program !== undefined).map(({ name }) => name);

export const previewCommand = command(
  "preview",
  "serve a build on this machine",
  [
    options.out,
    options.port,
    oneHost(
      "serve with the program and configuration of this host",
      withProgram,
      "A preview uses the program of one host: name one at a time.",
    ),
  ],
  async ({ out, port, host }: { readonly out: string; readonly port: number; readonly host?: string }) => {
    const chosen = hosts.get(host ?? "");
    return chosen === undefined ? serve(out, port) : serveAs(chosen, out, port);
  },
);

/** Returns while the server keeps running. */
async function serve(folder: string, port: number): Promise<ExitCode> {
  const preview = await startPreview(folder, port).catch((error) => {
    throw hasCode(error, "EADDRINUSE") ? portTaken(port) : error;
  });
  stdout.write(servingText(folder, "", preview));
  return 0;
}

/** Returns when the program of the host has ended. */
async function serveAs(
  { name, files, configuration: generate, program }: HostAdapter,
  folder: string,
  port: number,
): Promise<ExitCode> {
  if (program === undefined) throw new Error(`${name} has no program.`);
  const tables = openBuild(folder).tables();
  const configuration = path.join(configurationFolder(folder), name);
  const inRoot = (files?.(tables) ?? []).map(({ file }) => path.join(folder, file));
  const needed = [...inRoot, ...(generate ? [configuration] : [])];
  const missing = needed.find((file) => !existsSync(file));
  if (missing !== undefined) {
    throw new MachineError(`There is no ${missing}.`, `First run: ${commandThatBuilds(name, folder)}`);
  }
  const [base, ...others] = mapNonEmpty(tables, (table) => table.base);
  const place = { base, others, publishRoot: folder, configuration, port };
  const { origin, ended, stop } = await startProgram(program, place);
  let isStopped = false;
  // Before the first output: its reader may stop the program at once.
  onEnd(() => {
    isStopped = true;
    stop().catch((error) => reportError(error));
  });
  stdout.write(servingText(folder, `with ${program.command} `, { origin, paths: pathsOf(tables) }));
  if (program.differs !== undefined) stdout.write(`Note that ${program.differs}.\n`);
  const printed = await ended;
  await stop();
  if (isStopped) return 0;
  throw new MachineError(`${program.command} ended: ${printed.trim()}`);
}
