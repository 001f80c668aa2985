// A run of the command line in the process of a test.
import { vi } from "vitest";
import type * as z from "zod";
import { main } from "../../build/cli/main.ts";
import { jsonOutputs } from "../../build/cli/report/json-output.ts";
import { formatAskedFor } from "../../build/cli/report-format.ts";

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line with these arguments. cli.system.test.ts shows that a separate process does the same. */
export async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  for (const [name, value] of Object.entries({ DEPLOYMENT: undefined, GITHUB_ACTIONS: undefined, ...env }))
    vi.stubEnv(name, value);
  try {
    const status = await main(args);
    if (formatAskedFor(args) === "json") expectForm(args[0], printed.stdout);
    return { status, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Throws if the output of a command is not the JSON that docs/json-output.md describes. */
function expectForm(name = "", output: string): void {
  const forms: Readonly<Record<string, z.ZodType>> = jsonOutputs;
  forms[name]?.parse(JSON.parse(output));
}
