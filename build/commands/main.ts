// Arguments → command → exit code. What only some commands need is imported when they run: loading code takes longer
// than building a small API.
import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { MachineError } from "../machine-error.ts";
import { buildCommand } from "./build.ts";
import { checkCommand } from "./check.ts";
import { devCommand } from "./dev.ts";
import { diffCommand } from "./diff.ts";
import { explain } from "./explain.ts";
import { formatAskedFor } from "./format.ts";
import { initCommand } from "./init.ts";
import type { ExitCode } from "./options.ts";
import { previewCommand } from "./preview.ts";
import { out } from "./terminal.ts";
import { verifyCommand } from "./verify.ts";

export async function main(args: readonly string[]): Promise<ExitCode> {
  const format = formatAskedFor(args);
  let code: ExitCode = 0;
  const end = (ended: ExitCode) => {
    code = ended;
  };
  const program = new Command("edge-api")
    .description("Compiles an edge network's data files into a read-only JSON API made of static files.")
    .version(manifest.version)
    .configureHelp({ styleTitle: (title) => out.bold(title) });
  for (const command of [
    buildCommand(end),
    checkCommand(end),
    devCommand(),
    previewCommand(end),
    diffCommand(end),
    verifyCommand(end),
    initCommand(end, manifest.version),
  ]) {
    program.addCommand(command);
  }
  for (const each of [program, ...program.commands]) {
    each.exitOverride();
    if (format === "json") each.configureOutput({ writeErr: () => undefined });
  }
  try {
    refuseSwallowed(program.commands.find((each) => each.name() === process.env["npm_lifecycle_event"]));
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return explain(error, format);
  }
}

/** `npm run build --host nginx`, without the `--` that npm needs, sets a variable instead of passing the option on. */
function refuseSwallowed(command: Command | undefined): void {
  const swallowed = command?.options.find(
    (option) => process.env[`npm_config_${option.name().replaceAll("-", "_")}`] !== undefined,
  );
  if (command === undefined || swallowed === undefined) return;
  throw new MachineError(
    `npm took ${swallowed.long} for an option of its own.`,
    `Put -- before the options: npm run ${command.name()} -- ${swallowed.long} …`,
  );
}
