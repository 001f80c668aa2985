// Arguments → command → exit code. Each command imports its modules when it runs, because loading code takes longer than a
// small build.
import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { MachineError } from "../files/machine-error.ts";
import { type ExitCode, reportError } from "./report-error.ts";
import { formatAskedFor } from "./report-format.ts";
import { out, watchOutput } from "./terminal.ts";

watchOutput();

/** In the order of the help. */
const commands = {
  build: async () => (await import("./commands/build.ts")).buildCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  dev: async () => (await import("./commands/dev.ts")).devCommand,
  preview: async () => (await import("./commands/preview.ts")).previewCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  publish: async () => (await import("./commands/publish.ts")).publishCommand,
  verify: async () => (await import("./commands/verify.ts")).verifyCommand,
  init: async () => (await import("./commands/init.ts")).initCommand,
};

export async function main(args: readonly string[]): Promise<ExitCode> {
  const format = formatAskedFor(args);
  let code: ExitCode = 0;
  const end = (ended: ExitCode) => {
    code = ended;
  };
  const all = new Command("stillapi")
    .description("Compiles data files into a read-only JSON API made of static files.")
    .version(manifest.version)
    .configureHelp({ styleTitle: (title) => out.bold(title) });
  for (const load of askedFor(args)) all.addCommand((await load())(end));
  for (const command of [all, ...all.commands]) {
    command.exitOverride();
    if (format === "json") command.configureOutput({ writeErr: () => undefined });
  }
  const failAtExit = (status: number) => {
    if (status === 0) process.exitCode = reportError(interrupted(), format);
  };
  process.once("exit", failAtExit);
  try {
    refuseSwallowed(all.commands.find((command) => command.name() === process.env["npm_lifecycle_event"]));
    await all.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return reportError(error, format);
  } finally {
    process.off("exit", failAtExit);
  }
}

/** Nothing in the program ends the process, but code of a declaration may. */
const interrupted = (): MachineError =>
  new MachineError(
    "The process ended before the command was done.",
    "Check whether the declaration, or a package that it imports, calls process.exit().",
  );

/** All commands if none is named: for the help, or to suggest one. */
function askedFor([name = ""]: readonly string[]) {
  const named = Object.entries(commands).filter(([key]) => key === name);
  return (named.length > 0 ? named : Object.entries(commands)).map(([, load]) => load);
}

/** npm has an option of this name. A variable does not tell whether it comes from the command or from the user's .npmrc. */
const optionsOfNpm: ReadonlySet<string> = new Set(["all"]);

/** Without `--` before the options, as in `npm run build --host nginx`, npm sets a variable instead of passing them on. */
function refuseSwallowed(command: Command | undefined): void {
  const swallowed = command?.options.find(
    (option) =>
      !optionsOfNpm.has(option.name()) && process.env[`npm_config_${option.name().replaceAll("-", "_")}`] !== undefined,
  );
  if (command === undefined || swallowed === undefined) return;
  throw new MachineError(
    `npm read ${swallowed.long} as one of its options.`,
    `Put -- before the options: npm run ${command.name()} -- ${swallowed.long} …`,
  );
}
