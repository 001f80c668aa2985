// The cells of CSV are texts, which become values of the types of the schema. Faults of cells tell the texts that mean true,
// false and null.
import * as z from "zod";
import { ownField, setField } from "../../../src/model/fields.ts";
import { type Dialect, usualCells } from "../../../src/model/files.ts";
import type { Item } from "../../../src/model/key.ts";
import { kindsOf, mayBeOmitted, type Schema } from "../../../src/model/kinds.ts";
import { isAccepted, typesOf } from "../../explain/explain.ts";
import { type Draft, type Log, sentencesOf } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { listed } from "../../text/words.ts";
import { numberOf } from "../../values/number-of.ts";
import { onceFor } from "../../values/once.ts";

export type Readers = ReadonlyMap<string, (text: string) => unknown>;

/** The texts of cells that mean null, true and false, and the sign before decimals. */
export type CellOptions = Pick<Dialect, "null" | "booleans" | "decimal">;

/** The readers of the fields of a schema. */
export function readersOf(schema: z.ZodType): (options: CellOptions) => Readers {
  const forms = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  return onceFor((options) => new Map(forms.map(([field, form]) => [field, reader(form, options)])));
}

/** Converts the cells of CSV to the types of the schema. */
export function typedRow(row: Item, readers: Readers): Item {
  const item: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(row)) {
    const read = readers.get(field);
    const value = read === undefined ? text : read(String(text));
    if (value !== undefined) setField(item, field, value);
  }
  return item;
}

/** An item with the values of the cells that a transform returned as they are. */
export function withCells(item: Item, row: Item, cells: Item): Item {
  const kept = Object.entries(item).flatMap(([field, value]) => {
    if (!Object.hasOwn(row, field) || value !== ownField(row, field)) return [[field, value]];
    const cell = ownField(cells, field);
    return cell === undefined ? [] : [[field, cell]];
  });
  return Object.fromEntries(kept);
}

/**
 * Returns the function that converts texts to the types of a schema: to a number or a boolean if the schema does not accept
 * the text itself, and texts that mean null to null, as the empty text does if it is not accepted itself. If null is not
 * accepted, an optional field is undefined. A text that fits no type stays a text, so that its fault quotes it.
 */
export function reader(
  schema: Schema,
  { null: nulls, booleans, decimal }: CellOptions = usualCells,
): (text: string) => unknown {
  const types = new Set(kindsOf(schema).flatMap(typesOf));
  const isText = [...types].some((type) => !["number", "boolean", "null"].includes(type));
  const isOnlyText = !types.has("number") && !types.has("boolean");
  const valueIn = (text: string): unknown => {
    if (types.has("number") && numberForms[decimal].test(text)) return numberOf(text.replace(decimal, "."));
    return types.has("boolean") && booleans.includes(text) ? text === booleans[0] : text;
  };
  const isNull = (text: string): boolean => nulls.includes(text) || (text === "" && !isAccepted(schema, text));
  return (text) => {
    if (isNull(text) && types.has("null")) return null;
    if (isNull(text) && mayBeOmitted(schema)) return undefined;
    return isOnlyText || (isText && isAccepted(schema, text)) ? text : valueIn(text);
  };
}

const numberForms = {
  ".": /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i,
  ",": /^-?(?:0|[1-9]\d*)(?:,\d+)?(?:e[-+]?\d+)?$/i,
};

/** Reports faults with the texts that the declaration names. `fields`: the schemas of an item's fields. */
export function withCellTexts(
  report: Log["report"],
  { format, booleans, null: nulls }: Dialect,
  fields: Readonly<Record<string, Schema>>,
): Log["report"] {
  const isUsual = booleans === usualCells.booleans && nulls === usualCells.null;
  if (!format.hasCells || isUsual) return report;
  const textsFor = (field: string | number | undefined): string | undefined => {
    const schema = ownField(fields, String(field));
    const types = schema === undefined ? [] : kindsOf(schema).flatMap(typesOf);
    const texts: string[] = [];
    if (booleans !== usualCells.booleans && types.includes("boolean"))
      texts.push(`${shown(booleans[0])} is true and ${shown(booleans[1])} is false`);
    if (nulls !== usualCells.null && types.includes("null")) texts.push(`${listed(nulls.map(textOf))} is null`);
    return texts.length === 0 ? undefined : `In this file ${texts.join(", and ")}.`;
  };
  return (draft) => {
    const isCell = draft.code === "wrong-type" && "path" in draft.at && draft.at.path.length === 2;
    const hint = isCell ? textsFor(draft.at.path[1]) : undefined;
    report(hint === undefined ? draft : withHint(draft, hint));
  };
}

const textOf = (text: string): string => (text === "" ? "an empty cell" : shown(text));

const withHint = (draft: Draft, hint: string): Draft => ({
  ...draft,
  text: (...context) => ({ ...sentencesOf(draft, ...context), hint }),
});
