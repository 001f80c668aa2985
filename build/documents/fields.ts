// Describes the fields of a resource from its zod schema, for the reference and for the authors' table.
import * as z from "zod";
import type { Item } from "../../src/resource.ts";
import type { JsonSchema } from "./schemas.ts";

export interface Field {
  /** `fields[].name` is the name of each object in the list `fields`. */
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

/** In the order of the schema. The fields of an object follow the list that holds it. */
export function fieldsOf(
  schema: z.ZodType<Item>,
  meanings: Readonly<Record<string, string>>,
  example: Item,
): readonly Field[] {
  return fieldsIn(z.toJSONSchema(schema), "", meanings, example);
}

function fieldsIn(
  { properties = {}, required = [] }: JsonSchema,
  prefix: string,
  meanings: Readonly<Record<string, string>>,
  example: unknown,
): readonly Field[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema: JsonSchema = Object(property);
    const path = `${prefix}${name}`;
    const value: unknown = Object(example)[name];
    const isOptional = !required.includes(name);
    const own = { path, ...shapeOf(schema), isOptional, meaning: meanings[path] ?? "", example: value };
    const items: JsonSchema = Object(schema.items);
    if (items.properties === undefined) return [own];
    return [own, ...fieldsIn(items, `${path}[].`, meanings, Array.isArray(value) ? value[0] : undefined)];
  });
}

function shapeOf(schema: JsonSchema): Pick<Field, "type" | "form" | "words"> {
  const [own, nothing] = (schema.anyOf ?? []).map((option): JsonSchema => Object(option));
  if (own !== undefined && nothing?.type === "null") return { ...shapeOf(own), type: `${typeOf(own)} or null` };
  const words = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map(String);
  const isPlain = words.length > 0 || schema.type === "array" || schema.type === "boolean";
  return { type: typeOf(schema), form: isPlain ? undefined : schema.description, words };
}

const typeOf = ({ type, items }: JsonSchema): string =>
  type === "array" ? `list of ${Object(items).type ?? "value"}s` : String(type ?? "any");
