// Converts texts to the types of a schema: the cells of CSV, and the parts of paths. A text that no type fits stays a
// text, so that its fault quotes it.
import { kindsOf, mayBeOmitted, type Schema } from "../../src/kinds.ts";
import { exactNumber } from "./formats/exact.ts";
import { isAccepted } from "./validate.ts";

/** An empty text of an optional field. */
export const absent = Symbol("absent");

/**
 * The value of a text: a number or a boolean if the schema accepts no such text, and null for the empty text. If the
 * schema accepts neither the empty text nor null, an optional field is absent.
 */
export function reader(schema: Schema): (text: string) => unknown {
  const types = new Set(
    kindsOf(schema).flatMap((each) =>
      each.kind === "known" ? each.values.map((value) => typeof value) : each.kind === "integer" ? "number" : each.kind,
    ),
  );
  const [hasNumbers, hasBooleans] = [types.has("number"), types.has("boolean")];
  const valueIn = (text: string): unknown => {
    if (hasNumbers && numberForm.test(text)) return exactNumber(text);
    return hasBooleans && (text === "true" || text === "false") ? text === "true" : undefined;
  };
  const isText = [...types].some((type) => !["number", "boolean", "null"].includes(type));
  return (text) => {
    if (text === "") return types.has("null") ? null : mayBeOmitted(schema) ? absent : text;
    const value = valueIn(text);
    return value === undefined || (isText && isAccepted(schema, text)) ? text : value;
  };
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;
