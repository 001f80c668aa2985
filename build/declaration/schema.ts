// Checks that declared schemas are forms of JSON values, without code that changes them, so that the schema is the form
// of the answer and can be documented.
import * as z from "zod";
import { references, vocabularies } from "../../src/marks.ts";
import { childrenOf, elementsOf, schemasIn as schemasOf } from "../../src/resolve.ts";
import { isPathPart, valueOfFile } from "../../src/resource.ts";
import { quote, shown } from "../quote.ts";

export type Schema = z.core.$ZodType;

/** The schema's definition, with the type that tells the kinds of schemas apart. */
export const definitionOf = (schema: Schema): z.core.$ZodTypes["_zod"]["def"] => (schema as z.core.$ZodTypes)._zod.def;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "_zod" in value && typeof value._zod === "object";

/** Whether a value is a schema of zod 3. */
export const isOfZod3 = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_def" in value && !("_zod" in value);

export interface SchemaFault {
  /** The names of fields that lead to the schema. */
  readonly path: readonly string[];
  /** Completes "The field NAME …". */
  readonly problem: string;
  readonly hint: string;
}

/** A function may make another schema at each level. */
const mostLevels = 100;

/** The parts of a schema that an API cannot have. Below such a part, nothing is reported. */
export function* unsupportedIn(
  schema: Schema,
  path: readonly string[] = [],
  above: readonly Schema[] = [],
): Generator<SchemaFault> {
  const isEndless = above.length > mostLevels;
  if (isEndless || above.includes(schema)) {
    const hint = "Declare as many levels as the data has, or z.record(z.string(), z.unknown()).";
    yield { path: isEndless ? path.slice(0, 1) : path, problem: "contains itself, which is not supported", hint };
    return;
  }
  const found = problemOf(schema);
  if (found !== undefined) {
    yield { path, ...found };
    return;
  }
  for (const [step, child] of childrenOf(schema)) {
    const name = step.startsWith(".") && step !== ".*" ? [step.slice(1)] : [];
    if (isSchema(child)) yield* unsupportedIn(child, [...path, ...name], [...above, schema]);
    else yield { path: [...path, ...name], ...noSchema(child) };
  }
}

export const isSupported = (schema: Schema): boolean => unsupportedIn(schema).next().done === true;

function problemOf(schema: Schema): Omit<SchemaFault, "path"> | undefined {
  const def = definitionOf(schema);
  if ("coerce" in def && def.coerce === true) {
    return { problem: `is z.coerce.${def.type}(), which changes values`, hint: `Use z.${def.type}().` };
  }
  const overwrites = schema._zod.def.checks?.some((check) => check._zod.def.check === "overwrite") ?? false;
  if (overwrites) {
    const hint = "Leave it out, and check the value with .regex() or .refine().";
    return { problem: "has a method that changes values, such as .trim() or .toLowerCase()", hint };
  }
  switch (def.type) {
    case "enum":
      return unrepresentable(Object.values(def.entries));
    case "literal":
      return unrepresentable(def.values);
    case "record":
      return isTextual(def.keyType)
        ? undefined
        : { problem: "is a record whose keys are no texts", hint: "Use z.record(z.string(), …)." };
    case "pipe":
      return pipeProblem(def);
    default: {
      const [problem, hint] = unsupported.get(def.type) ?? [];
      return problem === undefined || hint === undefined ? undefined : { problem: `is ${problem}`, hint };
    }
  }
}

const declared = "Declare the value as it is answered.";

