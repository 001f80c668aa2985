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

/** The most faults, or groups of faults of one cause, that are printed in full. */
const mostInFull = 50;

/** Reports the faults of the content: as text on standard error, as JSON on standard output. */
export async function reportFaults(
  content: string,
  [shown, omitted]: Faults,
  format: ReportFormat,
  { all = false, effect = "" }: Choices = {},
): Promise<ExitCode> {
  const { countText, faultsAsData, faultText, fold } = await import("./report/faults.ts");
  if (format === "json") {
    stdout.write(`${JSON.stringify(faultsAsData(content, shown, omitted))}\n`);
    return 1;
  }
  const folded = fold(shown);
  const groups = all ? shown.map((fault) => [fault] as const) : folded;
  const inFull = all ? groups : groups.slice(0, mostInFull);
  const layout = { colors: err, width: widthOf(stderr), linesOf: lineReader(content) };
  for (const group of inFull) stderr.write(`${faultText(content, group, layout)}\n`);
  const rest = groups.slice(inFull.length).reduce((sum, { length }) => sum + length, 0);
  const more = rest > 0 ? ` ${integer(rest)} of them are not shown: use --all to see each fault.` : "";
  stderr.write(`${err.red("✗")} ${countText(shown, omitted, groups)}${effect}.${more}\n`);
  if (process.env["GITHUB_ACTIONS"] === "true") {
    const { annotations } = await import("./report/annotations.ts");
    for (const line of annotations(folded, pathInRepository(content))) stderr.write(`${line}\n`);
  }
  return 1;
}

function pathInRepository(content: string): (file: string) => string {
  const repository = process.env["GITHUB_WORKSPACE"] || process.cwd();
  return (file) => path.relative(repository, path.resolve(content, file)).split(path.sep).join("/");
}

/** In bytes. The lines of larger files are not shown. */
const mostShown = 2 ** 26;

/** The lines of files, for a terminal. Faults are sorted by file, so one file is cached. */
function lineReader(content: string): (file: string) => readonly string[] | undefined {
  let last: { readonly file: string; readonly lines: readonly string[] | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, lines: linesOf(path.join(content, file)) };
    return last.lines;
  };
}

function linesOf(file: string): readonly string[] | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  // A link may lead out of the content, and reading a pipe may never end.
  if (entry?.isFile() !== true || entry.size > mostShown) return undefined;
  const text = readFileSync(file, "utf8");
  return text.replace(/^\u{feff}/u, "").split(/\r\n|[\n\r]/);
}
