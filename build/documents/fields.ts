// Describes the fields of a resource from its zod schema, for the reference and for the authors' tables.
import * as z from "zod";
import type { Item } from "../../src/resource.ts";
import { withClauses } from "../wording.ts";
import type { JsonSchema } from "./schemas.ts";

export interface Field {
  /**
   * `fields[].name` is the name of each object in the list `fields`, `names.*` each value of a record, `latlng[0]` the
   * first value of a list of a fixed length.
   */
  readonly path: string;
  /** In the terms of JSON, such as `integer or null`. */
  readonly type: string;
  readonly isOptional: boolean;
  /** The form of the values; undefined if the type or the words imply it. */
  readonly form: string | undefined;
  /** The allowed values, if they are listed. */
  readonly words: readonly string[];
  readonly meaning: string;
  /** A value; undefined if the example lacks the field. */
  readonly example: unknown;
}

/** In the order of the schema. The fields of an object follow the field that holds it. */
export function documentedFields(
  schema: z.ZodType<Item>,
  meanings: Readonly<Record<string, string>>,
  example: Item,
): readonly Field[] {
  return fieldsIn(z.toJSONSchema(schema, { override: withClauses }), "", meanings, example);
}

/** Whether items may have fields that are not in the schema. */
export const hasFurtherFields = (schema: z.ZodType<Item>): boolean => isLoose(z.toJSONSchema(schema));

type Meanings = Readonly<Record<string, string>>;

function fieldsIn(schema: JsonSchema, path: string, meanings: Meanings, example: unknown): readonly Field[] {
  const options = optionsOf(schema);
  if (options.length > 0) return merged(options.map((option) => fieldsIn(option, path, meanings, example)));
  const { properties, required = [], additionalProperties, prefixItems, items } = schema;
  const first = Array.isArray(example) ? example[0] : Object.values(Object(example))[0];
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, property]) => {
      const at = path === "" ? name : `${path}.${name}`;
      return fieldsAt(Object(property), at, meanings, Object(example)[name], !required.includes(name));
    });
  }
  if (prefixItems !== undefined) {
    const all = [...prefixItems, ...(items === undefined || items === false ? [] : [items])];
    return all.flatMap((item, index) =>
      fieldsAt(Object(item), `${path}[${index}]`, meanings, Object(example)[index], false),
    );
  }
  if (items !== undefined) return elements(Object(items), `${path}[]`, meanings, first);
  return isRecord(schema) ? elements(Object(additionalProperties), `${path}.*`, meanings, first) : [];
}

function fieldsAt(
  schema: JsonSchema,
  path: string,
  meanings: Meanings,
  example: unknown,
  isOptional: boolean,
): readonly Field[] {
  const field = { path, ...shapeOf(schema), isOptional, meaning: meanings[path] ?? "", example };
  return [field, ...fieldsIn(schema, path, meanings, example)];
}

/** The elements of a list or record are fields if they have more than a type. */
function elements(schema: JsonSchema, path: string, meanings: Meanings, example: unknown): readonly Field[] {
  const [element, ...inner] = fieldsAt(schema, path, meanings, example, false);
  if (element === undefined) return inner;
  const { meaning, form, words } = element;
  return meaning === "" && form === undefined && words.length === 0 ? inner : [element, ...inner];
}

/** The fields of several shapes. A field that not all shapes have is optional. */
function merged(shapes: readonly (readonly Field[])[]): readonly Field[] {
  const paths = new Set(shapes.flat().map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const same = shapes.flatMap((fields) => fields.find((field) => field.path === path) ?? []);
    const [first] = same;
    if (first === undefined) return [];
    const isClosed = same.every(({ words }) => words.length > 0);
    return {
      ...first,
      type: [...new Set(same.map(({ type }) => type))].join(" or "),
      isOptional: same.length < shapes.length || same.some(({ isOptional }) => isOptional),
      form: new Set(same.map(({ form }) => form)).size === 1 ? first.form : undefined,
      words: isClosed ? [...new Set(same.flatMap(({ words }) => words))] : [],
    };
  });
}

/** The shapes of a value, if there are several. */
function alternativesOf({ anyOf, oneOf, ...schema }: JsonSchema): readonly JsonSchema[] {
  // `z.toJSONSchema` writes a type or null as a list of two types.
  const types: unknown = schema.type;
  if (Array.isArray(types)) return types.map((type): JsonSchema => ({ ...schema, type }));
  return (anyOf ?? oneOf ?? []).map((option): JsonSchema => Object(option));
}

/** The shapes of a value that is not null, if there are several or one of them may be null. */
const optionsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  alternativesOf(schema).filter(({ type }) => type !== "null");

const isLoose = ({ properties, additionalProperties }: JsonSchema): boolean =>
  properties !== undefined && additionalProperties !== undefined && additionalProperties !== false;

const isRecord = ({ properties, additionalProperties }: JsonSchema): boolean =>
  properties === undefined && typeof additionalProperties === "object";

function shapeOf(schema: JsonSchema): Pick<Field, "type" | "form" | "words"> {
  const [option, ...others] = optionsOf(schema);
  const type = typeOf(schema);
  if (option !== undefined && others.length === 0) return { ...shapeOf(option), type };
  const words = wordsOf(schema).map(String);
  const isScalar = schema.type === "string" || schema.type === "number" || schema.type === "integer";
  const hasForm = words.length === 0 && isScalar;
  return { type, form: hasForm ? schema.description : undefined, words };
}

const wordsOf = (schema: JsonSchema): readonly unknown[] => [
  ...(schema.enum ?? []),
  ...(schema.const === undefined ? [] : [schema.const]),
];

/** The type of a value, `many` for several values. */
function typeOf(schema: JsonSchema, many = false): string {
  const s = many ? "s" : "";
  const options = alternativesOf(schema);
  if (options.length > 0) return [...new Set(options.map((option) => optionType(option, many)))].join(" or ");
  const { type, items, prefixItems, additionalProperties } = schema;
  if (prefixItems !== undefined) return `list${s} of ${tupleType(prefixItems, items)}`;
  if (type === "array") return `list${s} of ${items === undefined ? "values" : typeOf(Object(items), true)}`;
  if (isLoose(schema)) return `object${s} with further fields`;
  if (isRecord(schema)) return `record${s} of ${typeOf(Object(additionalProperties), true)}`;
  if (typeof type === "string") return `${type}${s}`;
  const types = new Set(wordsOf(schema).map((word) => (word === null ? "null" : typeof word)));
  if (types.size === 0) return many ? "values" : "any";
  return [...types].map((each) => `${each}${s}`).join(" or ");
}

/** A literal beside other types is written out. */
const optionType = (option: JsonSchema, many: boolean): string =>
  option.const === undefined ? typeOf(option, many) : JSON.stringify(option.const);

function tupleType(items: readonly JsonSchema["items"][], rest: JsonSchema["items"]): string {
  const [type = "values", ...others] = new Set(items.map((item) => typeOf(Object(item), items.length > 1)));
  const least = rest === undefined || rest === false ? "" : "at least ";
  return `${least}${items.length} ${others.length === 0 ? type : "values"}`;
}
