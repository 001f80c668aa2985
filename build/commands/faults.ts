import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import type { Format } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err } from "./terminal.ts";

const { stdout, stderr } = process;

/** Reports the faults of the content: as text on standard error, as JSON on standard output. */
export async function reportFaults(
  content: string,
  faults: readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]],
  format: Format,
): Promise<ExitCode> {
  const { countText, faultsAsData, faultText, omittedText } = await import("../report/faults.ts");
  if (format === "json") {
    stdout.write(`${JSON.stringify(faultsAsData(content, ...faults))}\n`);
    return 1;
  }
  const [shown, omitted] = faults;
  const linesOf = lineReader(content);
  for (const diagnostic of shown) stderr.write(`${faultText(content, diagnostic, err, linesOf)}\n`);
  for (const line of omittedText(content, omitted, err)) stderr.write(`${line}\n`);
  stderr.write(`${err.red("✗")} ${countText(...faults)}; nothing was written.\n`);
  return 1;
}

/** Larger files are not shown: few of them have lines that a terminal could show. */
const mostShown = 2 ** 26;

/** The lines of the files to show on a terminal. Faults come file by file, so one file is kept. */
function lineReader(content: string): (file: string) => readonly string[] | undefined {
  let last: { readonly file: string; readonly lines: readonly string[] | undefined } | undefined;
  return (file) => {
    if (stderr.isTTY !== true) return undefined;
    if (last?.file !== file) last = { file, lines: read(path.join(content, file)) };
    return last.lines;
  };
}

function read(full: string): readonly string[] | undefined {
  const entry = lstatSync(full, { throwIfNoEntry: false });
  // A link may lead to what is no content, and a pipe nowhere.
  if (entry?.isFile() !== true || entry.size > mostShown) return undefined;
  return readFileSync(full, "utf8")
    .replace(/^\u{feff}/u, "")
    .split(/\r\n|[\n\r]/);
}
