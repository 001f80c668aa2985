// The one walk over zod's kinds of schemas. Everything that depends on the values of a schema is derived from it.

import * as z from "zod";
import { references, vocabularies, type Words } from "../declare/marks.ts";
import { ownField } from "./fields.ts";

export type Schema = z.core.$ZodType;

/** A kind of values. `schema` is the innermost schema that has it, with the checks of these values. */
export type Kind = { readonly schema: Schema } & (
  | { readonly kind: "text" | "integer" | "number" | "boolean" | "null" | "any" | "never" }
  /** The values of an enum or a literal, apart from null. */
  | { readonly kind: "known"; readonly values: readonly z.core.util.Primitive[] }
  | { readonly kind: "reference"; readonly to: string; readonly isOpen: boolean }
  | { readonly kind: "words"; readonly words: Words }
  | { readonly kind: "array"; readonly element: Schema }
  | { readonly kind: "tuple"; readonly items: readonly Schema[]; readonly rest: Schema | undefined }
  /** `further` is undefined if the schema does not say whether unknown fields are accepted. */
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Schema>>; readonly further: Schema | undefined }
  | { readonly kind: "record"; readonly keys: Schema; readonly values: Schema }
);

/** The definition of a schema, with the type that tells the kinds of schemas apart. */
export const definitionOf = (schema: Schema): z.core.$ZodTypes["_zod"]["def"] => (schema as z.core.$ZodTypes)._zod.def;

/** A thousand faults in a union of sixty shapes ask for the same kinds, which would take a tenth of `check`. */
const kept = new WeakMap<Schema, readonly Kind[]>();

/** The kinds of values of a schema, without its wrappers: several if it is a union, or nullable. */
export function kindsOf(schema: Schema): readonly Kind[] {
  const kinds = kept.get(schema) ?? kindsIn(schema);
  kept.set(schema, kinds);
  return kinds;
}

function kindsIn(schema: Schema): readonly Kind[] {
  const reference = references.of(schema);
  if (reference !== undefined)
    return [{ kind: "reference", schema, to: reference.to, isOpen: reference.missing !== undefined }];
  const words = vocabularies.of(schema);
  if (words !== undefined) return [{ kind: "words", schema, words }];
  const def = definitionOf(schema);
  if (def.type === "nullable") return [...kindsOf(def.innerType), { kind: "null", schema: z.null() }];
  if ("innerType" in def) return kindsOf(def.innerType);
  switch (def.type) {
    case "union":
      return def.options.flatMap(kindsOf);
    case "enum":
    case "literal": {
      // Values of enums of TypeScript, which also name their members.
      const values = def.type === "enum" ? z.core.util.getEnumValues(def.entries) : def.values;
      const scalars = values.filter((value) => value !== null);
      const kinds: Kind[] = [];
      if (scalars.length > 0) kinds.push({ kind: "known", schema, values: scalars });
      if (scalars.length < values.length) kinds.push({ kind: "null", schema });
      return kinds;
    }
    case "string":
    case "template_literal":
      return [{ kind: "text", schema }];
    case "number":
      return [{ kind: checksOf(schema).some(isOfIntegers) ? "integer" : "number", schema }];
    case "boolean":
    case "null":
    case "never":
      return [{ kind: def.type, schema }];
    case "array":
      return [{ kind: "array", schema, element: def.element }];
    case "tuple":
      return [{ kind: "tuple", schema, items: def.items, rest: def.rest ?? undefined }];
    case "object":
      return [{ kind: "object", schema, fields: def.shape, further: def.catchall }];
    case "record":
      return [{ kind: "record", schema, keys: def.keyType, values: def.valueType }];
    default:
      return [{ kind: "any", schema }];
  }
}

/** All values of a kind, if they are few: of an enum, a literal or a boolean. Empty for other kinds. */
export function listedIn(kind: Kind): readonly unknown[] {
  if (kind.kind === "boolean") return [false, true];
  return kind.kind === "known" ? kind.values : [];
}

/** Whether objects may have fields that their schema does not name. */
export const hasOpenFields = ({ _zod: { def } }: z.core.$ZodObject): boolean =>
  def.catchall !== undefined && definitionOf(def.catchall).type !== "never";

/** Whether answers may lack a field of this schema. */
export const isOptional = (schema: Schema): boolean => schema._zod.optout === "optional";

/** Whether content may omit a field of this schema: it is optional or has a default. */
export const mayBeOmitted = (schema: Schema): boolean => schema._zod.optin !== undefined;

export type Check = z.core.$ZodChecks["_zod"]["def"];

export function checksOf(schema: Schema): readonly Check[] {
  const { def } = schema._zod;
  const added = (def.checks ?? []).map((check) => check._zod.def as Check);
  return "check" in def ? [def as unknown as Check, ...added] : added;
}

const isOfIntegers = (check: Check): boolean => check.check === "number_format" && !check.format.startsWith("float");

/**
 * The parts of a schema's definition that are schemas, each converted. `step` is the part of a path that leads to it:
 * `.name`, `[]`, `[0]`, `.*` or nothing, and undefined for the keys of a record, which no path has.
 */
