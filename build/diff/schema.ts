// The fields of an answer with their types, from its JSON schema, and what programs lose if one schema replaces another.
import { hasFields, ownField } from "../../src/model/fields.ts";
import { jsonPattern } from "../../src/model/json-pattern.ts";
import type { PublishedSchema } from "../published/overview.ts";
import { groupBy } from "../values/group-by.ts";

interface Field {
  /** The path of the list or object that has the field. */
  readonly parent: string | undefined;
  /** Each value matches at least one of these. */
  readonly kinds: readonly PublishedSchema[];
  readonly isOptional: boolean;
}

/**
 * By path: `places[].name`; `names.*` are the values of a record, `position[0]` is an element of a tuple. The objects of a
 * union count as one that has the fields of all. The root has the path "".
 */
export type Fields = ReadonlyMap<string, Field>;

export function fieldsOf(root: PublishedSchema): Fields {
  const fields = new Map<string, Field>();
  const add = (path: string, schemas: readonly PublishedSchema[], parent: string | undefined, isOptional: boolean) => {
    const kinds = schemas.flatMap(kindsOf);
    fields.set(path, { parent, kinds, isOptional });
    const inside = kinds.map(childrenOf).filter(({ length }) => length > 0);
    for (const [step, same] of groupBy(inside.flat(), (child) => child.step)) {
      const mayLack = same.length < inside.length || same.some((child) => child.isOptional);
      const inner = same.map(({ schema }) => schema);
      add(`${path}${step}`.replace(/^\./, ""), inner, path, mayLack);
    }
  };
  add("", [root], undefined, false);
  return fields;
}

/** The alternatives of a union, and the types of a schema that has several, each by itself. */
function kindsOf(schema: PublishedSchema): readonly PublishedSchema[] {
  const { type } = schema;
  const all = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(all)) return all.flatMap(kindsOf);
  if (!Array.isArray(type) || valuesOf(schema) !== undefined) return [schema];
  return type.map((name) => (name === "null" ? { type: name } : { ...schema, type: name }));
}

interface Child {
  readonly step: string;
  readonly schema: PublishedSchema;
  readonly isOptional: boolean;
}

function childrenOf(schema: PublishedSchema): readonly Child[] {
  const { properties, required, prefixItems, items, additionalProperties } = schema;
  const names = Array.isArray(required) ? required : [];
  const places = Array.isArray(prefixItems) ? prefixItems : [];
  const child = (step: string, inner: unknown, isOptional = false) => ({ step, schema: Object(inner), isOptional });
  return [
    ...Object.entries(Object(properties)).map(([name, inner]) => child(`.${name}`, inner, !names.includes(name))),
    ...places.map((inner, index) => child(`[${index}]`, inner)),
    ...(hasFields(items) ? [child(places.length > 0 ? `[${places.length}]` : "[]", items)] : []),
    ...(isRecord(schema) ? [child(".*", additionalProperties)] : []),
  ];
}

/** Only the schema of a record has rules for names. */
const isRecord = ({ propertyNames, additionalProperties }: PublishedSchema): boolean =>
  propertyNames !== undefined && hasFields(additionalProperties);

/** Each field with its type: `string`, `integer or null, optional`, `easy or hard`, `object with other fields`. */
export const typesIn = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...fields].map(([path, { kinds, isOptional }]) => {
      const names = kinds.flatMap((kind) => {
        const isOpen = hasFields(kind["additionalProperties"]) && !isRecord(kind);
        return (
          valuesOf(kind)?.map(String) ?? typesOf(kind).map((type) => `${type}${isOpen ? " with other fields" : ""}`)
        );
      });
      return [path || "item", `${[...new Set(names)].join(" or ")}${isOptional ? ", optional" : ""}`];
    }),
  );

/** The types of JSON, `integer`, or `any value` for a schema without a type. */
const typesOf = (schema: PublishedSchema): readonly unknown[] =>
  valuesOf(schema)?.map(typeOf) ?? [schema["type"] ?? "any value"];

const typeOf = (value: unknown): string => (value === null ? "null" : typeof value);

/** The paths of fields that are removed, may be missing, or have values that were not allowed. */
export type FieldLosses = Readonly<Record<"removed" | "optional" | "widened", readonly string[]>>;

/** Nothing is reported inside of a field that is removed or has another type. */
export function lossesBetween(before: Fields, after: Fields): FieldLosses {
  const losses: Record<keyof FieldLosses, string[]> = { removed: [], optional: [], widened: [] };
  const gone = new Set<string | undefined>();
  for (const [path, { parent, kinds, isOptional }] of before) {
    const fieldAfter = after.get(path);
    if (fieldAfter === undefined || gone.has(parent)) {
      if (!gone.has(parent)) losses.removed.push(path);
      gone.add(path);
    } else {
      const kindsAfter = fieldAfter.kinds;
      if (fieldAfter.isOptional && !isOptional) losses.optional.push(path);
      if (!kindsAfter.every((kindAfter) => kinds.some((kind) => covers(kind, kindAfter)))) losses.widened.push(path);
      const types = new Set(kinds.flatMap(typesOf));
      if (!kindsAfter.flatMap(typesOf).every((type) => types.has(type))) gone.add(path);
    }
  }
  return losses;
}

/** Keywords that limit no value, and keywords about the fields inside. */
const otherRules =
  /^(?:description|title|examples|default|deprecated|readOnly|\$?id|\$schema|\$comment|properties|required|additionalProperties|items|prefixItems)$/;

/** Whether every value of `after` certainly matches `before`, apart from the fields inside. */
function covers(before: PublishedSchema, after: PublishedSchema): boolean {
  const values = valuesOf(after);
  if (values !== undefined) return values.every((value) => accepts(before, value));
  if (valuesOf(before) !== undefined) return false;
  return Object.entries(before).every(([rule, limitBefore]) => {
    const limitAfter = ownField(after, rule);
    if (otherRules.test(rule) || JSON.stringify(limitAfter) === JSON.stringify(limitBefore)) return true;
    if (rule === "type") return limitBefore === "number" && limitAfter === "integer";
    if (typeof limitAfter !== "number" || typeof limitBefore !== "number") return false;
    if (/^min|^exclusiveMin/.test(rule)) return limitAfter >= limitBefore;
    return /^max|^exclusiveMax/.test(rule) && limitAfter <= limitBefore;
  });
}

/** The values of an enum or a constant. */
function valuesOf(schema: PublishedSchema): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function accepts(schema: PublishedSchema, value: unknown): boolean {
  const values = valuesOf(schema);
  if (values !== undefined) return values.includes(value);
  const { type, pattern } = schema;
  if (type === "integer" ? !Number.isInteger(value) : type !== undefined && type !== typeOf(value)) return false;
  return typeof pattern !== "string" || jsonPattern(pattern)?.test(String(value)) === true;
}
