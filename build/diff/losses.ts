// Compares two JSON schemas of answers: lists the properties of the first that programs cannot rely on with the second.
import { jsonPattern } from "../../src/json-pattern.ts";

export interface FieldLosses {
  /** Paths of fields: `places[].name`. */
  readonly removed: readonly string[];
  /** Fields that were in every answer. */
  readonly optional: readonly string[];
  /** Fields with values that were not allowed, of the same types. */
  readonly widened: readonly string[];
  /** Fields with values of other types. */
  readonly retyped: readonly Retyped[];
}

interface Retyped {
  readonly field: string;
  /** `string or null` */
  readonly before: string;
  readonly after: string;
}

type Schema = Readonly<Record<string, unknown>>;

export function fieldLosses(before: unknown, after: unknown): FieldLosses {
  const losses = {
    removed: [] as string[],
    optional: [] as string[],
    widened: [] as string[],
    retyped: [] as Retyped[],
  };
  compare(Object(before), Object(after), "");
  return losses;

  function compare(old: Schema, own: Schema, path: string): void {
    const [olds, owns] = [alternativesOf(old), alternativesOf(own)];
    const [object, list] = [onlyOne(olds, "object"), onlyOne(olds, "array")];
    const [newObject, newList] = [onlyOne(owns, "object"), onlyOne(owns, "array")];
    const hasFields = object?.["properties"] !== undefined && newObject?.["properties"] !== undefined;
    if (hasFields) compareFields(object, newObject, path);
    const hasItems = isSchema(list?.["items"]) && isSchema(newList?.["items"]);
    if (hasItems) compare(Object(list?.["items"]), Object(newList?.["items"]), `${path}[]`);
    const others = owns.filter((each) => !(hasFields && each === newObject) && !(hasItems && each === newList));
    if (others.every((each) => olds.some((former) => covers(former, each)))) return;
    const [types, newTypes] = [typesOf(olds), typesOf(owns)];
    // An integer is a number.
    if (newTypes.every((type) => types.includes(type) || (type === "number" && types.includes("integer")))) {
      losses.widened.push(path);
    } else losses.retyped.push({ field: path, before: types.join(" or "), after: newTypes.join(" or ") });
  }

  function compareFields(old: Schema, own: Schema, path: string): void {
    const required = (schema: Schema, field: string) => [...Object(schema["required"] ?? [])].includes(field);
    const fields: Schema = Object(own["properties"]);
    for (const [field, former] of Object.entries(Object(old["properties"]))) {
      const at = path === "" ? field : `${path}.${field}`;
      if (!Object.hasOwn(fields, field)) {
        losses.removed.push(at);
        continue;
      }
      if (required(old, field) && !required(own, field)) losses.optional.push(at);
      compare(Object(former), Object(fields[field]), at);
    }
  }
}

/** Each field of an answer with its type: `string`, `integer or null, optional`, `easy or hard`. */
export function fieldTypes(schema: unknown): Readonly<Record<string, string>> {
  const types: Record<string, string> = {};
  collect(Object(schema), "", "");
  return types;

  function collect(own: Schema, path: string, end: string): void {
    const all = alternativesOf(own);
    if (path !== "") types[path] = `${namesOf(all).join(" or ")}${end}`;
    for (const each of all) {
      const required: readonly unknown[] = [...Object(each["required"] ?? [])];
      for (const [field, inner] of Object.entries(Object(each["properties"]))) {
        collect(Object(inner), path === "" ? field : `${path}.${field}`, required.includes(field) ? "" : ", optional");
      }
      if (isSchema(each["items"])) collect(Object(each["items"]), `${path}[]`, "");
    }
  }
}

/** The types, with each value of an enum. */
const namesOf = (schemas: readonly Schema[]): readonly string[] => [
  ...new Set(schemas.flatMap((schema) => valuesOf(schema)?.map(String) ?? typesOf([schema]))),
];

const isSchema = (value: unknown): boolean => typeof value === "object" && value !== null;

/** The schemas in a union. A value matches at least one. */
function alternativesOf(schema: Schema): readonly Schema[] {
  const union = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(union)) return union.flatMap((each) => alternativesOf(Object(each)));
  const { type } = schema;
  return Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : [schema];
}

/** The types of JSON, `integer`, or `any value` for a schema without a type. */
const typesOf = (schemas: readonly Schema[]): readonly string[] => [
  ...new Set(
    schemas.flatMap((schema) => {
      const { type } = schema;
      return typeof type === "string" ? type : (valuesOf(schema)?.map(typeOf) ?? "any value");
    }),
  ),
];

const typeOf = (value: unknown): string => (value === null ? "null" : typeof value);

const onlyOne = (schemas: readonly Schema[], type: string): Schema | undefined => {
  const found = schemas.filter((schema) => schema["type"] === type);
  return found.length === 1 ? found[0] : undefined;
};

/** Annotations, which limit no value. */
const notes: ReadonlySet<string> = new Set(["description", "title", "examples", "default", "$schema", "id", "$id"]);

/** Whether every value of `own` certainly matches `old`. */
function covers(old: Schema, own: Schema): boolean {
  const values = valuesOf(own);
  if (values !== undefined) return values.every((value) => accepts(old, value));
  if (valuesOf(old) !== undefined) return false;
  return Object.entries(old).every(([rule, limit]) => {
    if (notes.has(rule)) return true;
    const now = own[rule];
    if (rule === "type") return now === limit || (limit === "number" && now === "integer");
    if (/^(?:exclusiveM|m)inimum$|^min/.test(rule)) return typeof now === "number" && now >= Number(limit);
    if (/^(?:exclusiveM|m)aximum$|^max/.test(rule)) return typeof now === "number" && now <= Number(limit);
    return JSON.stringify(now) === JSON.stringify(limit);
  });
}

/** The values of an enum or a constant. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function accepts(schema: Schema, value: unknown): boolean {
  const known = valuesOf(schema);
  if (known !== undefined) return known.includes(value);
  const { type, pattern } = schema;
  if (type === "integer" ? !Number.isInteger(value) : type !== undefined && type !== typeOf(value)) return false;
  return typeof pattern !== "string" || jsonPattern(pattern)?.test(String(value)) === true;
}
