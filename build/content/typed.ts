// Converts texts to the types of a schema: the cells of CSV, and the parts of paths. A text that no type fits stays a
// text, so that its fault quotes it.
import * as z from "zod";
import { type Kind, kindsOf, mayBeOmitted, type Schema } from "../../src/kinds.ts";
import { parseExact } from "./formats/exact.ts";

/** An empty text of an optional field. */
export const absent = Symbol("absent");

/**
 * The value of a text: a number or a boolean if the schema accepts no such text, and null for the empty text. If the
 * schema accepts neither the empty text nor null, an optional field is absent.
 */
export function reader(schema: Schema): (text: string) => unknown {
  const kinds = new Set(kindsOf(schema).flatMap(typesOf));
  const isText = kinds.has("text");
  const others = (["number", "boolean"] as const).filter((kind) => kinds.has(kind));
  const accepts = (text: string) => z.safeParse(schema, text).success;
  return (text) => {
    if (text === "") return kinds.has("null") ? null : mayBeOmitted(schema) ? absent : text;
    if (others.length === 0) return text;
    const kind = others.find((each) => literals[each].test(text));
    return kind === undefined || (isText && accepts(text)) ? text : parseExact(text);
  };
}

const literals = {
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i,
  boolean: /^(?:true|false)$/,
} as const;

type Type = "text" | "number" | "boolean" | "null";

/** The types of the texts that stand for a kind of values. */
function typesOf(each: Kind): readonly Type[] {
  switch (each.kind) {
    case "known":
      return each.values.map((value) =>
        typeof value === "number" || typeof value === "boolean" ? (typeof value as "number" | "boolean") : "text",
      );
    case "integer":
      return ["number"];
    case "number":
    case "boolean":
    case "null":
      return [each.kind];
    default:
      return ["text"];
  }
}
