import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Diagnostic, Omitted } from "../diagnostics.ts";
import { integer } from "../text/words.ts";
import type { ReportFormat } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err, widthOf } from "./terminal.ts";

const { stdout, stderr } = process;

export type Faults = readonly [shown: readonly Diagnostic[], omitted: readonly Omitted[]];

interface Choices {
  /** Whether each fault is reported separately. */
  readonly all?: boolean;
  /** Continues the sentence that counts the faults. */
  readonly effect?: string;
}

/** Reports the faults of the content: as text on standard error, as JSON on standard output. */
export async function reportFaults(
  content: string,
  faults: Faults,
  format: ReportFormat,
  choices: Choices = {},
): Promise<ExitCode> {
  if (format === "json") {
    const { faultsAsData } = await import("./report/faults.ts");
    stdout.write(`${JSON.stringify(faultsAsData(content, ...faults))}\n`);
    return 1;
  }
  await reportAsText(content, faults, choices);
  if (process.env["GITHUB_ACTIONS"] === "true") await annotate(content, faults);
  return 1;
}

/** The most faults, or groups of faults of one cause, that are printed in full. */
const mostInFull = 50;

async function reportAsText(
  content: string,
  [shown, omitted]: Faults,
  { all = false, effect = "" }: Choices,
): Promise<void> {
  const { countText, faultText } = await import("./report/faults.ts");
  const { alone, fold } = await import("./report/fold.ts");
  const groups = all ? shown.map(alone) : fold(shown);
  const inFull = all ? groups : groups.slice(0, mostInFull);
  const page = { colors: err, width: widthOf(stderr), linesOf: lineReader(content) };
  for (const group of inFull) stderr.write(`${faultText(content, group, page)}\n`);
  const rest = groups.slice(inFull.length).reduce((sum, { faults }) => sum + faults.length, 0);
  const more = rest > 0 ? ` ${integer(rest)} of them are not shown: use --all to see each fault.` : "";
  stderr.write(`${err.red("✗")} ${countText(shown, omitted, groups)}${effect}.${more}\n`);
}

/** Annotations have paths in the repository. */
async function annotate(content: string, [shown]: Faults): Promise<void> {
  const { annotations } = await import("./report/annotations.ts");
  const { fold } = await import("./report/fold.ts");
  const repository = process.env["GITHUB_WORKSPACE"] || process.cwd();
  const pathOf = (file: string) => path.relative(repository, path.resolve(content, file)).split(path.sep).join("/");
  for (const line of annotations(fold(shown), pathOf)) stderr.write(`${line}\n`);
}

/** In bytes. The lines of larger files are not shown. */
const mostShown = 2 ** 26;

/** The lines of files, for a terminal. Faults are sorted by file, so one file is cached. */
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
  // A link may lead out of the content, and reading a pipe may never end.
  if (entry?.isFile() !== true || entry.size > mostShown) return undefined;
  return readFileSync(full, "utf8")
    .replace(/^\u{feff}/u, "")
    .split(/\r\n|[\n\r]/);
}
