// Whether a file has the form that its collection expects. A CSV file without a header, whose first row is read as one, and a
// file of one object whose members are the items, are reported once, with the option that reads them.
import { withArticle } from "../../../src/model/api.ts";
import { isObject, ownField } from "../../../src/model/fields.ts";
import { keyFields } from "../../../src/model/key.ts";
import type { Schema } from "../../../src/model/kinds.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { has } from "../../explain/explain.ts";
import type { Draft } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { closest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import type { ContentSource, Value } from "../formats/value.ts";
import { withOption } from "../globs.ts";

/** The form that the files of a collection have. */
interface Form {
  readonly operation: ListOperation;
  /** The schemas of the fields, if the schema has them. */
  readonly fields: Readonly<Record<string, Schema>> | undefined;
  /** Whether fields that the schema does not have are faults. */
  readonly isStrict: boolean;
}

/** The fault of a file that has not the form of its collection, as its first value shows. */
export function foreignForm(
  { data, at: { source, path } }: Value,
  { operation, fields = {}, isStrict }: Form,
): Draft | undefined {
  const { format, header } = source.dialect;
  const names = Object.keys(fields);
  if (format.hasCells && header === undefined)
    return missingHeader(operation, names, Object.keys(Object(data)), source);
  const isOne = path.length === 0 && operation.transform === undefined && isStrict;
  return isOne ? foreignObject(data, names, operation, source) : undefined;
}

/**
 * The fault of a file with one object that has none of the fields of an item: each of its members, or those of one of its
 * lists, are probably the items.
 */
function foreignObject(
  raw: unknown,
  fields: readonly string[],
  operation: ListOperation,
  source: ContentSource,
): Draft | undefined {
  if (!isObject(raw) || source.dialect.items !== undefined) return undefined;
  const names = Object.keys(raw);
  if (names.some((name) => fields.includes(name))) return undefined;
  if (names.some((name) => closest(name, fields) !== undefined)) return undefined;
  const lists = names.filter((name) => areObjects(ownField(raw, name)));
  const isOfAll = names.length > 1 && areObjects(Object.values(raw));
  const items = lists.length === 1 && lists[0] !== undefined && !lists[0].includes(".") ? lists[0] : undefined;
  if (items === undefined && !isOfAll) return undefined;
  const options =
    items === undefined ? optionsForMembers(Object.values(raw), operation, source) : `items: ${JSON.stringify(items)}`;
  const what = items === undefined ? "its members are objects" : `its member ${quote(items)} is a list of objects`;
  return {
    code: "unknown-field",
    at: { source, path: [] },
    text: `This file is read as one ${operation.noun}, but has no field of one, and ${what}.`,
    hint: withOption(options, source),
  };
}

/** What reads each member of an object as an item. Its name is the key if no member has that field. */
function optionsForMembers(members: readonly unknown[], operation: ListOperation, source: ContentSource): string {
  const isWritten = (field: string) =>
    Object.hasOwn(source.fields, field) || members.some((member) => has(member, field));
  const missing = keyFields(operation).filter((field) => !isWritten(field));
  return missing.length === 1 ? `items: "*", memberName: ${JSON.stringify(missing[0])}` : 'items: "*"';
}

const areObjects = (values: unknown): boolean => Array.isArray(values) && values.length > 0 && values.every(isObject);

/** The fault of a CSV file whose first row is no header, because it names no field. `columns`: the cells of that row. */
function missingHeader(
  operation: ListOperation,
  fields: readonly string[],
  columns: readonly string[],
  source: ContentSource,
): Draft | undefined {
  // A transform may expect other names.
  if (operation.transform !== undefined || columns.some((column) => closest(column, fields) !== undefined))
    return undefined;
  // A file whose path has the key may have no column of the schema yet.
  if (keyFields(operation).every((field) => Object.hasOwn(source.fields, field))) return undefined;
  return {
    code: "unknown-field",
    at: { source, start: 0, end: 0 },
    text: `The first row names no field of ${withArticle(operation.noun)}.`,
    hint: `Does the file have a header? Its first row must name the fields, such as ${listed(fields)}. ${withOption('header: ["…"]', source)}`,
  };
}
