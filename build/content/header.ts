// A CSV file without a header: its first item is taken for the names of the fields.
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { closest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { type Fault, fault } from "./fault.ts";
import { fieldsOfPath, globsOf } from "./globs.ts";
import type { Source } from "./source.ts";

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

export const noHeader = (source: Source, noun: string, fields: readonly string[]): Fault =>
  fault(
    "unknown-field",
    { source, start: 0, end: 0 },
    `The first row names no field of ${noun}.`,
    `${question}, such as ${listed(fields)}.`,
  );

/** A fault that may follow from a missing header. */
export const withQuestion = ({ wording, ...rest }: Fault): Fault => ({
  ...rest,
  wording: (written, placeOf) => {
    const { message, hint } = wording(written, placeOf);
    return { message, hint: hint === undefined ? `${question}.` : `${hint} ${question}.` };
  },
});
