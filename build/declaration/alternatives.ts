// The kinds of values that a field may have. The functions `not…` return why an option cannot use the field, as a reason
// that completes "… because it …", or undefined if it can.
import { elementsOf, isOptional, type Kind, kindsOf, type Schema } from "../../src/kinds.ts";
import { isPathPart, valueOfFile } from "../../src/resource.ts";
import { quote, shown } from "../quote.ts";

/** Completes "… because it …". */
function reasonOf(each: Kind): string {
  switch (each.kind) {
    case "null":
      return "may be null";
    case "boolean":
      return "is true or false";
    case "integer":
      return "is an integer";
    case "reference":
      return "refers to other items";
    case "words":
    case "known":
      return "is one of known words";
    case "number":
    case "text":
      return `is a ${each.kind}`;
    case "array":
    case "tuple":
      return "is a list";
    case "object":
    case "record":
      return "is an object";
    case "any":
    case "never":
      return "is any value";
  }
}

/** The reason of the first kind of values that is among `kinds`. */
function reasonFor(schema: Schema, ...kinds: readonly Kind["kind"][]): string | undefined {
  const found = kindsOf(schema).find(({ kind }) => kinds.includes(kind));
  return found && reasonOf(found);
}

const others = ["array", "tuple", "object", "record", "any", "never"] as const;

/** A key names an item. */
export const notKey = (schema: Schema): string | undefined =>
  (isOptional(schema) ? "may be missing" : reasonFor(schema, "null", "boolean", "number", ...others)) ??
  severalTypes(schema);

/** Lists are sorted by their order. */
export const notSortable = (schema: Schema): string | undefined => reasonFor(schema, ...others) ?? severalTypes(schema);

/** A slug is derived from a text, which may be missing. */
export function notSlug(schema: Schema): string | undefined {
  const isTextual = (each: Kind) =>
    ["text", "null"].includes(each.kind) ||
    (each.kind === "known" && each.values.every((value) => typeof value === "string"));
  return kindsOf(schema).every(isTextual) ? undefined : "is not always a text";
}

/** Aliases are further names of an item. */
export const notNames = (schema: Schema): string | undefined =>
  reasonFor(elementsOf(schema) ?? schema, "number", ...others, "boolean", "reference");

/** Times are texts, which may be missing. */
export const notTime = (schema: Schema): string | undefined =>
  reasonFor(schema, "reference", "words", "integer", "number", "boolean", "known", ...others);

/** The parts of a path are texts and numbers. */
export const notInPath = (schema: Schema): string | undefined => reasonFor(schema, "boolean", ...others);

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean =>
  notKey(schema) === undefined && kindsOf(schema).every(({ kind }) => kind !== "integer");

/** Values of several types have no order. */
function severalTypes(schema: Schema): string | undefined {
  const types = new Set(
    kindsOf(schema).flatMap((each) => {
      if (each.kind === "null") return [];
      if (each.kind === "known") return each.values.map((value) => typeof value);
      if (each.kind === "boolean") return ["boolean"];
      return each.kind === "integer" || each.kind === "number" ? ["number"] : ["string"];
    }),
  );
  return types.size > 1 ? "has values of several types" : undefined;
}

/** A value of a filter is a part of a path. A hint is returned if it is for this reason alone. */
export function notFilterable(schema: Schema): readonly [reason: string, hint?: string] | undefined {
  const values = new Set<string>();
  for (const each of kindsOf(elementsOf(schema) ?? schema)) {
    if (each.kind === "number" || others.some((kind) => kind === each.kind)) return [reasonOf(each)];
    for (const value of each.kind === "known" ? each.values : []) {
      if (typeof value === "boolean" || Number.isSafeInteger(value)) continue;
      if (typeof value !== "string") return [`may be ${shown(String(value))}`];
      if (!isPathPart(value) || valueOfFile(value) !== undefined) {
        const hint =
          "A value of a filter is 1 to 100 of A-Z a-z 0-9 . _ ~ -, and neither starts with a dot nor ends in .json.";
        return [`may be ${quote(value)}, which is no part of a path`, hint];
      }
      if (values.has(value.toLowerCase()))
        return [`has ${quote(value)} in two cases`, "Paths may ignore case: keep one."];
      values.add(value.toLowerCase());
    }
  }
  return undefined;
}
