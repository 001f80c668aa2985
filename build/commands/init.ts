import path from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { modulesFolder } from "../checkout.ts";
import { hostNames } from "../hosts/names.ts";
import { type ExitCode, usualHost } from "./options.ts";
import { out } from "./terminal.ts";

/** `version` is the program's. */
export const initCommand = (end: (code: ExitCode) => void, version: string) =>
  new Command("init")
    .description("write a repository of data alone: content, scripts, a workflow and the host's configuration")
    .argument("[folder]", "the folder to write, new or empty", ".")
    .addOption(new Option("--host <name>", "the host to publish to").choices(hostNames).default(usualHost))
    .action(async (folder: string, { host }: { readonly host: string }) => end(await run(folder, host, version)));

async function run(folder: string, host: string, version: string): Promise<ExitCode> {
  const [{ repositoryFiles }, { programFor }, { writeRepository }] = await Promise.all([
    import("../init/repository.ts"),
    import("../init/program.ts"),
    import("../init/write.ts"),
  ]);
  const full = path.resolve(folder);
  const program = programFor(full, path.dirname(fileURLToPath(modulesFolder)), version);
  writeRepository(folder, repositoryFiles({ name: packageName(path.basename(full)), host, usualHost, program }));
  const enter = full === process.cwd() ? "" : `cd ${folder} && `;
  process.stdout.write(`${out.green("✓")} ${folder} is a repository of data for ${host}. Go on with:\n\n`);
  process.stdout.write(
    `  ${enter}npm install && npm run dev\n\nIts README.md says how to change the data and publish.\n`,
  );
  return 0;
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name; the hosts' projects are called the same. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50);
  return name === "" ? "my-api" : name;
}
