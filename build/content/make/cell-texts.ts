// The texts that mean true, false and null in a CSV file, if the declaration names them: faults of cells tell them.
import { ownField } from "../../../src/model/fields.ts";
import { kindsOf, type Schema } from "../../../src/model/kinds.ts";
import { typesOf } from "../../explain/explain.ts";
import type { Draft, Log } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { listed } from "../../text/words.ts";
import type { Dialect } from "../formats/value.ts";

/** Reports faults with these texts. `fields`: the schemas of an item's fields. */
export function withCellTexts(
  report: Log["report"],
  { format, booleans, null: nulls }: Dialect,
  fields: Readonly<Record<string, Schema>>,
): Log["report"] {
  if (format !== "csv" || (booleans === undefined && nulls === undefined)) return report;
  const textsFor = (field: string | number | undefined): string | undefined => {
    const schema = ownField(fields, String(field));
    const types = schema === undefined ? [] : kindsOf(schema).flatMap(typesOf);
    const texts: string[] = [];
    if (booleans !== undefined && types.includes("boolean"))
      texts.push(`${shown(booleans[0])} is true and ${shown(booleans[1])} is false`);
    if (nulls !== undefined && types.includes("null")) texts.push(`${listed(nulls.map(textOf))} is null`);
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
  text: (written, placeOf) => ({
    text: typeof draft.text === "string" ? draft.text : draft.text(written, placeOf).text,
    hint,
  }),
});
