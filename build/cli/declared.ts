// Commands get the API here: from the declaration in the working folder.
import { Option } from "commander";
import type { Api } from "../../src/api.ts";
import type { Declaration } from "../declaration/declaration.ts";
import { dayOf, deprecatedIn, hasSunset } from "../deprecations.ts";
import type { Checked } from "../diagnostics.ts";
import { secondsNow } from "../seconds-now.ts";
import { reportFaults } from "./faults.ts";
import type { ContentArguments, ExitCode } from "./options.ts";

export const configOption = () => new Option("--config <file>", "the declaration of the API (default: api.config.ts)");

export interface DeclarationChoice {
  readonly config?: string;
}

export async function openApi({ config }: DeclarationChoice): Promise<Checked<Declaration>> {
  const { openDeclaration } = await import("../declaration/declaration.ts");
  return openDeclaration({ folder: process.cwd(), config });
}

/** Runs a command with the API. Reports the faults of its declaration instead if there are any. */
export async function withApi(options: ContentArguments, run: (api: Api) => Promise<ExitCode>): Promise<ExitCode> {
  const [{ api }, faults] = await openApi(options);
  if (api !== undefined) return run(api);
  return reportFaults("", [faults, []], options.format, { all: options.all, effect: "; the content was not read" });
}

/** What should be gone by now. */
export const sunsetWarnings = ({ operations }: Api): readonly string[] =>
  deprecatedIn(operations)
    .filter((each) => hasSunset(each, dayOf(secondsNow())))
    .map(({ what, sunset }) => `The sunset of ${what} was on ${sunset}. Remove it, or give it a later sunset.`);