const unsupported: ReadonlyMap<string, readonly [problem: string, hint: string]> = new Map([
  ["transform", ["z.transform(), which changes values", declared]],
  ["prefault", ["a schema with .prefault(), which changes values", "Use .default()."]],
  ["success", ["z.success(), which changes values", "Use z.boolean()."]],
  ["catch", ["a schema with .catch(), which hides wrong values", "Use .optional() or .nullable()."]],
  ["date", ["z.date(), which JSON does not have", 'Use time from "stillapi/forms", or z.iso.date().']],
  ["bigint", ["z.bigint(), which JSON does not have", "Use z.int(), or a text of digits."]],
  ["map", ["z.map(), which JSON does not have", "Use z.record(z.string(), …)."]],
  ["set", ["z.set(), which JSON does not have", "Use z.array(…)."]],
  ["promise", ["z.promise(), which JSON does not have", "Use the schema of its value."]],
  ["function", ["z.function(), which JSON does not have", "Remove it."]],
  ["symbol", ["z.symbol(), which JSON does not have", "Use z.string()."]],
  ["undefined", ["z.undefined(), which JSON does not have", "Use .optional(), or z.null()."]],
  ["void", ["z.void(), which JSON does not have", "Use .optional(), or z.null()."]],
  ["nan", ["z.nan(), which JSON does not have", "Use z.number().nullable()."]],
  ["file", ["z.file(), which JSON does not have", "Use a text with its address: z.url()."]],
  ["never", ["z.never(), which accepts no value", "Remove it."]],
  ["custom", ["z.custom() or z.instanceof(), which cannot be documented", "Use a schema of JSON, with .refine()."]],
  [
    "lazy",
    ["z.lazy() or z.json(), which cannot be documented", "Use the schema itself, or z.unknown() for any value."],
  ],
  ["intersection", ["an intersection, which is not supported", "Use .extend() with the other's fields."]],
]);

function pipeProblem(def: z.core.$ZodPipeDef): Omit<SchemaFault, "path"> {
  const [before, after] = [definitionOf(def.in).type, definitionOf(def.out).type];
  if (def.transform !== undefined)
    return { problem: "is z.codec() or z.stringbool(), which change values", hint: declared };
  if (before === "transform") return { problem: "is z.preprocess(), which changes values", hint: declared };
  if (after === "transform") return { problem: "is a schema with .transform(), which changes values", hint: declared };
  return { problem: "is a schema with .pipe(), which is not supported", hint: "Use one of the two schemas." };
}

function unrepresentable(values: readonly unknown[]): Omit<SchemaFault, "path"> | undefined {
  const odd = values.find((value) => value === undefined || typeof value === "bigint" || typeof value === "symbol");
  const isOdd = values.some((value) => value === undefined || typeof value === "bigint" || typeof value === "symbol");
  if (isOdd)
    return { problem: `has the value ${shown(String(odd))}, which JSON does not have`, hint: "Use texts and numbers." };
  return values.length === 0 ? { problem: "accepts no value", hint: "Give it values." } : undefined;
}

/** Whether every value is a text, as the keys of records are. */
function isTextual(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  const def = definitionOf(schema);
  if (def.type === "union") return def.options.every(isTextual);
  if (def.type === "enum") return Object.values(def.entries).every((value) => typeof value === "string");
  if (def.type === "literal") return def.values.every((value) => typeof value === "string");
  return def.type === "string" || def.type === "template_literal";
}

const noSchema = (value: unknown): Omit<SchemaFault, "path"> => ({
  problem: isOfZod3(value) ? "is a schema of zod 3" : `is ${given(value)} and no schema`,
  hint: isOfZod3(value) ? 'Import zod 4: import * as z from "zod".' : "Use a schema of zod, such as z.string().",
});

/** A value of a declaration, as its author would call it. */
export function given(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return value.trim() === "" ? "empty" : quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isSchema(value)) return `z.${definitionOf(value).type}()`;
  if (typeof value === "object") return "an object";
  if (typeof value === "function") return "a function";
  return `the ${typeof value} ${shown(String(value))}`;
}

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

/** The schemas in the fields of an object but for some, with their paths. The other fields have no unsupported parts. */
export const schemasIn = (
  schema: z.ZodObject,
  without: ReadonlySet<string>,
): readonly (readonly [path: readonly string[], schema: Schema])[] =>
  Object.entries(schema.shape).flatMap(([field, each]) => {
    if (without.has(field)) return [];
    return [...schemasOf(each, field)].map(
      ([path, part]) => [path.replace(/\[\d*\]|\.\*/g, "").split("."), part] as const,
    );
  });
