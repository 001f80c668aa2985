// Checks that declared schemas describe JSON values and have no code that changes the values, so that a schema describes
// the answers and can be documented.
import * as z from "zod";
import { checksOf, childrenOf, definitionOf, kindsOf, type Schema, schemasIn } from "../../src/kinds.ts";
import { shown } from "../text/quote.ts";
import { type At, given, lower, type Report } from "./options.ts";

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "_zod" in value && typeof value._zod === "object";

interface CheckedSchema {
  /** Undefined if it is not the schema of an object. */
  readonly schema: z.ZodObject | undefined;
  /** The fields that have unsupported parts. */
  readonly faulty: ReadonlySet<string>;
  /** The schemas in the other fields, with their paths: the names of fields along the way, and as documents name it. */
  readonly parts: readonly (readonly [path: readonly string[], schema: Schema, name: string])[];
}

/** Reports a schema that is not an object's, and unsupported parts of a schema. */
export function checkSchema(report: Report, schema: unknown, which: string, at: At): CheckedSchema {
  const unknown = { schema: undefined, faulty: new Set<string>(), parts: [] };
  if (schema === undefined) return unknown;
  if (!(schema instanceof z.ZodObject)) {
    const what = isOfZod3(schema)
      ? "a schema of zod 3"
      : `${given(schema)} and no ${isSchema(schema) ? "z.object()" : "schema"}`;
    const hint = isOfZod3(schema) ? importZod4 : "Use z.strictObject({ … }).";
    report("not-a-schema", at(["schema"]), `The schema of ${lower(which)} is ${what}.`, hint);
    return unknown;
  }
  const faults = [...unsupportedIn(schema)];
  for (const [path, problem, hint] of faults) {
    const subject = path.length === 0 ? "schema" : `field ${path.join(".")}`;
    report("unsupported-schema", at(["schema", ...path]), `The ${subject} of ${lower(which)} ${problem}.`, hint);
  }
  if (faults.some(([path]) => path.length === 0)) return unknown;
  const faulty = new Set(faults.flatMap(([path]) => path.slice(0, 1)));
  const fields = Object.entries(schema.shape).filter(([field]) => !faulty.has(field));
  const parts = fields.flatMap(([field, each]) => [...schemasIn(each, field)]);
  return {
    schema,
    faulty,
    parts: parts.map(([path, part]) => [path.replace(/\[\d*\]|\.\*/g, "").split("."), part, path]),
  };
}

export const isSupported = (schema: Schema): boolean => unsupportedIn(schema).next().done === true;

/** `problem` completes "The field NAME …". */
type Problem = readonly [problem: string, hint: string];

/** A getter may return another schema at each level. */
const mostLevels = 100;

/** The unsupported parts of a schema, with the names of the fields that contain them. Nothing within such a part. */
function* unsupportedIn(
  schema: unknown,
  path: readonly string[] = [],
  above: readonly unknown[] = [],
): Generator<readonly [path: readonly string[], problem: string, hint: string]> {
  const isEndless = above.length > mostLevels;
  if (isEndless || above.includes(schema)) {
    const hint = "Declare as many levels as the data has, or z.record(z.string(), z.unknown()).";
    yield [isEndless ? path.slice(0, 1) : path, "contains itself, which is not supported", hint];
    return;
  }
  const found = isSchema(schema) ? problemOf(schema) : noSchema(schema);
  if (found !== undefined) yield [path, ...found];
  if (found !== undefined || !isSchema(schema)) return;
  for (const [step, child] of childrenOf(schema)) {
    // A list that is always empty.
    if (step === "[]" && isSchema(child) && definitionOf(child).type === "never") continue;
    const name = step.startsWith(".") && step !== ".*" ? [step.slice(1)] : [];
    yield* unsupportedIn(child, [...path, ...name], [...above, schema]);
  }
}

const importZod4 = 'Import zod 4: import * as z from "zod".';

/** Whether a value is a schema of zod 3. */
const isOfZod3 = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_def" in value && !("_zod" in value);

const noSchema = (value: unknown): Problem =>
  isOfZod3(value)
    ? ["is a schema of zod 3", importZod4]
    : [`is ${given(value)} and no schema`, "Use a schema of zod, such as z.string()."];

