import { writeFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import type { Api } from "../../../src/api.ts";
import { configOption, type DeclarationChoice, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import { chosenDeployment, contentOption, deploymentOption, type ExitCode } from "../options.ts";
import { out } from "../terminal.ts";

export const typesCommand = (end: (code: ExitCode) => void) =>
  new Command("types")
    .description("write the types of the API for its client, for programs outside of this repository")
    .argument("[file]", "the declaration file to write", declarationFile, "api.d.ts")
    .addOption(contentOption())
    .addOption(configOption())
    .addOption(deploymentOption())
    .action(async (file: string, options: Arguments) => end(await withApi(options, (api) => run(api, file, options))));

interface Arguments extends DeclarationChoice {
  readonly content: string;
  readonly deployment?: string;
}

/** Anything else is more likely a file of the content or of the user's. */
function declarationFile(text: string): string {
  if (!/\.d\.[mc]?ts$/.test(text)) throw new InvalidArgumentError("The name of a declaration file ends in .d.ts.");
  return text;
}

/** The content determines the words of vocabularies and the operations of the deployment. */
async function run(api: Api, file: string, { content, ...options }: Arguments): Promise<ExitCode> {
  const [{ readCatalog }, { chooseDeployment }, { typesOf }] = await Promise.all([
    import("../../content/content.ts"),
    import("../../content/deployments.ts"),
    import("../../documents/typescript.ts"),
  ]);
  const [catalog, ...faults] = await readCatalog(content, api);
  if (faults[0].length > 0) return reportFaults(content, faults, "text");
  const { settings } = catalog;
  const served = chooseDeployment(catalog, chosenDeployment(options)).operations;
  const operations = api.operations.filter(({ name }) => served.includes(name));
  writeFileSync(file, typesOf({ api, operations, settings }));
  process.stdout.write(`${out.green("✓")} ${file} written.\n`);
  return 0;
}
