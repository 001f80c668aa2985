import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostics.ts";
import { plural } from "../report/columns.ts";
import type { Format } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err } from "./terminal.ts";

const { stdout, stderr } = process;

/** Reports the faults of the content: as text on standard error, as JSON on standard output. */
export async function reportFaults(
  content: string,
  diagnostics: readonly Diagnostic[],
  format: Format,
): Promise<ExitCode> {
  const { faultAsData, faultText } = await import("../report/faults.ts");
  if (format === "json") {
    stdout.write(`${JSON.stringify({ faults: diagnostics.map((each) => faultAsData(content, each)) })}\n`);
    return 1;
  }
  const frameOf = (file: string) => {
    const full = path.join(content, file);
    // A link may lead to what is no content, and a pipe nowhere.
    const isShown = stderr.isTTY === true && lstatSync(full, { throwIfNoEntry: false })?.isFile();
    return isShown ? readFileSync(full, "utf8").replace(/^\u{feff}/u, "") : undefined;
  };
  for (const diagnostic of diagnostics) stderr.write(`${faultText(content, diagnostic, err, frameOf)}\n`);
  const files = new Set(diagnostics.map(({ file }) => file)).size;
  const counted = `${plural(diagnostics.length, "fault")} in ${plural(files, "file")}`;
  stderr.write(`${err.red("✗")} ${counted}; nothing was written.\n`);
  return 1;
}
