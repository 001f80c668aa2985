import { existsSync } from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import type { HostAdapter } from "../../hosts/host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { hasCode, MachineError } from "../../machine-error.ts";
import { besideFolder } from "../../output/location.ts";
import { explain } from "../explain.ts";
import { type End, type ExitCode, outOption, portOption } from "../options.ts";
import { onEnd, out } from "../terminal.ts";

const { stdout } = process;

const withProgram = [...hosts.values()].filter(({ program }) => program !== undefined).map(({ name }) => name);

export const previewCommand = (end: End) =>
  new Command("preview")
    .description("serve a built API with query strings")
    .addOption(outOption("the folder to serve"))
    .addOption(portOption())
    .addOption(
      new Option("--host <name>", "serve with the program and configuration of this host").choices(withProgram),
    )
    .action(async ({ out: folder, port, host }: Arguments) => {
      const chosen = hosts.get(host ?? "");
      end(chosen === undefined ? await serve(folder, port) : await serveAs(chosen, folder, port));
    });

interface Arguments {
  readonly out: string;
  readonly port: number;
  readonly host?: string;
}

export function announce(folder: string, by: string, origin: string, paths: readonly string[]): void {
  stdout.write(`Serving ${folder} ${by}on ${out.bold(origin)} (Ctrl-C stops it):\n`);
  stdout.write(paths.map((each) => `  ${origin}${each}\n`).join(""));
}

/** Returns while the server keeps running. */
async function serve(folder: string, port: number): Promise<ExitCode> {
  const { startPreview } = await import("../preview/preview.ts");
  const { portTaken } = await import("../preview/program.ts");
  const { origin, paths } = await startPreview(folder, port).catch((error) => {
    throw hasCode(error, "EADDRINUSE") ? portTaken(port) : error;
  });
  announce(folder, "", origin, paths);
  return 0;
}

/** Returns when the program of the host has ended. */
async function serveAs({ name, files, beside, program }: HostAdapter, folder: string, port: number): Promise<ExitCode> {
  if (program === undefined) throw new Error(`${name} has no program.`);
  const { pathsOf } = await import("../preview/preview.ts");
  const { readTable } = await import("../../verify/build.ts");
  const table = readTable(folder);
  const configuration = path.join(besideFolder(folder), name);
  const inRoot = (files?.(table) ?? []).map(({ file }) => path.join(folder, file));
  const needed = [...inRoot, ...(beside ? [configuration] : [])];
  const missing = needed.find((file) => !existsSync(file));
  if (missing !== undefined) {
    const out = path.normalize(folder) === "dist" ? "" : ` --out ${folder}`;
    throw new MachineError(`There is no ${missing}.`, `First run: npm run build -- --host ${name}${out}`);
  }
  const { startProgram } = await import("../preview/program.ts");
  const running = await startProgram(program, { publishRoot: folder, beside: configuration, port });
  let asked = false;
  // Before the first output: its reader may stop the program at once.
  onEnd(() => {
    asked = true;
    running.stop().catch((error) => explain(error));
  });
  announce(folder, `with ${program.command} `, running.origin, pathsOf(table));
  if (program.differs !== undefined) stdout.write(`Note that ${program.differs}.\n`);
  const printed = await running.ended;
  await running.stop();
  if (asked) return 0;
  throw new MachineError(`${program.command} ended: ${printed.trim()}`);
}
