// Checks that declared schemas describe JSON values and have no code that changes the values, so that a schema describes
// the answers and can be documented.
import * as z from "zod";
import { references, refusals, type SchemaRefusal } from "../../src/declare/marks.ts";
import {
  checksOf,
  childrenOf,
  definitionOf,
  type Kind,
  kindsOf,
  mayBeOmitted,
  type Schema,
  schemasAndKeysIn,
} from "../../src/model/kinds.ts";
import { describe } from "../text/quote.ts";
import type { CheckedSchema, OptionPlaces, Report } from "./options/group.ts";

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "_zod" in value && typeof value._zod === "object";

/** The options that are schemas. */
export type SchemaOption = "schema" | "written";

/** Reports a schema that is not of an object, and unsupported parts of a schema. */
export function checkSchema(
  report: Report,
  option: SchemaOption,
  schema: unknown,
  which: string,
  at: OptionPlaces,
): CheckedSchema {
  const unknown = { schema: undefined, faulty: new Set<string>(), parts: [] };
  if (schema === undefined) return unknown;
  if (!(schema instanceof z.ZodObject)) {
    const message = `The ${option} of ${which} is not a schema of an object.`;
    report(
      "unsupported-schema",
      at([option]),
      message,
      'Use z.strictObject({ … }) of zod 4: import * as z from "zod".',
    );
    return unknown;
  }
  const refused = [...unsupportedIn(schema)];
  for (const { path, clause, hint = "Declare the value as it is answered." } of refused) {
    const subject = path.length === 0 ? option : `field ${path.join(".")}`;
    report("unsupported-schema", at([option, ...path]), `The ${subject} of ${which} ${clause}.`, hint);
  }
  if (refused.some(({ path }) => path.length === 0)) return unknown;
  const faulty = new Set(refused.flatMap(({ path }) => path.slice(0, 1)));
  const fields = Object.entries(schema.shape).filter(([field]) => !faulty.has(field));
  const parts = fields.flatMap(([field, part]) => [...schemasAndKeysIn(part, field)]);
  return {
    schema,
    faulty,
    parts: parts.map(([path, part]) => [path.replace(/\[\d*\]|\.\*/g, "").split("."), part, path]),
  };
}

export const isSupported = (schema: Schema): boolean => unsupportedIn(schema).next().done === true;

interface RefusedPart extends SchemaRefusal {
  /** The fields that lead to it. */
  readonly path: readonly string[];
}

/** A getter may return another schema at each level. */
const maxLevels = 100;

function* unsupportedIn(
  schema: unknown,
  path: readonly string[] = [],
  above: readonly unknown[] = [],
): Generator<RefusedPart> {
  const isEndless = above.length > maxLevels;
  const refusal = isEndless || above.includes(schema) ? endless : refusedIn(schema);
  if (refusal !== undefined) yield { path: isEndless ? path.slice(0, 1) : path, ...refusal };
  if (refusal !== undefined || !isSchema(schema)) return;
  for (const [step, child] of childrenOf(schema)) {
    // A list that is always empty.
    if (step === "[]" && isSchema(child) && definitionOf(child).type === "never") continue;
    const name = step.startsWith(".") && step !== ".*" ? [step.slice(1)] : [];
    if (name.includes("__proto__")) {
      yield { path: [...path, ...name], ...unchecked };
      continue;
    }
    if (name.some((field) => field in Object.prototype) && isSchema(child) && mayBeOmitted(child)) {
      yield { path: [...path, ...name], ...inEveryObject };
      continue;
    }
    yield* unsupportedIn(child, [...path, ...name], [...above, schema]);
  }
  const def = definitionOf(schema);
  if (def.type === "object" && def.catchall && definitionOf(def.catchall).type !== "never")
    yield* unsupportedIn(def.catchall, path, [...above, schema]);
  if (def.type !== "record") return;
  yield* unsupportedIn(def.keyType, path, [...above, schema]);
  if (references.of(def.keyType)?.by !== undefined) yield { path, ...keysByField };
}

const endless: SchemaRefusal = {
  clause: "contains itself, which is not supported",
  hint: "Declare as many levels as the data has, or z.record(z.string(), z.unknown()).",
};

const keysByField: SchemaRefusal = {
  clause: "is a record whose keys are references by another field",
  hint: "Refer by the key: leave out by.",
};

/** If such a field is left out, zod reads the property that JavaScript's objects inherit. */
const inEveryObject: SchemaRefusal = {
  clause: "may be left out, and has the name of a property of every object",
  hint: "Use .nullable(), so that each item has the field, or another name.",
};

/** zod leaves the field out of what it accepts. */
const unchecked: SchemaRefusal = { clause: "has a name that zod does not check", hint: "Give it another name." };

/** Why a schema is not supported, apart from its parts. */
function refusedIn(schema: unknown): SchemaRefusal | undefined {
  if (!isSchema(schema))
    return {
      clause: `is ${describe(schema, "")}, not a schema of zod 4`,
      hint: 'Import it: import * as z from "zod".',
    };
  const refusal = refusals.of(schema);
  if (refusal !== undefined) return refusal;
  const def = definitionOf(schema);
  if ("coerce" in def && def.coerce === true) return { clause: `is z.coerce.${def.type}(), which changes values` };
  if (checksOf(schema).some(({ check }) => check === "overwrite"))
    return {
      clause: "has a method that changes values, such as .trim() or .toLowerCase()",
      hint: "Use .regex() or .refine().",
    };
  if (def.type === "pipe") return { clause: "has .transform(), .pipe() or another function that changes values" };
  if (!supported.has(def.type)) return { clause: `is z.${def.type}(), which is not supported`, hint: hints[def.type] };
  if (def.type === "record" && !(isSchema(def.keyType) && kindsOf(def.keyType).every(isTextual)))
    return { clause: "is a record whose keys are not strings", hint: "Use z.record(z.string(), …)." };
  if (def.type !== "enum" && def.type !== "literal") return undefined;
  const values: readonly unknown[] = def.type === "enum" ? Object.values(def.entries) : def.values;
  const areOfJson = values.every((value) => value === null || /string|number|boolean/.test(typeof value));
  return areOfJson && values.length > 0 ? undefined : { clause: "has no values, or some that JSON does not have" };
}

const isTextual = (kind: Kind): boolean =>
  kind.kind === "known"
    ? kind.values.every((value) => typeof value === "string")
    : /text|reference|words/.test(kind.kind);

/** The types of definitions that describe JSON. */
const supported: ReadonlySet<string> = new Set([
  "string",
  "number",
  "int",
  "boolean",
  "null",
  "any",
  "unknown",
  "enum",
  "literal",
  "template_literal",
  "array",
  "tuple",
  "object",
  "record",
  "union",
  "optional",
  "nullable",
  "nonoptional",
  "default",
  "readonly",
]);

const hints: Readonly<Record<string, string>> = {
  date: 'Use time from "stillapi/forms", or z.iso.date().',
  set: "Use z.array(…).",
  undefined: "Use .optional(), or z.null().",
  custom: "Use a schema of JSON, with .refine().",
  intersection: "Use .extend() with the other's fields.",
};
