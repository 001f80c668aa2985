// The command line: `node build/cli.mjs <command>`. The commands are in commands/; this file only loads them quickly.
import { endWithInternalError, stackOf } from "./start/internal-error.mjs";
import { recall, run, withModules } from "./start/kept.mjs";

process.once("uncaughtException", (error) => endWithInternalError(withModules(stackOf(error))));
process.exitCode = await run(recall() ?? (await make()), process.argv.slice(2));

async function make() {
  const { register } = await import("tsx/esm/api");
  const unregister = register();
  const { make } = await import("./start/make.ts");
  const program = await make();
  await unregister();
  return program;
}