export function convertParts(schema: Schema, convert: (child: Schema, step?: string) => Schema): object {
  const def = definitionOf(schema);
  if ("innerType" in def) return { innerType: convert(def.innerType, "") };
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, convert(field, `.${name}`)]);
      return { shape: Object.fromEntries(fields) };
    }
    case "array":
      return { element: convert(def.element, "[]") };
    case "tuple": {
      const items = def.items.map((item, index) => convert(item, `[${index}]`));
      return { items, rest: def.rest && convert(def.rest, `[${items.length}]`) };
    }
    case "record":
      return { keyType: convert(def.keyType), valueType: convert(def.valueType, ".*") };
    case "union":
      return { options: def.options.map((option) => convert(option, "")) };
    default:
      return {};
  }
}

/** The parts of a schema that have a step in a field's path. */
export function childrenOf(schema: Schema): readonly (readonly [step: string, child: Schema])[] {
  const children: (readonly [step: string, child: Schema])[] = [];
  convertParts(schema, (child, step) => {
    if (step !== undefined) children.push([step, child]);
    return child;
  });
  return children;
}

/**
 * Every schema in a schema, itself first, with its path: `fields[].name` is the name of each object in the list. `steps`
 * are the parts of the path, as `convertParts` has them.
 */
export function* schemasIn(
  schema: Schema,
  path = "",
  steps: readonly string[] = [],
): Generator<readonly [path: string, schema: Schema, steps: readonly string[]]> {
  yield [path, schema, steps];
  for (const [step, child] of childrenOf(schema)) {
    yield* schemasIn(child, stepInto(path, step), step === "" ? steps : [...steps, step]);
  }
}

/** Every schema in a schema, and the keys of records, which have the paths of the values. */
export function* schemasAndKeysIn(schema: Schema, path = ""): Generator<readonly [path: string, schema: Schema]> {
  for (const [partPath, part] of schemasIn(schema, path)) {
    yield [partPath, part];
    const def = definitionOf(part);
    if (def.type === "record") yield* schemasAndKeysIn(def.keyType, stepInto(partPath, ".*"));
  }
}

/** The path of a child of the schema at a path. */
export const stepInto = (path: string, step: string): string =>
  path === "" && step.startsWith(".") ? step.slice(1) : `${path}${step}`;

/** The field of an object at a path: its own field, or one within objects and lists. */
export interface FieldAt {
  readonly schema: Schema;
  /** The parts of the path. Undefined for a field of the object itself. */
  readonly steps?: readonly string[] | undefined;
}

/** The field at a path such as `contributors[].id`; undefined if there is none. */
export function fieldAt(object: z.ZodObject, path: string): FieldAt | undefined {
  const own = ownField(object.shape, path);
  if (own !== undefined) return { schema: own };
  const all = [...schemasIn(object)];
  // The further elements of a tuple have one path, which is that of the first of them.
  const isFurther = all.some(([name, schema]) => {
    const def = definitionOf(schema);
    return def.type === "tuple" && def.rest !== null && `${path}.`.startsWith(`${name}[${def.items.length}]`);
  });
  const found = isFurther ? [] : all.filter(([name]) => name === path && name !== "");
  // A path may lead into several alternatives of a union.
  const kinds = found.flatMap(([, schema]) => kindsOf(schema)).map(({ schema }) => schema);
  const [first, ...others] = new Set(kinds);
  if (first === undefined) return undefined;
  return { schema: others.length === 0 ? first : z.union([first, ...others]), steps: found[0]?.[2] };
}

/** The schemas of the value at a path in a value: several if it may have several shapes. */
export function schemasAt(schema: Schema, [step, ...rest]: readonly (string | number)[]): readonly Schema[] {
  return kindsOf(schema).flatMap((kind) => {
    if (step === undefined) return [kind.schema];
    const child = childAt(kind, step);
    return child === undefined ? [] : schemasAt(child, rest);
  });
}

/** The schema of a field or element of the values of a kind. */
export function childAt(kind: Kind, step: string | number): Schema | undefined {
  switch (kind.kind) {
    case "object":
      return ownField(kind.fields, step) ?? kind.further;
    case "array":
      return typeof step === "number" ? kind.element : undefined;
    case "tuple":
      return typeof step === "number" ? (kind.items[step] ?? kind.rest) : undefined;
    case "record":
      return kind.values;
    default:
      return undefined;
  }
}

/** The schema of the elements if a schema is a list, which may be null or missing. */
export function elementsOf(schema: Schema): Schema | undefined {
  const only = onlyKindOf(schema);
  return only?.kind === "array" ? only.element : undefined;
}

/** The schema of the keys if a schema is a record, which may be null or missing. */
export function recordKeysOf(schema: Schema): Schema | undefined {
  const only = onlyKindOf(schema);
  return only?.kind === "record" ? only.keys : undefined;
}

/** The kinds of values that are not null. */
export const shapesIn = (kinds: readonly Kind[]): readonly Kind[] => kinds.filter(({ kind }) => kind !== "null");

/** The only kind of values that are not null; undefined if there are several. */
function onlyKindOf(schema: Schema): Kind | undefined {
  const [only, another] = shapesIn(kindsOf(schema));
  return another === undefined ? only : undefined;
}
