// The kinds of values that a field may have. The functions `not…` return why an option cannot use the field, as a reason
// that completes "… because it …", or undefined if it can.
import * as z from "zod";
import { references, vocabularies } from "../../src/marks.ts";
import { definitionOf, elementsOf } from "../../src/resolve.ts";
import { isPathPart, valueOfFile } from "../../src/resource.ts";
import { quote, shown } from "../quote.ts";
import type { Schema } from "./schema.ts";

/** A kind of value that a field may have. */
export type Alternative =
  | { readonly kind: "reference" | "words" | "text" | "integer" | "number" | "boolean" | "null" | "missing" }
  /** Values of an enum or a literal. */
  | { readonly kind: "known"; readonly values: readonly unknown[] }
  /** Any other value, as readers call it. */
  | { readonly kind: "other"; readonly noun: string };

/** The kinds of values of a schema without unsupported parts. */
function alternativesOf(schema: Schema): readonly Alternative[] {
  if (references.of(schema) !== undefined) return [{ kind: "reference" }];
  if (vocabularies.of(schema) !== undefined) return [{ kind: "words" }];
  const def = definitionOf(schema);
  switch (def.type) {
    case "optional":
      return [...alternativesOf(def.innerType), { kind: "missing" }];
    case "nullable":
      return [...alternativesOf(def.innerType), { kind: "null" }];
    case "default":
    case "readonly":
      return alternativesOf(def.innerType);
    case "nonoptional":
      return alternativesOf(def.innerType).filter(({ kind }) => kind !== "missing");
    case "union":
      return def.options.flatMap(alternativesOf);
    case "enum":
      return [{ kind: "known", values: Object.values(def.entries) }];
    case "literal":
      return def.values.map((value) => (value === null ? { kind: "null" } : { kind: "known", values: [value] }));
    case "string":
    case "template_literal":
      return [{ kind: "text" }];
    case "boolean":
    case "null":
      return [{ kind: def.type }];
    case "number":
      return [{ kind: z.toJSONSchema(schema).type === "integer" ? "integer" : "number" }];
    case "array":
    case "tuple":
      return [{ kind: "other", noun: "a list" }];
    case "object":
    case "record":
      return [{ kind: "other", noun: "an object" }];
    default:
      return [{ kind: "other", noun: "any value" }];
  }
}

/** Completes "… because it …". */
function reasonOf(each: Alternative): string {
  switch (each.kind) {
    case "missing":
    case "null":
      return `may be ${each.kind}`;
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
    case "other":
      return `is ${each.noun}`;
  }
}

/** The reason of the first kind of values that is among `kinds`. */
function reasonFor(schema: Schema, ...kinds: readonly Alternative["kind"][]): string | undefined {
  const found = alternativesOf(schema).find(({ kind }) => kinds.includes(kind));
  return found && reasonOf(found);
}

/** A key names an item. */
export const notKey = (schema: Schema): string | undefined =>
  reasonFor(schema, "missing", "null", "boolean", "number", "other") ?? severalTypes(schema);

/** Lists are sorted by their order. */
export const notSortable = (schema: Schema): string | undefined => reasonFor(schema, "other") ?? severalTypes(schema);

/** A slug is derived from a text, which may be missing. */
export function notSlug(schema: Schema): string | undefined {
  const isTextual = (each: Alternative) =>
    ["text", "missing", "null"].includes(each.kind) ||
    (each.kind === "known" && each.values.every((value) => typeof value === "string"));
  return alternativesOf(schema).every(isTextual) ? undefined : "is not always a text";
}

/** Aliases are further names of an item. */
export const notNames = (schema: Schema): string | undefined =>
  reasonFor(elementsOf(schema) ?? schema, "number", "other", "boolean", "reference");

/** Times are texts, which may be missing. */
export const notTime = (schema: Schema): string | undefined =>
  reasonFor(schema, "reference", "words", "integer", "number", "boolean", "known", "other");

/** The parts of a path are texts and numbers. */
export const notInPath = (schema: Schema): string | undefined => reasonFor(schema, "boolean", "other");

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean =>
  notKey(schema) === undefined && alternativesOf(schema).every(({ kind }) => kind !== "integer");

/** Values of several types have no order. */
function severalTypes(schema: Schema): string | undefined {
  const types = new Set(
    alternativesOf(schema).flatMap((each) => {
      if (each.kind === "null" || each.kind === "missing") return [];
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
  for (const each of alternativesOf(elementsOf(schema) ?? schema)) {
    if (each.kind === "other" || each.kind === "number") return [reasonOf(each)];
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
