// The rows of a CSV file. If a file has no header, its first row is read as one, which is reported.
import { withArticle } from "../../../src/model/api.ts";
import { keyFields } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import type { Draft, Log, Path, Source } from "../../messages.ts";
import { closest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { fieldsOfPath, globsOf } from "../find/globs.ts";
import type { ContentSource } from "../formats/source.ts";

/** Receives the rows. */
interface RowTarget {
  take(row: unknown, path: Path, source: ContentSource, report: Log["report"]): void;
  /** Called instead if the file has no header. */
  skip(): void;
}

/** Returns the function that takes the rows of one file. `fields`: those of the schema. */
export function rowReader(operation: ListOperation, fields: readonly string[], log: Log, target: RowTarget) {
  let header: ReturnType<typeof headerOf> | undefined;
  return (row: unknown, path: Path, source: ContentSource): void => {
    const isFirst = header === undefined;
    header ??= headerOf(operation, fields, Object.keys(Object(row)), source);
    if (header !== "missing") {
      target.take(row, path, source, isFirst && header === "doubtful" ? questioning(log.report) : log.report);
      return;
    }
    if (isFirst) log.report(noHeader(source, withArticle(operation.noun), fields));
    target.skip();
  };
}

/** The first fault of a row may follow from a missing header. */
function questioning(report: Log["report"]): Log["report"] {
  let isFirst = true;
  return (draft) => {
    report(isFirst ? withQuestion(draft) : draft);
    isFirst = false;
  };
}

const question = "Does the file have a header? Its first row must name the fields";

/** Whether the first row has names of fields. `missing`: no row can be an item; `doubtful`: the transform may expect others. */
function headerOf(
  operation: ListOperation,
  fields: readonly string[],
  columns: readonly string[],
  { file }: Source,
): "missing" | "doubtful" | "present" {
  const fromPath = Object.keys(fieldsOfPath(globsOf(operation) ?? [], file) ?? {});
  if (columns.some((column) => closest(column, fields) !== undefined)) return "present";
  if (operation.transform !== undefined) return columns.some((column) => number.test(column)) ? "doubtful" : "present";
  return keyFields(operation).every((field) => fromPath.includes(field)) ? "present" : "missing";
}

const number = /^-?\d+(?:\.\d+)?$/;

const noHeader = (source: Source, noun: string, fields: readonly string[]): Draft => ({
  code: "unknown-field",
  at: { source, start: 0, end: 0 },
  text: `The first row names no field of ${noun}.`,
  hint: `${question}, such as ${listed(fields)}.`,
});

const withQuestion = ({ text, hint, ...rest }: Draft): Draft => ({
  ...rest,
  text: (written, placeOf) => {
    const words = typeof text === "string" ? { text, hint } : text(written, placeOf);
    return { ...words, hint: words.hint === undefined ? `${question}.` : `${words.hint} ${question}.` };
  },
});
