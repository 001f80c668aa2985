// A CSV file without a header: its first item is taken for the names of the fields.
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Draft, Source } from "../messages.ts";
import { closest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { fieldsOfPath, globsOf } from "./globs.ts";

const question = "Does the file have a header? Its first row must name the fields";

/** What the names of the columns say: no row can be an item, or a transform probably expects others. */
export function headerOf(
  operation: ListOperation,
  fields: readonly string[],
  columns: readonly string[],
  { file }: Source,
): "missing" | "doubtful" | "present" {
  const given = Object.keys(fieldsOfPath(globsOf(operation) ?? [], file) ?? {});
  if (columns.some((column) => closest(column, fields) !== undefined)) return "present";
  if (operation.transform !== undefined) return columns.some((column) => number.test(column)) ? "doubtful" : "present";
  return keyFields(operation).every((field) => given.includes(field)) ? "present" : "missing";
}

const number = /^-?\d+(?:\.\d+)?$/;

export const noHeader = (source: Source, noun: string, fields: readonly string[]): Draft => ({
  code: "unknown-field",
  at: { source, start: 0, end: 0 },
  text: `The first row names no field of ${noun}.`,
  hint: `${question}, such as ${listed(fields)}.`,
});

/** A fault that may follow from a missing header. */
export const withQuestion = ({ text, hint, ...rest }: Draft): Draft => ({
  ...rest,
  text: (written, placeOf) => {
    const words = typeof text === "string" ? { text, hint } : text(written, placeOf);
    return { ...words, hint: words.hint === undefined ? `${question}.` : `${words.hint} ${question}.` };
  },
});