function problemOf(schema: Schema): Problem | undefined {
  const def = definitionOf(schema);
  if ("coerce" in def && def.coerce === true)
    return [`is z.coerce.${def.type}(), which changes values`, `Use z.${def.type}().`];
  if (checksOf(schema).some(({ check }) => check === "overwrite")) {
    const hint = "Leave it out, and check the value with .regex() or .refine().";
    return ["has a method that changes values, such as .trim() or .toLowerCase()", hint];
  }
  switch (def.type) {
    case "enum":
      return valueProblem(Object.values(def.entries));
    case "literal":
      return valueProblem(def.values);
    case "record":
      return isSchema(def.keyType) && kindsOf(def.keyType).every(isTextual)
        ? undefined
        : ["is a record whose keys are no texts", "Use z.record(z.string(), …)."];
    case "pipe":
      return pipeProblem(def);
    default:
      return unsupported.get(def.type);
  }
}

const isTextual = (each: ReturnType<typeof kindsOf>[number]): boolean =>
  each.kind === "known"
    ? each.values.every((value) => typeof value === "string")
    : /text|reference|words/.test(each.kind);

const declared = "Declare the value as it is answered.";

const unsupported: ReadonlyMap<string, Problem> = new Map([
  ["transform", ["is z.transform(), which changes values", declared]],
  ["prefault", ["is a schema with .prefault(), which changes values", "Use .default()."]],
  ["success", ["is z.success(), which changes values", "Use z.boolean()."]],
  ["catch", ["is a schema with .catch(), which hides wrong values", "Use .optional() or .nullable()."]],
  ["date", ["is z.date(), which JSON does not have", 'Use time from "stillapi/forms", or z.iso.date().']],
  ["bigint", ["is z.bigint(), which JSON does not have", "Use z.int(), or a text of digits."]],
  ["map", ["is z.map(), which JSON does not have", "Use z.record(z.string(), …)."]],
  ["set", ["is z.set(), which JSON does not have", "Use z.array(…)."]],
  ["promise", ["is z.promise(), which JSON does not have", "Use the schema of its value."]],
  ["function", ["is z.function(), which JSON does not have", "Remove it."]],
  ["symbol", ["is z.symbol(), which JSON does not have", "Use z.string()."]],
  ["undefined", ["is z.undefined(), which JSON does not have", "Use .optional(), or z.null()."]],
  ["void", ["is z.void(), which JSON does not have", "Use .optional(), or z.null()."]],
  ["nan", ["is z.nan(), which JSON does not have", "Use z.number().nullable()."]],
  ["file", ["is z.file(), which JSON does not have", "Use a text with its address: z.url()."]],
  ["never", ["is z.never(), which accepts no value", "Remove it."]],
  ["custom", ["is z.custom() or z.instanceof(), which cannot be documented", "Use a schema of JSON, with .refine()."]],
  [
    "lazy",
    ["is z.lazy() or z.json(), which cannot be documented", "Use the schema itself, or z.unknown() for any value."],
  ],
  ["intersection", ["is an intersection, which is not supported", "Use .extend() with the other's fields."]],
]);

function pipeProblem(def: z.core.$ZodPipeDef): Problem {
  const [before, after] = [definitionOf(def.in).type, definitionOf(def.out).type];
  if (def.transform !== undefined) return ["is z.codec() or z.stringbool(), which change values", declared];
  if (before === "transform") return ["is z.preprocess(), which changes values", declared];
  if (after === "transform") return ["is a schema with .transform(), which changes values", declared];
  return ["is a schema with .pipe(), which is not supported", "Use one of the two schemas."];
}

function valueProblem(values: readonly unknown[]): Problem | undefined {
  const isOdd = (value: unknown) => value === undefined || typeof value === "bigint" || typeof value === "symbol";
  const [odd] = values.filter(isOdd).map(String);
  if (odd !== undefined) return [`has the value ${shown(odd)}, which JSON does not have`, "Use texts and numbers."];
  return values.length === 0 ? ["accepts no value", "Give it values."] : undefined;
}
