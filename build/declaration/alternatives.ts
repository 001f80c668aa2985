// The kinds of values that a field may have, and the options that can use the field because of them.
import * as z from "zod";
import { references, vocabularies } from "../../src/marks.ts";
import { elementsOf } from "../../src/resolve.ts";
import { isPathPart, valueOfFile } from "../../src/resource.ts";
import { quote, shown } from "../quote.ts";
import { definitionOf, type Schema } from "./schema.ts";

/** A kind of value that a field may have. */
export type Alternative =
  | { readonly kind: "reference" | "words" | "text" | "integer" | "boolean" | "null" | "missing" }
  /** Values of an enum or a literal. */
  | { readonly kind: "known"; readonly values: readonly unknown[] }
  /** Any other, as a reader would call it. */
  | { readonly kind: "other"; readonly noun: string };

/** The kinds of values of a schema without unsupported parts. */
export function alternativesOf(schema: Schema): readonly Alternative[] {
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
      return [isInteger(schema) ? { kind: "integer" } : { kind: "other", noun: "a number" }];
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

/** Why a field cannot be a key; undefined if it can. Completes "… because it …". */
export function notKey(schema: Schema): string | undefined {
  for (const each of alternativesOf(schema)) {
    if (each.kind === "missing") return "may be missing";
    if (each.kind === "null") return "may be null";
    if (each.kind === "boolean") return "is true or false";
    if (each.kind === "other") return `is ${each.noun}`;
  }
  return severalTypes(schema);
}

/** Whether a field is a text in every item. */
export const isText = (schema: Schema): boolean =>
  notKey(schema) === undefined && alternativesOf(schema).every(({ kind }) => kind !== "integer");

/** Why lists cannot be sorted by a field; undefined if they can. Completes "… because it …". */
export function notSortable(schema: Schema): string | undefined {
  const other = alternativesOf(schema).find(({ kind }) => kind === "other");
  if (other?.kind === "other" && other.noun !== "a number") return `is ${other.noun}`;
  return severalTypes(schema);
}

/** Values of several types have no order. */
function severalTypes(schema: Schema): string | undefined {
  const types = new Set(
    alternativesOf(schema).flatMap((each) => {
      if (each.kind === "known") return each.values.map((value) => typeof value);
      if (each.kind === "integer" || each.kind === "other") return ["number"];
      if (each.kind === "boolean") return ["boolean"];
      return each.kind === "null" || each.kind === "missing" ? [] : ["string"];
    }),
  );
  return types.size > 1 ? "has values of several types" : undefined;
}

/** Why a field gives no slugs; undefined if it does. Completes "… because it …". */
export function notSlug(schema: Schema): string | undefined {
  const values = alternativesOf(schema).filter(({ kind }) => kind !== "missing" && kind !== "null");
  const isText = ({ kind, ...each }: Alternative) =>
    kind === "text" || ("values" in each && each.values.every((value) => typeof value === "string"));
  return values.every(isText) ? undefined : "is not always a text";
}

/** Why a field gives no other names of an item; undefined if it does. Completes "… because it …". */
export function notNames(schema: Schema): string | undefined {
  for (const each of alternativesOf(elementsOf(schema) ?? schema)) {
    if (each.kind === "other") return `is ${each.noun}`;
    if (each.kind === "boolean") return "is true or false";
    if (each.kind === "reference") return "refers to other items";
  }
  return undefined;
}

const isInteger = (schema: Schema): boolean => z.toJSONSchema(schema).type === "integer";

/** Why a field has no times; undefined if it has. They may be missing. Completes "… because it …". */
export function notTime(schema: Schema): string | undefined {
  const values = alternativesOf(schema).filter(({ kind }) => kind !== "missing" && kind !== "null");
  const other = values.find(({ kind }) => kind !== "text");
  if (other === undefined) return undefined;
  if (other.kind === "other") return `is ${other.noun}`;
  if (other.kind === "integer") return "is an integer";
  return other.kind === "boolean" ? "is true or false" : "is one of known words";
}

/**
 * Why items cannot be filtered by a field; undefined if they can. The problem completes "… because it …"; a hint is for
 * this problem alone.
 */
export function notFilterable(schema: Schema): readonly [problem: string, hint?: string] | undefined {
  const values = new Set<string>();
  for (const each of alternativesOf(elementsOf(schema) ?? schema)) {
    if (each.kind === "other") return [`is ${each.noun}`];
    if (each.kind !== "known") continue;
    for (const value of each.values) {
      if (typeof value === "boolean") continue;
      if (typeof value !== "string" && !(typeof value === "number" && Number.isSafeInteger(value)))
        return [`may be ${shown(String(value))}`];
      if (typeof value === "number") continue;
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
