// Checks that declared schemas describe JSON values and have no code that changes the values, so that a schema describes
// the answers and can be documented.
import type * as z from "zod";
import { childrenOf, definitionOf, type Schema, schemasIn as schemasOf } from "../../src/kinds.ts";
import { quote, shown } from "../quote.ts";

/** Whether a value is an object and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "_zod" in value && typeof value._zod === "object";

/** Whether a value is a schema of zod 3. */
export const isOfZod3 = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_def" in value && !("_zod" in value);

interface Problem {
  /** Completes "The field NAME …". */
  readonly problem: string;
  readonly hint: string;
}

interface SchemaFault extends Problem {
  /** The names of the fields that contain the schema, from the outermost. */
  readonly path: readonly string[];
}

/** A getter may return another schema at each level. */
const mostLevels = 100;

/** The unsupported parts of a schema. Faults within an unsupported part are not reported. */
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

function problemOf(schema: Schema): Problem | undefined {
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

function pipeProblem(def: z.core.$ZodPipeDef): Problem {
  const [before, after] = [definitionOf(def.in).type, definitionOf(def.out).type];
  if (def.transform !== undefined)
    return { problem: "is z.codec() or z.stringbool(), which change values", hint: declared };
  if (before === "transform") return { problem: "is z.preprocess(), which changes values", hint: declared };
  if (after === "transform") return { problem: "is a schema with .transform(), which changes values", hint: declared };
  return { problem: "is a schema with .pipe(), which is not supported", hint: "Use one of the two schemas." };
}

function unrepresentable(values: readonly unknown[]): Problem | undefined {
  const isOdd = (value: unknown) => value === undefined || typeof value === "bigint" || typeof value === "symbol";
  const [odd] = values.filter(isOdd).map(String);
  if (odd !== undefined)
    return { problem: `has the value ${shown(odd)}, which JSON does not have`, hint: "Use texts and numbers." };
  return values.length === 0 ? { problem: "accepts no value", hint: "Give it values." } : undefined;
}

/** Whether every value is a text. Keys of records are. */
function isTextual(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  const def = definitionOf(schema);
  if (def.type === "union") return def.options.every(isTextual);
  if (def.type === "enum") return Object.values(def.entries).every((value) => typeof value === "string");
  if (def.type === "literal") return def.values.every((value) => typeof value === "string");
  return def.type === "string" || def.type === "template_literal";
}

const noSchema = (value: unknown): Problem => ({
  problem: isOfZod3(value) ? "is a schema of zod 3" : `is ${given(value)} and no schema`,
  hint: isOfZod3(value) ? 'Import zod 4: import * as z from "zod".' : "Use a schema of zod, such as z.string().",
});

/** A value of a declaration, in words for its author. */
export function given(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return value.trim() === "" ? "empty" : quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isSchema(value)) return `z.${definitionOf(value).type}()`;
  if (typeof value === "object") return "an object";
  if (typeof value === "function") return "a function";
  return `the ${typeof value} ${shown(String(value))}`;
}

/** The schemas in the fields of an object, except for the fields `without`, with their paths. */
export const schemasIn = (
  schema: z.ZodObject,
  without: ReadonlySet<string>,
): readonly (readonly [path: readonly string[], schema: Schema])[] =>
  Object.entries(schema.shape)
    .filter(([field]) => !without.has(field))
    .flatMap(([field, each]) => [...schemasOf(each, field)])
    .map(([path, part]) => [path.replace(/\[\d*\]|\.\*/g, "").split("."), part]);
