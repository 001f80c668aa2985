// Whether a file has the form that its collection expects. A CSV file without a header, whose first row is read as one, and a
// file of one object whose members are the items, are reported once, with the option that reads them.
import { withArticle } from "../../../src/model/api.ts";
import { isObject } from "../../../src/model/fields.ts";
import type { FileRule } from "../../../src/model/files.ts";
import { keyFields } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { closest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { withOption } from "../find/globs.ts";
import type { ContentSource } from "../formats/source.ts";

/**
 * The fault of a file with one object that has none of the fields of an item: each of its members, or those of one of its
 * lists, are probably the items.
 */
export function foreignObject(
  raw: unknown,
  fields: readonly string[],
  { noun }: ListOperation,
  source: ContentSource,
  rule: FileRule | undefined,
): Draft | undefined {
  if (!isObject(raw) || source.dialect.items !== undefined) return undefined;
  const names = Object.keys(raw);
  if (names.some((name) => fields.includes(name))) return undefined;
  if (names.some((name) => closest(name, fields) !== undefined)) return undefined;
  const lists = names.filter((name) => areObjects(raw[name]));
  const isOfAll = names.length > 1 && areObjects(Object.values(raw));
  const items = lists.length === 1 && lists[0] !== undefined && !lists[0].includes(".") ? lists[0] : undefined;
  if (items === undefined && !isOfAll) return undefined;
  const what = items === undefined ? "its members are objects" : `its member ${quote(items)} is a list of objects`;
  return {
    code: "unknown-field",
    at: { source, path: [] },
    text: `This file is read as one ${noun}, but has no field of one, and ${what}.`,
    hint: withOption(`items: ${JSON.stringify(items ?? "*")}`, rule, source.file),
  };
}

const areObjects = (values: unknown): boolean => Array.isArray(values) && values.length > 0 && values.every(isObject);

/** Receives the rows. */
interface RowTarget {
  take(row: unknown, path: Path, source: ContentSource, report: Log["report"]): void;
  /** Called instead if the file has no header. */
  skip(): void;
}

/** Returns the function that takes the rows of one file. `fields`: those of the schema. */
export function rowReader(
  operation: ListOperation,
  fields: readonly string[],
  rule: FileRule | undefined,
  log: Log,
  target: RowTarget,
) {
  let header: ReturnType<typeof headerOf> | undefined;
  return (row: unknown, path: Path, source: ContentSource): void => {
    const isFirst = header === undefined;
    header ??= headerOf(operation, fields, Object.keys(Object(row)), source);
    if (header !== "missing") {
      target.take(row, path, source, isFirst && header === "doubtful" ? questioning(log.report) : log.report);
      return;
    }
    if (isFirst) log.report(noHeader(source, withArticle(operation.noun), fields, rule));
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
  source: ContentSource,
): "missing" | "doubtful" | "present" {
  const fromPath = Object.keys(source.fields);
  if (columns.some((column) => closest(column, fields) !== undefined)) return "present";
  if (operation.transform !== undefined) return columns.some((column) => number.test(column)) ? "doubtful" : "present";
  return keyFields(operation).every((field) => fromPath.includes(field)) ? "present" : "missing";
}

const number = /^-?\d+(?:\.\d+)?$/;

const noHeader = (
  source: ContentSource,
  noun: string,
  fields: readonly string[],
  rule: FileRule | undefined,
): Draft => ({
  code: "unknown-field",
  at: { source, start: 0, end: 0 },
  text: `The first row names no field of ${noun}.`,
  hint: `${question}, such as ${listed(fields)}. ${withOption('header: ["…"]', rule, source.file)}`,
});

const withQuestion = ({ text, hint, ...rest }: Draft): Draft => ({
  ...rest,
  text: (written, placeOf) => {
    const words = typeof text === "string" ? { text, hint } : text(written, placeOf);
    return { ...words, hint: words.hint === undefined ? `${question}.` : `${words.hint} ${question}.` };
  },
});
