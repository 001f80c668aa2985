// Commands get the API here: from the declaration in the working folder.
import { Option } from "commander";
import type { Api } from "../../src/api.ts";
import type { Declaration } from "../declaration/declaration.ts";
import type { Checked } from "../diagnostics.ts";
import { reportFaults } from "./faults.ts";
import type { ReportFormat } from "./format.ts";
import type { ExitCode } from "./options.ts";

export const configOption = () => new Option("--config <file>", "the declaration of the API (default: api.config.ts)");

export interface DeclarationChoice {
  readonly config?: string;
}

export async function openApi({ config }: DeclarationChoice): Promise<Checked<Declaration>> {
  const { openDeclaration } = await import("../declaration/declaration.ts");
  return openDeclaration({ folder: process.cwd(), config });
}

interface Choices extends DeclarationChoice {
  readonly format?: ReportFormat;
  readonly all?: boolean;
}

/** Runs a command with the API. Reports the faults of its declaration instead if there are any. */
export async function withApi(options: Choices, run: (api: Api) => Promise<ExitCode>): Promise<ExitCode> {
  const [{ api }, faults] = await openApi(options);
  if (api !== undefined) return run(api);
  const { format = "text", all = false } = options;
  return reportFaults("", [faults, []], format, { all, effect: "; the content was not read" });
}
