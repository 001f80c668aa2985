// Converts texts to the types of a schema: the cells of CSV, and the parts of paths. A text that no type fits stays a
// text, so that its fault quotes it.
import * as z from "zod";
import { parseExact } from "./formats/exact.ts";

type Schema = z.core.$ZodType;

/** An empty text of an optional field. */
export const absent = Symbol("absent");

/**
 * The value of a text: a number or a boolean if the schema accepts no such text, and null for the empty text. If the
 * schema accepts neither the empty text nor null, an optional field is absent.
 */
export function reader(schema: Schema): (text: string) => unknown {
  const kinds = new Set(kindsOf(schema));
  const isText = kinds.has("text");
  const others = (["number", "boolean"] as const).filter((kind) => kinds.has(kind));
  const accepts = (text: string) => z.safeParse(schema, text).success;
  return (text) => {
    if (text === "") return kinds.has("null") ? null : kinds.has("missing") ? absent : text;
    if (others.length === 0) return text;
    const kind = others.find((each) => literals[each].test(text));
    return kind === undefined || (isText && accepts(text)) ? text : parseExact(text);
  };
}

const literals = {
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i,
  boolean: /^(?:true|false)$/,
} as const;

type Kind = "text" | "number" | "boolean" | "null" | "missing";

function kindsOf(schema: Schema): readonly Kind[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "default":
      return [...kindsOf(def.innerType), "missing"];
    case "nullable":
      return [...kindsOf(def.innerType), "null"];
    case "readonly":
      return kindsOf(def.innerType);
    case "nonoptional":
      return kindsOf(def.innerType).filter((kind) => kind !== "missing");
    case "union":
      return def.options.flatMap(kindsOf);
    case "enum":
      return Object.values(def.entries).map(kindOf);
    case "literal":
      return def.values.map(kindOf);
    case "number":
    case "boolean":
    case "null":
      return [def.type];
    default:
      return ["text"];
  }
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as "number" | "boolean") : "text";
}
